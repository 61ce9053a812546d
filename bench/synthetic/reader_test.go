package synthetic

import (
	"encoding/xml"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/trcx/trcx/trace"
)

// reader checks that a trace is possible. It shares nothing with the machine.
type reader struct {
	last     string // time; all have the same number of digits
	threads  map[string]*life
	byObject map[string]*life
	objects  map[string]bool // live ones
	freed    map[string]bool // ids that were used before
	classes  map[string]bool
	methods  map[string]bool
	waiters  map[string][]*life // by object, the longest-waiting first

	reused, ended            int
	mostThreads, mostObjects int
}

// life is the state of a live thread.
type life struct {
	blockedOn, waitsOn, timeout string
	notified, interrupted       bool
	stack                       []string // tickets
}

func newReader() *reader {
	return &reader{threads: map[string]*life{}, byObject: map[string]*life{}, objects: map[string]bool{},
		freed:   map[string]bool{},
		classes: map[string]bool{}, methods: map[string]bool{}, waiters: map[string][]*life{}}
}

func value(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

func (r *reader) read(e xml.StartElement) error {
	if now := value(e, "time"); now != "" {
		if now < r.last || len(now) != 20 {
			return fmt.Errorf("time %s after %s", now, r.last)
		}
		r.last = now
	}
	kind := trace.Lookup([]byte(e.Name.Local))
	if kind == trace.ThreadStart {
		return r.threadStart(e)
	}
	actor := kind.Element().Thread()
	if actor == trace.NoAttr || value(e, actor.String()) == "" {
		return r.define(kind, e)
	}
	t := r.threads[value(e, actor.String())]
	if t == nil {
		return errors.New("the thread does not live")
	}
	leaves := kind == trace.MonContendedEntered || kind == trace.MonWaited
	if (t.blockedOn != "" || t.waitsOn != "") != leaves {
		return errors.New("the thread is blocked or waits, or is neither")
	}
	if kind == trace.ThreadEnd {
		return r.threadEnd(e, t)
	}
	return errors.Join(r.act(kind, e, t), r.define(kind, e))
}

func (r *reader) threadStart(e xml.StartElement) error {
	id, object := value(e, "threadId"), value(e, "objIdRef")
	if r.threads[id] != nil || !r.objects[object] {
		return errors.New("the thread lives already, or its object does not")
	}
	t := &life{}
	r.threads[id], r.byObject[object] = t, t
	r.mostThreads = max(r.mostThreads, len(r.threads))
	return nil
}

func (r *reader) threadEnd(e xml.StartElement, t *life) error {
	delete(r.threads, value(e, "threadIdRef"))
	r.ended++
	if len(t.stack) > 0 {
		return errors.New("methods were not left")
	}
	return nil
}

// act checks a thread's own event.
func (r *reader) act(kind trace.Kind, e xml.StartElement, t *life) error {
	object := value(e, "objIdRef")
	switch kind {
	case trace.MethodEntry:
		t.stack = append(t.stack, value(e, "ticket"))
		return demand(value(e, "stackDepth") == fmt.Sprint(len(t.stack)) && r.methods[value(e, "methodIdRef")],
			"depth or method")
	case trace.MethodExit:
		top := t.stack[len(t.stack)-1]
		t.stack = t.stack[:len(t.stack)-1]
		return demand(value(e, "ticket") == top, "ticket")
	case trace.MonContendedEnter:
		t.blockedOn = object
		owner := r.threads[value(e, "threadOwner")]
		return demand(owner != nil && owner != t && owner.blockedOn != object && owner.waitsOn != object, "owner")
	case trace.MonContendedEntered:
		entered := t.blockedOn
		t.blockedOn = ""
		return demand(entered == object, "entered another monitor")
	case trace.MonWait:
		t.waitsOn, t.timeout, t.notified, t.interrupted = object, value(e, "timeout"), false, false
		r.waiters[object] = append(r.waiters[object], t)
		return nil
	case trace.MonWaited:
		return r.monWaited(e, t)
	case trace.CallNotify:
		r.callNotify(object, value(e, "isNotifyAll") == "1")
		return nil
	case trace.CallInterrupt:
		r.byObject[object].interrupted = true
		r.leaveWaiters(r.byObject[object])
		return demand(r.byObject[object].waitsOn != "", "the interrupted thread does not wait")
	case trace.ThreadInterrupted:
		return demand(t.interrupted, "nobody interrupted the thread")
	}
	return nil
}

func (r *reader) monWaited(e xml.StartElement, t *life) error {
	object := t.waitsOn
	t.waitsOn = ""
	r.leaveWaiters(t)
	if object != value(e, "objIdRef") {
		return errors.New("waited for something else")
	}
	if value(e, "isTimedOut") == "1" {
		return demand(t.timeout != "0" && !t.notified && !t.interrupted, "nothing timed out")
	}
	joined, living := r.byObject[object], slices.Collect(maps.Values(r.threads))
	over := joined != nil && !slices.Contains(living, joined)
	return demand(t.notified || t.interrupted || over, "nothing ended the wait")
}

func (r *reader) callNotify(object string, all bool) {
	waiting := r.waiters[object]
	for i, t := range waiting {
		if i == 0 || all {
			t.notified = true
			r.waiters[object] = r.waiters[object][1:]
		}
	}
}

func (r *reader) leaveWaiters(t *life) {
	for object, waiting := range r.waiters {
		if i := slices.Index(waiting, t); i >= 0 {
			r.waiters[object] = slices.Concat(waiting[:i], waiting[i+1:])
		}
	}
}

// define checks definitions, frees, and references to them.
func (r *reader) define(kind trace.Kind, e xml.StartElement) error {
	switch kind {
	case trace.ClassDef:
		r.classes[value(e, "classId")] = true
	case trace.MethodDef:
		r.methods[value(e, "methodId")] = true
	case trace.ObjAlloc:
		return r.objAlloc(value(e, "objId"))
	case trace.ObjFree:
		return r.objFree(value(e, "objIdRef"))
	}
	if class := value(e, "classIdRef"); class != "" && !r.classes[class] {
		return errors.New("the class is not defined")
	}
	if object := value(e, "objIdRef"); object != "" && object != noObject && !r.objects[object] {
		return errors.New("the object does not live")
	}
	return nil
}

func (r *reader) objAlloc(id string) error {
	if r.objects[id] {
		return errors.New("the object lives already")
	}
	if r.freed[id] {
		r.reused++
	}
	r.objects[id] = true
	r.mostObjects = max(r.mostObjects, len(r.objects))
	return nil
}

func (r *reader) objFree(id string) error {
	if !r.objects[id] {
		return errors.New("the object does not live")
	}
	delete(r.objects, id)
	delete(r.byObject, id)
	r.freed[id] = true
	return nil
}

func demand(ok bool, fault string) error {
	if ok {
		return nil
	}
	return errors.New(fault)
}
