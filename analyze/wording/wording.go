// Package wording has the words for threads, objects, frames and moments, which are the same in each report.
//
// Names are sanitized: none can control a terminal.
package wording

import (
	"fmt"

	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/threads"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// Thread returns the thread's name and id, or only the name if that contains the id. An unknown name is "".
func Thread(id trace.ThreadID, name string) string {
	switch name {
	case "":
		return "thread " + phrase.Name(id.String())
	case threads.VirtualName(id):
		return phrase.Name(name)
	}
	return fmt.Sprintf("%s (thread %s)", phrase.Name(name), phrase.Name(id.String()))
}

// Object returns the object's class and id, for a synchronizer of java.util.concurrent after its word: shop.Cache 900,
// latch CountDownLatch 901. An unknown class is "".
func Object(id trace.ObjectID, class string) string {
	switch {
	case !id.Known():
		return "an unknown object"
	case class == "":
		return "object " + phrase.Name(id.String())
	}
	title := phrase.Name(javaname.Class(class))
	if s, ok := javaname.SynchronizerOf(class); ok {
		title = s.String()
	}
	return title + " " + phrase.Name(id.String())
}

// Initialisation returns what a thread waits for until a class is ready: the initialisation of class shop.Config.
func Initialisation(id trace.ObjectID, class string) string {
	return "the initialisation of " + Initialised(id, class)
}

// Initialised returns the class of the object of the id: class shop.Config.
func Initialised(id trace.ObjectID, class string) string {
	_, represented := javaname.SplitClassObject(class)
	switch {
	case represented != "":
		return phrase.Name(javaname.Class(class))
	case !id.Known():
		return "an unknown class"
	}
	return Object(id, class)
}

// Lock returns the lock of an object, or the object if it is a lock: the lock of shop.Cache 900, the lock ReentrantLock
// 901.
func Lock(id trace.ObjectID, class string) string {
	if s, ok := javaname.SynchronizerOf(class); ok && s.Word == "lock" && id.Known() {
		return "the " + Object(id, class)
	}
	return "the lock of " + Object(id, class)
}

// Condition returns a condition with its lock: condition of ReentrantLock 70 (901). It is Object if the id of the lock
// is unknown.
func Condition(id trace.ObjectID, class string, lock trace.ObjectID, lockClass string) string {
	if !id.Known() || !lock.Known() {
		return Object(id, class)
	}
	of := "lock"
	if lockClass != "" {
		of = javaname.SimpleClass(lockClass)
	}
	return fmt.Sprintf("condition of %s %s (%s)", phrase.Name(of), phrase.Name(lock.String()), phrase.Name(id.String()))
}

// Frame returns the frame as Java's stack traces have it, app.Main.run(Main.java:7), with the method of a library that
// it called, (in java.util.Vector.add), and the calls below it: ← Server.serve(Server.java:30). It is "" if the method
// is unknown.
func Frame(f trace.Frame) string {
	if f.Method == nil {
		return ""
	}
	text := phrase.Call(f.Method.Title(), f.Method.File, int(f.Line))
	if f.Inner != nil && text != "" {
		text += " (in " + phrase.Name(f.Inner.Title()) + ")"
	}
	if text != "" {
		text += Outer(f.Outer)
	}
	return text
}

// Outer returns the calls below a place, each after an arrow and without the package of its class; "" for nil.
func Outer(o *trace.Outer) (text string) {
	if o == nil {
		return ""
	}
	for _, f := range o.Frames {
		title := javaname.Method(f.Method.Name)
		if f.Method.Class != "" {
			title = javaname.SimpleClass(f.Method.Class) + "." + title
		}
		text += " ← " + phrase.Call(title, f.Method.File, int(f.Line))
	}
	return text
}

// Moment returns a time relative to the start, in seconds with six decimals: 1.234567 s.
func Moment(at, start trace.Time) string {
	micros, sign := int64(at-start)/1000, ""
	if micros < 0 {
		micros, sign = -micros, "-"
	}
	return fmt.Sprintf("%s%d.%06d s", sign, micros/1_000_000, micros%1_000_000)
}
