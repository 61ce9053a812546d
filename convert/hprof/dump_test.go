package hprof_test

import (
	"bytes"
	"encoding/binary"
)

// dump makes a log of the binary form.
type dump struct {
	bytes.Buffer
	ids   int
	names map[string]uint64
}

// The time of the header, in milliseconds.
const dumpTime = 1_700_000_000_000

func newDump(version string, ids int) *dump {
	d := &dump{ids: ids, names: map[string]uint64{}}
	d.WriteString("JAVA PROFILE " + version + "\x00")
	d.u4(uint32(ids)).u8(dumpTime)
	return d
}

func (d *dump) u1(n byte) *dump   { d.WriteByte(n); return d }
func (d *dump) u2(n uint16) *dump { d.Write(binary.BigEndian.AppendUint16(nil, n)); return d }
func (d *dump) u4(n uint32) *dump { d.Write(binary.BigEndian.AppendUint32(nil, n)); return d }
func (d *dump) u8(n uint64) *dump { d.Write(binary.BigEndian.AppendUint64(nil, n)); return d }

func (d *dump) id(ids ...uint64) *dump {
	for _, n := range ids {
		if d.ids == 8 {
			d.u8(n)
		} else {
			d.u4(uint32(n))
		}
	}
	return d
}

// part makes bytes with ids of the same size.
func (d *dump) part() *dump { return &dump{ids: d.ids, names: d.names} }

// record adds a record.
func (d *dump) record(tag byte, micros uint32, body *dump) *dump {
	d.u1(tag).u4(micros).u4(uint32(body.Len()))
	d.Write(body.Bytes())
	return d
}

// name returns the id of a text, which is added if it is new.
func (d *dump) name(text string) uint64 {
	if id, known := d.names[text]; known {
		return id
	}
	id := uint64(0x1000 + 16*len(d.names))
	d.names[text] = id
	body := d.part().id(id)
	body.WriteString(text)
	d.record(0x01, 0, body)
	return id
}

func (d *dump) loadClass(serial uint32, id uint64, name string) *dump {
	nameID := d.name(name)
	return d.record(0x02, 0, d.part().u4(serial).id(id).u4(1).id(nameID))
}

func (d *dump) frame(id uint64, method, signature, source string, class uint32, line int32) *dump {
	m, s, f := d.name(method), d.name(signature), d.name(source)
	return d.record(0x04, 0, d.part().id(id, m, s, f).u4(class).u4(uint32(line)))
}

func (d *dump) trace(serial, thread uint32, frames ...uint64) *dump {
	return d.record(0x05, 0, d.part().u4(serial).u4(thread).u4(uint32(len(frames))).id(frames...))
}

// field is a field of a class; an instance field has no value.
type field struct {
	name  string
	kind  byte
	value uint64
}

// class adds the dump of a class to a heap dump. Names must have been added before.
func (d *dump) class(id, super uint64, statics, fields []field) *dump {
	d.u1(0x20).id(id).u4(1).id(super, 0, 0, 0, 0, 0).u4(0).u2(0).u2(uint16(len(statics)))
	for _, f := range statics {
		d.id(d.names[f.name]).u1(f.kind)
		d.value(f.kind, f.value)
	}
	d.u2(uint16(len(fields)))
	for _, f := range fields {
		d.id(d.names[f.name]).u1(f.kind)
	}
	return d
}

// value adds a value of the kind.
func (d *dump) value(kind byte, n uint64) *dump {
	switch kind {
	case 2:
		return d.id(n)
	case 4, 8:
		return d.u1(byte(n))
	case 5, 9:
		return d.u2(uint16(n))
	case 6, 10:
		return d.u4(uint32(n))
	}
	return d.u8(n)
}

// instance adds an object with the values in the part.
func (d *dump) instance(id, class uint64, values *dump) *dump {
	d.u1(0x21).id(id).u4(1).id(class).u4(uint32(values.Len()))
	d.Write(values.Bytes())
	return d
}

func (d *dump) objects(id, class uint64, elements ...uint64) *dump {
	return d.u1(0x22).id(id).u4(1).u4(uint32(len(elements))).id(class).id(elements...)
}

func (d *dump) array(id uint64, kind byte, count uint32, bytes int) *dump {
	d.u1(0x23).id(id).u4(1).u4(count).u1(kind)
	d.Write(make([]byte, bytes))
	return d
}

// The objects of the dumps that the tests make.
const (
	objectClass = 0x700000000 + 0x8*iota*16
	classClass
	itemClass
	boxClass
	arrayClass
	intsClass
	threadClass
	firstObject
)

// shop returns a dump as HotSpot writes it: names, classes, frames, traces, and a heap dump in segments.
func shop(ids int) *dump {
	d := newDump("1.0.2", ids)
	base := uint64(0)
	if ids == 4 {
		base = 0x700000000 // ids below are relative to it
	}
	id := func(n uint64) uint64 { return n - base }
	for serial, name := range []string{"java/lang/Object", "java/lang/Class", "shop/Item", "shop/Box", "[Lshop/Item;",
		"[I", "java/lang/Thread"} {
		d.loadClass(uint32(serial+1), id(objectClass+0x80*uint64(serial)), name)
	}
	d.frame(0xF1, "pick", "(I)V", "Box.java", 4, 17).frame(0xF2, "<init>", "()V", "Item.java", 3, -1).frame(0xF3,
		"wait", "(J)V", "Object.java", 1, -3)
	d.trace(1, 0).trace(2, 1, 0xF3, 0xF1, 0xF2)
	for _, name := range []string{"next", "price", "fragile", "COUNT", "<resolved_references>", "items", "TITLE",
		"classData"} {
		d.name(name)
	}
	d.record(0x1C, 0, shopClasses(d.part(), id))
	d.record(0x1C, 0, shopObjects(d.part(), id))
	return d.record(0x2C, 0, d.part())
}

func shopClasses(h *dump, id func(uint64) uint64) *dump {
	h.class(id(objectClass), 0, nil, nil)
	h.class(id(classClass), id(objectClass), nil, []field{{"classData", 2, 0}})
	h.class(id(itemClass), id(objectClass), []field{{"COUNT", 10, 3}, {"TITLE", 2, id(firstObject)},
		{"<resolved_references>", 2, id(firstObject)}},
		[]field{{"next", 2, 0}, {"price", 11, 0}, {"fragile", 4, 0}})
	h.class(id(boxClass), id(itemClass), nil, []field{{"items", 2, 0}})
	h.class(id(arrayClass), id(objectClass), nil, nil)
	h.class(id(intsClass), id(objectClass), nil, nil)
	return h.class(id(threadClass), id(objectClass), nil, nil)
}

// shopObjects adds objects in HotSpot's layout. Items and boxes have 32 bytes: the boxes' references fill a gap.
func shopObjects(h *dump, id func(uint64) uint64) *dump {
	at := uint64(firstObject)
	item := func(next uint64) uint64 {
		here := at
		h.instance(id(here), id(itemClass), h.part().id(next).u8(999).u1(1))
		at += 32
		return here
	}
	first := item(0)
	for range 10 {
		item(id(first))
	}
	box := at
	h.instance(id(box), id(boxClass), h.part().id(id(box+32)).id(id(first)).u8(5).u1(0))
	h.objects(id(box+32), id(arrayClass), id(first), 0, id(first+32))
	h.array(id(box+64), 10, 3, 12)
	h.instance(id(box+96), id(threadClass), h.part())
	h.u1(0x08).id(id(box + 96)).u4(1).u4(2)
	h.u1(0x03).id(id(first)).u4(1).u4(1)
	h.u1(0x01).id(id(box), 0x55)
	h.u1(0x05).id(id(itemClass))
	return h.u1(0xFF).id(id(first))
}

// agentDump returns a log as the agent of old JDKs wrote it: ids of four bytes that are numbers, dotted names, one heap
// dump, and tables.
func agentDump() *dump {
	d := newDump("1.0.1", 4)
	d.record(0x0E, 0, d.part().u4(3).u2(4))
	d.loadClass(1, 1, "java.lang.Object").loadClass(2, 2, "java.lang.String[]").loadClass(3, 3, "int[]")
	d.frame(0xF1, "wait", "(J)V", "Object.java", 1, -3)
	d.trace(300001, 200001, 0xF1)
	main, group, system := d.name("main"), d.name("workers"), d.name("system")
	d.record(0x0A, 5, d.part().u4(200001).id(10).u4(300001).id(main, group, system))
	d.record(0x0A, 4_294_967_000, d.part().u4(200002).id(11).u4(0).id(0, 0, 0))
	d.record(0x0B, 1_000, d.part().u4(200002)) // 71 minutes later: the clock has wrapped
	d.record(0x07, 2_000, d.part().u4(104).u4(5).u8(2048).u8(64))
	sites := d.part().u2(1).u4(0).u4(104).u4(5).u8(2048).u8(64).u4(1)
	d.record(0x06, 2_000, sites.u1(0).u4(1).u4(300001).u4(104).u4(5).u4(2048).u4(64))
	d.record(0x0D, 2_000, d.part().u4(126).u4(2).u4(67).u4(300001).u4(59).u4(7))
	h := d.part().class(1, 0, nil, nil).class(2, 1, nil, nil)
	h.instance(10, 1, h.part()).objects(12, 2, 10, 0).array(13, 5, 3, 6).array(14, 10, 1, 4)
	h.u1(0x02).id(10).u4(200001).u4(0).u1(0x04).id(10).u4(200001).u1(0x06).id(10).u4(200001).u1(0x07).id(12)
	d.record(0x0C, 3_000, h)
	d.record(0x03, 3_000, d.part().u4(2))
	return d
}

// android returns a heap dump with records that only Android writes.
func android() *dump {
	d := newDump("1.0.3", 4)
	d.loadClass(1, 1, "java.lang.Object")
	app := d.name("app")
	h := d.part().class(1, 0, nil, nil)
	h.u1(0xFE).u4(65).id(app).instance(10, 1, h.part()).u1(0x89).id(10).u1(0x8E).id(10).u4(1).u4(2)
	h.u1(0xC3).id(11).u4(1).u4(1000).u1(8).u1(0x90).id(11)
	return d.record(0x1C, 0, h).record(0x2C, 0, d.part())
}
