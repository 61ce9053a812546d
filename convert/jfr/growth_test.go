package jfr

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/trace"
)

// grown are recordings that grow in one dimension.
var grown = map[string]func(n int) []byte{
	"threads": func(n int) []byte { return sleepers(n, 5) },
	"events": func(n int) []byte {
		b := newBuilder(second)
		for i := range n {
			b.event(idSleep, b.ticks(int64(i)*1000), 2*500, keyMain, 1, 500)
		}
		return defined(b)
	},
	"events in the reverse order of their ends": func(n int) []byte {
		b := newBuilder(second)
		for i := range n {
			b.event(idPark, b.ticks(int64(n-i)*1000), 2*500, keyMain, 1, 1, 1_500_000, noLong, 0x2000)
		}
		return defined(b)
	},
	"monitors": func(n int) []byte {
		b := newBuilder(second)
		for i := range n {
			b.event(idEnter, b.ticks(int64(i)*1000), 2*500, keyWorker1, 1, 1, keyMain, 0x1000+16*i)
		}
		return defined(b)
	},
	"hand-offs": func(n int) []byte {
		b := newBuilder(second)
		for i := range n {
			b.event(idEnter, b.ticks(int64(i)*1000), 2*900, keyWorker1+i%2, 1, 1, keyWorker1+(i+1)%2, 0x1000)
		}
		return defined(b)
	},
	"waits that last": func(n int) []byte {
		b := newBuilder(second)
		for i := range n {
			b.event(idWait, b.ticks(int64(i)*1000), 2*1000*int64(2*(n-i)), 1000+i, 1, 1, 0, 0, written(true), 0x1000)
		}
		return defined(b)
	},
	"stack traces": func(n int) []byte {
		b := newBuilder(second)
		stacks := []any{idStack, count(n)}
		for i := range n {
			b.event(idSleep, b.ticks(int64(i)*1000), 2*500, keyMain, 1000+i, 500)
			stacks = append(stacks, 1000+i, written(false), count(1), 1, count(i))
		}
		b.constants()
		b.checkpoint(b.notes["checkpoint"]-b.size(), stacks)
		b.describe()
		return b.bytes()
	},
	"classes": func(n int) []byte {
		b := newBuilder(second)
		symbols, classes := []any{idSymbol, count(n)}, []any{idClass, count(n)}
		for i := range n {
			b.event(idAllocation, b.ticks(int64(i)*1000), keyMain, 1, 1000+i, 4096)
			symbols, classes = append(symbols, 1000+i, fmt.Sprint("app/C", i)), append(classes, 1000+i, 1000+i)
		}
		b.constants()
		b.checkpoint(b.notes["checkpoint"]-b.size(), symbols, classes)
		b.describe()
		return b.bytes()
	},
	"chunks": func(n int) []byte {
		var all [][]byte
		for i := range (n + 19) / 20 {
			all = append(all, sample(newBuilder(second+int64(i))).bytes())
		}
		return bytes.Join(all, nil)
	},
}

// defined returns the chunk with the constants and the metadata.
func defined(b *chunkBuilder) []byte {
	b.constants()
	b.describe()
	return b.bytes()
}

// TestGrowth proves that reading a recording allocates in proportion to it.
func TestGrowth(t *testing.T) {
	testtool.Long(t)
	for dimension, recording := range grown {
		t.Run(dimension, func(t *testing.T) {
			made := map[int][]byte{}
			testtool.Allocations(t, 2_000, func(n int) {
				if made[n] == nil {
					made[n] = recording(n)
				}
				ending, err := Read(context.Background(), bytes.NewReader(made[n]), builder.Options{}, func(*trace.Event) error { return nil })
				if err != nil || ending.Truncated {
					t.Fatal(ending, err)
				}
			})
		})
	}
}
