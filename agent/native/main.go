//go:build agent

// Command native is the agent: a shared library that a JVM loads and that records what its threads do.
//
// Data flow: JVM -> agent/native -> agent/ring -> agent/drain -> trace. JVMTI callbacks in C publish records in ring
// buffers and never enter Go; agent.h lists the C modules. main.go runs on threads of Go's own: it parses the options,
// rewrites class files (agent/bci) and drains the rings (agent/record), unless another process does. build.sh builds
// the library; no other part of the project needs a C compiler and the headers of a JDK.
package main

/*
#cgo CFLAGS: -D_GNU_SOURCE -std=gnu11 -Wall -ftls-model=initial-exec
#cgo LDFLAGS: -ldl -lpthread
#include "exchange.h"
#include "hotspot.h"
*/
import "C"

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/trcx/trcx/agent/bci"
	"github.com/trcx/trcx/agent/options"
	"github.com/trcx/trcx/agent/record"
	"github.com/trcx/trcx/agent/ring"
)

// garbage is by how many percent the heap may grow before it is collected. Little is allocated once a recording runs,
// and the program's memory is not ours.
const garbage = 10

// settling is how long the JVM has the machine to itself before the heap is made small, for that is a collection.
const settling = time.Second

// processors is how many of the machine's are used: one writes, and another answers.
const processors = 2

// init starts what waits for threads of Java to ask. It runs when the library is loaded.
func init() {
	time.AfterFunc(settling, func() { debug.SetGCPercent(garbage) })
	runtime.GOMAXPROCS(processors)
	go guarded(answerOptions)
	go guarded(answerClasses)
}

func main() {} // never runs in a shared library

// say tells people something, on the line that all messages of the agent have.
func say(format string, arguments ...any) {
	text := strings.TrimRight(fmt.Sprintf(format, arguments...), "\n")
	fmt.Fprintf(os.Stderr, "trcx: %s\n", text)
}

// guarded runs the function for ever. A failure in it ends the recording, and never the program that is recorded.
func guarded(serve func()) {
	defer func() {
		if problem := recover(); problem != nil {
			C.abandon()
			say("the agent failed, and nothing more is recorded (please report this): %v", problem)
		}
	}()
	for {
		serve()
	}
}

// answerOptions waits for an agent that is loaded, and sets up what it asks for.
func answerOptions() {
	question := C.await_options()
	C.hotspot_find()
	text := C.GoStringN((*C.char)(question.data), C.int(question.size))
	settings, err := setUp(text, C.GoString(question.folder))
	if err != nil {
		say("%v", err)
		settings.refused = true
	}
	C.answer_options(question.number, settings)
}

// setUp does what the options say, up to where the JVM begins to publish. The folder is the one that relative names are
// meant in, empty if it is not known.
func setUp(text, folder string) (settings C.struct_settings, err error) {
	o, err := options.Parse(text)
	o.Folder = folder
	if err == nil {
		err = o.ReadFiles()
	}
	switch {
	case err != nil:
		return settings, fmt.Errorf("%w; the program runs without recording", err)
	case o.Help:
		return settings, fmt.Errorf("%s\nThe program runs without recording", strings.TrimRight(options.Usage(), "\n"))
	case o.Stop || o.Ready:
		settings.stop, settings.ready = C.bool(o.Stop), C.bool(o.Ready)
		return settings, nil
	}
	if C.agent.active {
		return settings, errors.New("this program is recorded already; trcx detach " + strconv.Itoa(os.Getpid()) +
			" ends that")
	}
	segment, err := openSegment(&o)
	if err != nil {
		return settings, fmt.Errorf("%w; the program runs without recording", err)
	}
	return C.struct_settings{
		segment: segment.Base(), elsewhere: C.bool(o.Ring != 0), contanalysis: C.bool(o.Contanalysis),
		owner:       C.bool(o.Owner),
		stack_depth: C.int(o.StackDepth), delay: C.int64_t(o.Delay), duration: C.int64_t(o.Duration),
		recorder: unsafe.Pointer(unsafe.SliceData(recorder)), recorder_size: C.size_t(len(recorder)),
	}, nil
}

// recorder is the class file of the class that rewritten classes call, in memory that C may keep.
var recorder = func() []byte {
	class := bci.Recorder()
	return unsafe.Slice((*byte)(C.CBytes(class)), len(class))
}()

// openSegment opens the memory that is recorded into: that of another process, which reads it, or new memory, which is
// read here.
func openSegment(o *options.Options) (*ring.Segment, error) {
	if o.Ring != 0 {
		return openShared(o.Ring)
	}
	segment, err := ring.Create()
	if err != nil {
		return nil, err
	}
	r, err := record.Start(segment, o, os.Getpid(), os.Stdout)
	if err != nil {
		segment.Close()
		return nil, err
	}
	C.set_drained(false)
	current.Store(r)
	go await(r, segment)
	return segment, nil
}

// current is the recording that is written here.
var current atomic.Pointer[record.Recording]

// openShared opens the memory that another process reads. The descriptor behind it is the end of a pipe that stays open
// as long as that process lives.
func openShared(descriptor int) (*ring.Segment, error) {
	segment, err := ring.Open(descriptor)
	if err != nil {
		return nil, err
	}
	go func() {
		io.Copy(io.Discard, os.NewFile(uintptr(descriptor+1), "trcx")) // nothing is ever sent
		if !segment.Stopped() {
			segment.Stop()
			C.abandon()
		}
	}()
	return segment, nil
}

// await waits for the end of the recording.
func await(r *record.Recording, segment *ring.Segment) {
	summary, err := r.Wait()
	segment.Discard()
	if current.Load() != r {
		return // its end took so long that another one has begun
	}
	switch {
	case err != nil:
		C.abandon()
		say("%v", err)
	case summary.Stopped != nil:
		C.abandon()
		say("%v; the recording has ended, the program goes on", summary.Stopped)
	case summary.Dropped > 0:
		say("%d records were dropped, because they came faster than they could be written; %s says where",
			summary.Dropped, r.Name)
	}
	C.set_drained(true)
}

// answerClasses waits for a class file that may have to be rewritten.
func answerClasses() {
	question := C.await_class()
	result := rewritten(unsafe.Slice((*byte)(question.data), question.size))
	C.answer_class(question, unsafe.Pointer(unsafe.SliceData(result)), C.size_t(len(result)))
}

// rewritten is the class file with the hooks that this JVM needs, or nothing if it is to stay as it is.
func rewritten(class []byte) []byte {
	result, err := bci.Rewrite(class, hooks())
	if err != nil || len(result.LeftAlone) > 0 {
		C.count_left_alone()
	}
	return result.Class
}

// hooks are those for virtual threads; and all others where native methods could not be wrapped.
func hooks() []bci.Hook {
	all := bci.VirtualThreads
	if C.agent.rewrites {
		all = append(append(all[:len(all):len(all)], bci.Interruptions...), bci.Calls(int(C.agent.java))...)
	}
	return all
}
