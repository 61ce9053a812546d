package hprof

import (
	"bytes"
	"context"
	"io"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/trace"
)

// title is how a log of either form begins; a version follows.
const title = "JAVA PROFILE 1."

// nextTitle is how a log begins behind another one, where no record and no line of a table does.
const nextTitle = title + "0."

// agentTitle begins the logs of the old agent, which have a heap dump only if it was told to make one.
const agentTitle = "JAVA PROFILE 1.0.1"

// anotherLog is what is said where a log begins behind another one.
const anotherLog = "another log begins here; what comes before is read; give it as a file of its own"

// longestTitle is how far in the binary form the NUL behind the version may be.
const longestTitle = 64

// Recognises says whether the text, the first bytes of an input, is the beginning of a log of either form.
func Recognises(head []byte) bool { return bytes.HasPrefix(head, []byte(title)) }

// isBinary says whether the version is followed by a NUL.
func isBinary(head []byte) bool {
	return bytes.IndexByte(head[:min(len(head), longestTitle)], 0) >= 0
}

// Read reads a log of either form and gives what it says as elements to take. The event is good until take returns.
// What is wrong with the log is reported, and reading goes on behind it; errors are those of in, of ctx and of take.
// See builder.Options.Count for the elements of heap dumps.
func Read(ctx context.Context, in io.Reader, options builder.Options, put func(*trace.Event) error) (trace.Ending,
	error) {
	log, found := newInput(ctx, in), newFindings(options.Report, options.OnUnsupported)
	log.have(longestTitle)
	if !isBinary(log.next()) {
		return readText(log, found, options, put)
	}
	b := &binaryReader{
		input: log, findings: found, transcript: builder.New(options.Session, nil, put), count: options.Count,
		numbered: numbered{put: put, event: trace.Builder{Event: trace.Event{Session: options.Session}}},
		serials:  map[uint32]*class{}, generation: 1, room: room{left: maxKept}, methods: map[methodKey]uint32{},
		frames: map[uint64]frame{},
		traces: map[uint32][]byte{}, threads: newThreads(),
	}
	b.readBinary()
	found.finish()
	ending := trace.Ending{Truncated: b.truncated, Place: trace.Place{Offset: b.offset()}}
	if b.err != nil {
		return ending, b.err
	}
	return ending, b.failure()
}
