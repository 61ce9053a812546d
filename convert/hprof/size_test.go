package hprof_test

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// fieldsOf are classes, superclasses first, with the kinds of their fields: some chosen to show HotSpot's layout of
// fields, some from JDK 8.
var fieldsOf = []struct {
	name, super string
	fields      string // B is a boolean or a byte, S two bytes, I four, J eight, L a reference
}{
	{"Byte1", "java/lang/Object", "B"},
	{"Long2", "Byte1", "J"},
	{"Mixed3", "Long2", "BI"},
	{"Last4", "Mixed3", "LS"},
	{"Accessible", "java/lang/Object", "LB"},
	{"Executable", "Accessible", "LLB"},
	{"Constructor", "Executable", "LLLLLLILLIL"},
	{"Collection", "java/lang/Object", "B"},
	{"Permissions", "Collection", "LBL"},
	{"java/lang/String", "java/lang/Object", "LI"},
}

// TestSizesByJDK: sizes of objects equal the sizes in jmap -histo of JDKs 8, 11, 21 and 27.
func TestSizesByJDK(t *testing.T) {
	for _, one := range []struct {
		name                     string
		marker                   string // a field of java.lang.Class
		header, reference, align int
		want                     map[string]uint64
	}{
		{"8 and 11", "classLoader", 12, 4, 8, map[string]uint64{"Byte1": 16, "Long2": 24, "Mixed3": 32, "Last4": 40,
			"Constructor": 80, "Permissions": 32, "java/lang/String": 24}},
		{"8, nothing compressed", "classLoader", 16, 8, 8, map[string]uint64{"Byte1": 24, "Long2": 32, "Mixed3": 40,
			"Last4": 56, "Constructor": 136, "Permissions": 48, "java/lang/String": 32}},
		{"8, aligned by 16", "classLoader", 12, 4, 16, map[string]uint64{"Byte1": 16, "Long2": 32, "Mixed3": 32,
			"Last4": 48, "Constructor": 80, "Permissions": 32, "java/lang/String": 32}},
		{"21 and 27", "classData", 12, 4, 8, map[string]uint64{"Byte1": 16, "Long2": 24, "Mixed3": 32, "Last4": 32,
			"Constructor": 72, "Permissions": 24}},
		{"27, compact headers", "classData", 8, 4, 8, map[string]uint64{"Byte1": 16, "Long2": 24, "Mixed3": 24,
			"Last4": 32, "Constructor": 72, "Permissions": 24}},
		{"21, aligned by 32", "classData", 12, 4, 32, map[string]uint64{"Byte1": 32, "Long2": 32, "Mixed3": 32,
			"Last4": 32, "Constructor": 96, "Permissions": 32}},
		{"27, compact headers, aligned by 64", "classData", 8, 4, 64, map[string]uint64{"Byte1": 64, "Last4": 64,
			"Constructor": 128, "Permissions": 64}},
		{"21, nothing compressed, aligned by 128", "classData", 16, 8, 128, map[string]uint64{"Byte1": 128,
			"Last4": 128, "Constructor": 128, "Permissions": 128}},
		{"8, aligned by 256", "classLoader", 12, 4, 256, map[string]uint64{"Byte1": 256, "Last4": 256,
			"Constructor": 256}},
	} {
		t.Run(one.name, func(t *testing.T) {
			log, ids := hash(one.marker, one.header, one.reference, one.align)
			r, err := read(bytes.NewReader(log), false)
			if err != nil {
				t.Fatal(err)
			}
			text := r.String()
			if want := fmt.Sprintf("headers of %d bytes, references of %d and an alignment of %d, as the distances",
				one.header, one.reference, one.align); !strings.Contains(text, want) {
				t.Errorf("not %s:\n%s", want, text)
			}
			for _, name := range slices.Sorted(maps.Keys(one.want)) {
				if want := fmt.Sprintf(`<objAlloc objId="%d" classIdRef=`, ids[name]); !strings.Contains(text, want) {
					t.Fatalf("there is no %s", name)
				} else if _, rest, _ := strings.Cut(text,
					want); !strings.HasPrefix(rest[strings.Index(rest, " size="):],
					fmt.Sprintf(` size="%d"`, one.want[name])) {
					t.Errorf("%s has not %d bytes but%s", name, one.want[name], rest[:strings.Index(rest, "/>")])
				}
			}
		})
	}
}

// spread returns a dump with an instance of each class, far from others, and arrays close together, and the ids of the
// instances.
func hash(marker string, header, reference, align int) (log []byte, ids map[string]uint64) {
	d := newDump("1.0.2", 8)
	classes := map[string]uint64{"java/lang/Object": 0x1000, "java/lang/Class": 0x1100, "[I": 0x1200,
		"[Ljava/lang/Object;": 0x1300}
	for i, c := range fieldsOf {
		classes[c.name] = 0x2000 + 0x100*uint64(i)
	}
	for serial, name := range slices.Sorted(maps.Keys(classes)) {
		d.loadClass(uint32(serial+1), classes[name], name)
	}
	d.name(marker)
	h := d.part().class(0x1000, 0, nil, nil).class(0x1100, 0x1000, nil, []field{{marker, 2, 0}}).class(0x1200, 0x1000,
		nil, nil).class(0x1300, 0x1000, nil, nil)
	kinds := map[rune]byte{'B': 8, 'S': 9, 'I': 10, 'J': 11, 'L': 2}
	for _, c := range fieldsOf {
		var fields []field
		for i, kind := range c.fields {
			name := fmt.Sprint("field", i)
			d.name(name)
			fields = append(fields, field{name, kinds[kind], 0})
		}
		h.class(classes[c.name], classes[c.super], nil, fields)
	}
	at := uint64(0x700000000)
	place := func(begin, size int) {
		at += uint64((begin + size + align - 1) / align * align)
	}
	begin := header + 4
	if header != 8 {
		begin = (begin + 7) / 8 * 8
	}
	for n := range 60 {
		h.array(at, 10, uint32(n), 4*n)
		place(begin, 4*n)
		h.objects(at, 0x1300, make([]uint64, n)...)
		place((begin+reference-1)/reference*reference, reference*n)
	}
	ids = map[string]uint64{}
	sizes := map[rune]int{'B': 1, 'S': 2, 'I': 4, 'J': 8, 'L': 8}
	values := map[string]int{}
	for _, c := range fieldsOf {
		values[c.name] = values[c.super]
		for _, kind := range c.fields {
			values[c.name] += sizes[kind]
		}
		at += 1 << 16
		ids[c.name] = at
		body := d.part()
		body.Write(make([]byte, values[c.name]))
		h.instance(at, classes[c.name], body)
	}
	return d.record(0x1C, 0, h).record(0x2C, 0, d.part()).Bytes(), ids
}
