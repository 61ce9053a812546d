package hprof_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/convert/hprof"
	"github.com/trcx/trcx/trace"
)

// mixed returns a dump of about size bytes: objects with references and arrays of both kinds, as in the heap of a
// program with many small objects.
func mixed(size int) []byte {
	d := newDump("1.0.2", 8)
	for serial, name := range []string{"java/lang/Object", "Node", "[Ljava/lang/Object;", "[I", "[B", "Deep"} {
		d.loadClass(uint32(serial+1), uint64(0x1000+serial*0x80), name)
	}
	d.name("f")
	h := d.part().class(0x1000, 0, nil, nil)
	h.class(0x1080, 0x1000, nil, []field{{"f", 2, 0}, {"f", 2, 0}, {"f", 11, 0}, {"f", 10, 0}, {"f", 8, 0}})
	h.class(0x1280, 0x1080, nil, []field{{"f", 2, 0}, {"f", 7, 0}, {"f", 4, 0}})
	d.record(0x1C, 0, h)
	at := uint64(0x7_0000_0000)
	for i := 0; d.Len() < size; {
		h := d.part()
		for ; h.Len() < 1<<20; i++ {
			at += 40
			switch i % 8 {
			case 0, 1, 2, 3:
				h.instance(at, 0x1080, h.part().id(at-40, 0).u8(7).u4(5).u1(1))
			case 4, 5:
				h.instance(at, 0x1280, h.part().id(at-80).u8(7).u1(5).id(at, at-40).u8(7).u4(5).u1(1))
			case 6:
				h.objects(at, 0x1100, at, 0, at-40, at-80, at-120)
			case 7:
				h.array(at, 8, uint32(i%100), i%100)
			}
		}
		d.record(0x1C, 0, h)
	}
	return d.record(0x2C, 0, d.part()).Bytes()
}

func ignore(*trace.Event) error { return nil }

// BenchmarkCounted measures reading for the model, which only counts the elements of heaps.
func BenchmarkCounted(b *testing.B) {
	log := mixed(64 << 20)
	b.SetBytes(int64(len(log)))
	options := builder.Options{Count: func(trace.Kind, uint64) error { return nil }}
	for b.Loop() {
		if _, err := hprof.Read(context.Background(), bytes.NewReader(log), options, ignore); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkElements measures reading for a consumer of each object, root and reference.
func BenchmarkElements(b *testing.B) {
	log := mixed(64 << 20)
	b.SetBytes(int64(len(log)))
	for b.Loop() {
		if _, err := hprof.Read(context.Background(), bytes.NewReader(log), builder.Options{}, ignore); err != nil {
			b.Fatal(err)
		}
	}
}
