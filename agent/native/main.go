//go:build agent

package main

/*
#cgo CFLAGS: -D_GNU_SOURCE -std=gnu11 -Wall -ftls-model=initial-exec
#cgo LDFLAGS: -ldl -lpthread -Wl,--wrap=sigaction
#include "exchange.h"
#include "exec.h"
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
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/trcx/trcx/agent/bci"
	"github.com/trcx/trcx/agent/flight"
	"github.com/trcx/trcx/agent/options"
	"github.com/trcx/trcx/agent/record"
	"github.com/trcx/trcx/agent/ring"
)

// gcPercent is the heap's growth in percent before a garbage collection. A recording allocates little, and the program
// needs the memory.
const gcPercent = 10

// startup is the time before gcPercent is set, which is a garbage collection: until then the JVM starts.
const startup = time.Second

// processors is the limit of processors used: one for the output, one for answers to the C part.
const processors = 2

// init starts the goroutines that answer Java threads. It runs when the library is loaded.
func init() {
	time.AfterFunc(startup, func() { debug.SetGCPercent(gcPercent) })
	runtime.GOMAXPROCS(processors)
	go guarded(answerOptions)
	go guarded(answerClasses)
}

// say writes a message to standard error, on a line with the prefix of all messages of the agent.
func say(format string, arguments ...any) {
	text := strings.TrimRight(fmt.Sprintf(format, arguments...), "\n")
	fmt.Fprintf(os.Stderr, "trcx: %s\n", text)
}

// guarded calls the function in a loop. A panic in it ends the recording, never the recorded program.
func guarded(serve func()) {
	defer func() {
		if problem := recover(); problem != nil {
			reason := fmt.Sprintf("the agent failed, and nothing more is recorded (please report this): %v", problem)
			C.abandon(C.CString(reason)) // a failure is rare; the text is not freed
			say("%s", reason)
		}
	}()
	for {
		serve()
	}
}

// answerOptions waits until the agent is loaded with options, and sets up the recording.
func answerOptions() {
	question := C.await_options()
	C.hotspot_find()
	text := C.GoStringN((*C.char)(question.data), C.int(question.size))
	settings, err := setUp(text, C.GoString(question.folder))
	if err != nil {
		if !settings.ready { // else the error was reported when it happened
			say("%v%s", err, consequence(err))
		}
		settings.refusal = C.CString(err.Error()) // a refusal is rare; the text is not freed
		settings.recorded = err == errRecorded
	}
	if settings.parks {
		C.hotspot_find_park()
	}
	C.answer_options(question.number, settings)
}

// errRecorded is the error for a program that is recorded already; errHelp is the error for the option help.
var (
	errRecorded = errors.New("this program is recorded already; trcx detach " + strconv.Itoa(os.Getpid()) + " ends that")
	errHelp     = errors.New(strings.TrimRight(options.Usage(), "\n"))
)

// consequence returns the end of the message about an error of setUp: what it means for the recording.
func consequence(err error) string {
	switch err {
	case errRecorded:
		return ""
	case errHelp:
		return "\nThe program runs without recording"
	}
	return "; the program runs without recording"
}

// setUp sets up a recording as the options say, so that the JVM can begin to publish records. Relative names are looked
// up in folder, "" if it is unknown.
func setUp(text, folder string) (settings C.struct_settings, err error) {
	o, err := options.Parse(text)
	o.Folder = folder
	if err == nil {
		err = o.ReadFiles()
	}
	switch {
	case err != nil:
		return settings, err
	case o.Help:
		return settings, errHelp
	case o.Summary:
		settings.summary = true
		if text := outcome(); text != "" {
			settings.refusal = C.CString(text) // asked once for a recording; the text is not freed
		}
		return settings, nil
	case o.Stop || o.Ready:
		settings.stop, settings.ready = C.bool(o.Stop), C.bool(o.Ready)
		return settings, awaitFirst(o.Ready)
	}
	if C.agent.active {
		return settings, errRecorded
	}
	segment, err := openSegment(&o)
	if err != nil {
		return settings, err
	}
	instruments.Store(record.Selection(&o))
	var dump, samples, event, pace *C.char
	if o.SampleFile != "" {
		name, setting := flight.Event(int(C.agent.java))
		samples, event, pace = C.CString(o.SampleFile), C.CString(name), C.CString(setting)
	}
	if o.DumpOnExit != "" {
		dump = C.CString(o.Path(o.DumpOnExit)) // in memory that C may keep
	}
	return C.struct_settings{
		dump:    dump,
		segment: segment.Base(), elsewhere: C.bool(o.Ring != 0), contanalysis: C.bool(o.Contanalysis),
		owner: C.bool(o.Owner), owner_period: C.int64_t(o.Samples()), parks: C.bool(o.Parks), io: C.bool(o.IO), wait_sets: C.bool(o.WaitSets),
		heap: C.bool(o.Heap != options.NoHeap), heap_interval: C.int(o.Heap.Interval()),
		stack_depth: C.int(o.StackDepth), delay: C.int64_t(o.Delay), duration: C.int64_t(o.Duration),
		recorder: unsafe.Pointer(unsafe.SliceData(recorder)), recorder_size: C.size_t(len(recorder)),
		exec: C.int(o.Instruments()), exec_jdk: C.bool(record.IncludesJDK(&o)), max_nodes: C.int(o.MaxNodes),
		auto_tune: C.bool(o.AutoTune),
		samples:   samples, sample_event: event, sample_pace: pace, interval: C.int(o.Interval.Milliseconds()),
		calls: unsafe.Pointer(unsafe.SliceData(calls)), calls_size: C.size_t(len(calls)),
	}, nil
}

// awaitFirst waits, if the caller asked for it, until the trace that is drained here has begun to be written.
func awaitFirst(ready bool) error {
	if r := current.Load(); ready && r != nil {
		return r.AwaitFirst(firstLimit)
	}
	return nil
}

// outcome returns how the last recording that was drained here went; "" while it lasts, or before the first one.
func outcome() string {
	r := current.Load()
	if C.agent.active || r == nil {
		return ""
	}
	summary, err := r.Wait()
	if err != nil {
		return err.Error()
	}
	return summary.String()
}

// firstLimit is the limit of waiting for an output. It is shorter than CONFIGURE_SECONDS.
const firstLimit = 10 * time.Second

// recorder and calls are the class files that rewritten classes and instrumented methods call, in memory that C may keep.
var recorder, calls = kept(bci.Recorder()), kept(bci.Calls())

func kept(class []byte) []byte { return unsafe.Slice((*byte)(C.CBytes(class)), len(class)) }

// openSegment opens the memory for the ring buffers: the memory of another process, which drains it, or new memory,
// which is drained here.
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
	C.begin_draining()
	current.Store(r)
	go await(r, segment)
	return segment, nil
}

// current is the recording that is drained in this process.
var current atomic.Pointer[record.Recording]

// openShared opens the memory that another process drains. The next file descriptor is the end of a pipe that stays
// open as long as that process lives.
func openShared(descriptor int) (*ring.Segment, error) {
	segment, err := ring.Open(descriptor)
	if err != nil {
		return nil, err
	}
	go func() {
		io.Copy(io.Discard, os.NewFile(uintptr(descriptor+1), "trcx")) // nothing is sent
		if !segment.Stopped() {
			segment.Stop()
			C.abandon(C.CString("trcx record has ended"))
		}
	}()
	return segment, nil
}

// await waits for the end of the recording and reports errors.
func await(r *record.Recording, segment *ring.Segment) {
	summary, err := r.Wait()
	segment.Discard()
	if current.Load() != r {
		return // another recording has begun meanwhile
	}
	switch {
	case err != nil:
		C.abandon(C.CString(err.Error()))
		say("%v", err)
		return
	case summary.Stopped != nil:
		C.abandon(C.CString(summary.Stopped.Error()))
		say("%v; the recording has ended, the program goes on", summary.Stopped)
		return
	case summary.Dropped > 0:
		say("%d records were dropped, because they came faster than they could be written; %s shows where",
			summary.Dropped, r.Name)
	}
	C.end_draining()
}

// answerClasses waits for a class file that may have to be rewritten.
func answerClasses() {
	question := C.await_class()
	var result, definitions []byte
	if class := unsafe.Slice((*byte)(question.data), question.size); question.how.instrument {
		result, definitions = instrumented(class, bool(question.how.hooks), int(question.how.first))
	} else {
		result = rewritten(class)
	}
	C.answer_class(question, unsafe.Pointer(unsafe.SliceData(result)), C.size_t(len(result)),
		unsafe.Pointer(unsafe.SliceData(definitions)), C.size_t(len(definitions)))
}

// rewritten returns the class file with the hooks that this JVM needs, or nil if it is to stay unchanged.
func rewritten(class []byte) []byte {
	result, err := bci.Rewrite(class, hooks())
	if err != nil || len(result.LeftAlone) > 0 {
		C.count_left_alone()
	}
	return result.Class
}

// instrumented returns the class file with calls of TrcxCalls, and with hooks if needed; nil if it is to stay
// unchanged. It also returns the definitions for exec_define: of the class, and of its methods, numbered from first.
// They are nil if no method is instrumented.
func instrumented(class []byte, hooked bool, first int) (result, definitions []byte) {
	if hooked {
		if result = rewritten(class); result != nil {
			class = result
		}
	}
	selection := *instruments.Load()
	selection.LeavesOut = func(number int) bool { return bool(C.exec_leaves_out(C.int64_t(number))) }
	to, err := bci.Instrument(class, &selection, first)
	if err != nil || len(to.LeftAlone) > 0 {
		C.count_left_alone()
	}
	if to.Class == nil {
		return result, nil
	}
	return to.Class, record.Definitions(&to)
}

// instruments are the methods that are instrumented.
var instruments atomic.Pointer[bci.Selection]

// hooks returns the hooks for virtual threads, and the hooks for parks if parks are recorded.
func hooks() []bci.Hook {
	all := slices.Clone(bci.VirtualThreads)
	if C.agent.settings.parks {
		all = slices.Concat(all, bci.VirtualParks, bci.Synchronizers)
	}
	return all
}
