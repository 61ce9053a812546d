package drain

import (
	"context"
	"encoding/binary"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/trcx/trcx/agent/ring"
	"github.com/trcx/trcx/agent/ring/ringtest"
	"github.com/trcx/trcx/internal/testtool"
)

// tolerated are the warnings about definitions and collections, which can be lost, and about sizes, which can be any.
var tolerated = []string{"class-undefined", "method-undefined", "object-undefined", "gc-unpaired", "object-size"}

// put makes a record of each eight bytes and publishes it: few threads, few objects, all kinds and flags.
func put(rings []*ringtest.Producer, jvm *ringtest.JVM, script []byte) {
	now := int64(ms)
	for ; len(script) >= 8; script = script[8:] {
		now += int64(int8(script[5])) * ms / 4
		r := ring.Record{
			Kind: ring.Kind(script[0] % (byte(ring.Freed) + 2)), Flags: script[1] &^ ring.HasPayload, Thread: int64(script[2] % 6),
			Object: int64(script[3]%4) - 1, Argument: int64(script[4]%8) - 2, Time: max(1, now),
		}
		if script[1]&ring.HasPayload != 0 {
			r.Payload = script[:min(len(script), int(script[6]))]
		}
		if script[7]%4 == 3 {
			jvm.Define(r)
		} else {
			rings[script[7]%4].Put(r)
		}
	}
}

// FuzzRecords proves that the trace is valid, whatever the records are.
func FuzzRecords(f *testing.F) {
	random := rand.New(rand.NewPCG(5, 5))
	for range 60 {
		script := make([]byte, 8*random.IntN(600))
		for i := range script {
			script[i] = byte(random.Uint32())
		}
		for i := 0; i < len(script); i += 8 { // mostly such as JVMs write, and threads that live long
			script[i+1] &= byte(random.Uint32())
			if random.IntN(8) > 0 && (script[i]%20 == byte(ring.ThreadEnd) || script[i]%20 > byte(ring.Shutdown)) {
				script[i] = byte(ring.Waited)
			}
		}
		f.Add(script)
	}
	f.Fuzz(func(t *testing.T, script []byte) {
		jvm := begin(t, 25)
		put([]*ringtest.Producer{jvm.Thread(), jvm.Thread(), jvm.Thread()}, jvm, script)
		document, _ := drained(jvm, nil)
		checkTrace(t, "records", document, tolerated...)
	})
}

// FuzzMemory proves that a segment with damaged memory leads to a valid trace, in good time, and to no panic.
func FuzzMemory(f *testing.F) {
	random := rand.New(rand.NewPCG(6, 6))
	for range testtool.Times(60) {
		damage := make([]byte, 4*(1+random.IntN(60)))
		for i := range damage {
			damage[i] = byte(random.Uint32())
		}
		f.Add(damage)
	}
	f.Fuzz(func(t *testing.T, damage []byte) {
		jvm := begin(t, 25)
		rings := []*ringtest.Producer{jvm.Thread(), jvm.Thread(), jvm.Thread()}
		random := rand.New(rand.NewPCG(uint64(len(damage)), 1))
		script := make([]byte, 8*500)
		for i := range script {
			script[i] = byte(random.Uint32())
		}
		var out collected
		drainer := New(jvm.Segment, &out, preamble, nil)
		put(rings, jvm, script)
		for ; len(damage) >= 4; damage = damage[4:] {
			hurt(jvm, damage)
			if damage[0]%8 == 0 {
				drainer.round()
			}
		}
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Millisecond)
		defer cancel()
		drainer.Run(ctx)
		checkTrace(t, "memory", string(out.text), tolerated...)
	})
}

// hurt overwrites eight bytes of the header, of the first controls or of the first cells.
func hurt(jvm *ringtest.JVM, damage []byte) {
	parts := []struct{ begin, words int }{{16, 12}, {4096, 8 * 16}, {4096 + 4<<20 + 4096, 200},
		{4096 + 4<<20 + 4096 + 1<<20, 200}}
	part := parts[damage[0]%4]
	at := part.begin + int(damage[1])%part.words*8
	value := []uint64{0, 1, 2, ^uint64(0), 1 << 63, uint64(damage[3]), uint64(damage[3]) << 56, uint64(damage[3]) << 24,
		0x0101010101010101 * uint64(damage[3])}
	binary.LittleEndian.PutUint64(jvm.Memory()[at:], value[int(damage[2])%len(value)])
}
