package heap

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/trcx/trcx/convert"
)

// dumpText is a binary dump under construction.
type dumpText []byte

func newDumpText() *dumpText {
	d := dumpText("JAVA PROFILE 1.0.2\x00")
	d.put(uint32(8), uint64(1_700_000_000_000))
	return &d
}

// put appends numbers in big-endian order.
func (d *dumpText) put(values ...any) *dumpText {
	for _, value := range values {
		*d, _ = binary.Append(*d, binary.BigEndian, value)
	}
	return d
}

// record appends a record with a body.
func (d *dumpText) record(tag byte, body *dumpText) { d.recordOf(tag, uint32(len(*body)), body) }

// recordOf appends a record that claims the length.
func (d *dumpText) recordOf(tag byte, length uint32, body *dumpText) {
	d.put(tag, uint32(0), length)
	*d = append(*d, *body...)
}

// class appends a CLASS DUMP with a field for a reference.
func (d *dumpText) class(id, super uint64) *dumpText {
	return d.put(byte(0x20), id, uint32(0), super, [5]uint64{}, uint32(8), uint16(0), uint16(0), uint16(1), uint64(1),
		byte(2))
}

// object appends an INSTANCE DUMP that refers to an object.
func (d *dumpText) object(id, class, to uint64) *dumpText {
	return d.put(byte(0x21), id, uint32(0), class, uint32(8), to)
}

// hostile are dumps that try to take disproportionate memory or time.
func hostile() map[string]dumpText {
	all := map[string]dumpText{}
	for name, fill := range map[string]func(*dumpText){
		"an array of 2^31 objects":    func(d *dumpText) { d.put(byte(0x22), uint64(80), uint32(0), uint32(1<<31), uint64(16)) },
		"an array of 2^31 longs":      func(d *dumpText) { d.put(byte(0x23), uint64(80), uint32(0), uint32(1<<31), byte(11)) },
		"an instance of 2^31 bytes":   func(d *dumpText) { d.put(byte(0x21), uint64(80), uint32(0), uint64(16), uint32(1<<31)) },
		"a class with 65535 fields":   func(d *dumpText) { d.class(16, 0); (*d)[len(*d)-11], (*d)[len(*d)-10] = 255, 255 },
		"classes in a cycle":          func(d *dumpText) { d.class(16, 24).class(24, 16).object(80, 16, 80) },
		"a class that is its own":     func(d *dumpText) { d.class(16, 16).object(80, 16, 80) },
		"ids at both ends":            func(d *dumpText) { d.class(16, 0).object(8, 16, 1<<60).object(1<<60, 16, 8) },
		"an object of its own class":  func(d *dumpText) { d.class(16, 0).object(16, 16, 16) },
		"an object many times":        func(d *dumpText) { d.class(16, 0); repeat(d, func(uint64) { d.object(80, 16, 80) }) },
		"a list":                      func(d *dumpText) { d.class(16, 0); repeat(d, func(i uint64) { d.object(80+8*i, 16, 88+8*i) }) },
		"a star":                      func(d *dumpText) { d.class(16, 0); repeat(d, func(i uint64) { d.object(80+8*i, 16, 80) }) },
		"ids at random":               func(d *dumpText) { d.class(16, 0); random(d) },
		"roots of objects it has not": func(d *dumpText) { repeat(d, func(i uint64) { d.put(byte(0x05), i) }) },
	} {
		for _, length := range []uint32{0, 1 << 31, 1<<32 - 1} {
			body, d := &dumpText{}, newDumpText()
			body.put(byte(0x01), uint64(80), uint64(1))
			fill(body)
			if length == 0 {
				d.record(0x1C, body)
				d.record(0x2C, &dumpText{})
			} else {
				d.recordOf(0x1C, length, body)
				name += ", of a length that is wrong"
			}
			all[name] = *d
		}
	}
	return all
}

// repeat fills a dump with objects.
func repeat(_ *dumpText, fill func(i uint64)) {
	for i := range uint64(20_000) {
		fill(i)
	}
}

func random(d *dumpText) {
	r := rand.New(rand.NewPCG(5, 5))
	for range 20_000 {
		d.object(r.Uint64(), 16, r.Uint64())
	}
}

// TestHostileDumps proves that any dump is read in memory proportional to its size, whatever it claims, and that its
// content is analysed.
func TestHostileDumps(t *testing.T) {
	for name, text := range hostile() {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		inputs, err := convert.OpenInputs([]string{convert.Stdin}, bytes.NewReader(text), 0)
		check(t, err)
		c := &contentCollector{}
		err = convert.Run(context.Background(), inputs.Documents, convert.Options{}, c)
		if err != nil && !errors.Is(err, convert.ErrDamaged) {
			t.Fatal(err)
		}
		inputs.Close()
		g, err := c.Graph(false)
		check(t, err)
		d := g.Dominators()
		reached := uint64(0)
		for o := range g.Size() {
			if d.Reachable(Object(o)) {
				reached += g.Bytes(Object(o))
			}
			if above, is := d.Dominator(Object(o)); is && d.Retained(above) < d.Retained(Object(o))+g.Bytes(above) {
				t.Errorf("%s: %d retains less than what it dominates", name, above)
			}
		}
		if total, _ := d.Total(); total != reached {
			t.Errorf("%s: the roots retain %d bytes and reach %d", name, total, reached)
		}
		g.Classes(d)
		c.Duplicates(c.ClassName)
		c.Fills(c.ClassName)
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; used > 32<<20+200*uint64(len(text)) {
			t.Errorf("%s: %d bytes were allocated for a dump of %d", name, used, len(text))
		}
	}
}
