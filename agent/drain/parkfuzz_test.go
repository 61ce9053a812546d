package drain

import (
	"testing"

	"github.com/trcx/trcx/agent/ring"
	"github.com/trcx/trcx/agent/ring/ringtest"
)

// parkKinds are the kinds of records of a script, by their letters.
var parkKinds = map[byte]ring.Kind{
	'P': ring.Park, 'p': ring.Parked, 'u': ring.Unpark, 'a': ring.Acquired, 'S': ring.Signal, 's': ring.Signalled,
	'i': ring.CallInterrupt, 'I': ring.ThreadInterrupted, 'W': ring.Wait, 'w': ring.Waited, 'E': ring.ContendedEnter,
	'e': ring.ContendedEntered, 'c': ring.CallStart, 'x': ring.ThreadEnd, 't': ring.ThreadStart,
}

// parkFlags are the flags of a record, by their letters; a record has one of these combinations.
var parkFlags = map[byte]uint8{
	'l': lockFlags, 'o': ring.Ownable | ring.OwnerThread, 'i': ring.Interrupted, 'A': ring.All, 'u': ring.Absolute,
	'x': ring.Existed, 'v': ring.Virtual, 'X': ring.Existed | lockFlags,
}

// putScript publishes a record for each line of a script: six characters for the kind, the thread, the object, the
// argument, the flags and the time since the line before in units of half a microsecond, where a minus sign is a
// clock that goes back. Further characters are the owner and the lock of a condition.
func putScript(jvm *ringtest.JVM, script string) {
	rings := []*ringtest.Producer{jvm.Thread(), jvm.Thread(), jvm.Thread(), jvm.Thread()}
	now := int64(2 * ms)
	for len(script) >= 8 {
		line := script[:8]
		if script = script[8:]; len(script) > 0 && script[0] == '\n' {
			script = script[1:]
		}
		now += 500 * int64(line[5]-'0')
		if line[5] == '-' {
			now -= ms / 4
		}
		r := ring.Record{Kind: parkKinds[line[0]], Thread: int64(line[1] - '0'), Object: int64(line[2]-'0') * 10,
			Argument: int64(line[3] - '0'), Flags: parkFlags[line[4]], Time: max(1, now)}
		if r.Kind == ring.Park {
			r.Payload = ringtest.ParkInfo(ring.ParkInfo{Owner: int64(line[6] - '0'), Lock: int64(line[7]-'0') * 10})
			r.Argument *= 1000
		}
		rings[line[1]%4].Put(r)
	}
}

// FuzzParks proves that the trace is valid, whatever the records of java.util.concurrent are.
func FuzzParks(f *testing.F) {
	f.Add("P150l10\nu2010010\np150010\na151010\n")
	f.Fuzz(func(t *testing.T, script string) {
		jvm := begin(t, 25)
		starter := jvm.Thread()
		for id := range int64(4) {
			starter.Put(started(id+1, 1, 500+id).record)
		}
		putScript(jvm, script)
		document, _ := drained(jvm, nil)
		checkTrace(t, "parks", document, tolerated...)
	})
}
