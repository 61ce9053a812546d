package heap

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
	"unicode/utf16"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/internal/list"
)

// Contents consumes the contents of arrays and containers. It belongs to the Collector of the same dump. The zero value
// is ready.
type Contents struct {
	groups     []arrayGroup
	places     map[arrayKey]uint32 // indexes in groups
	arrays     list.List[array]
	containers list.List[held]
}

// arrayKey identifies equal arrays.
type arrayKey struct {
	class, hash uint64
	length      uint32
}

// arrayGroup is a set of arrays with equal content.
type arrayGroup struct {
	arrayKey
	count, size uint64 // number of arrays, and the size of each in bytes
	filled      uint32
	head        []byte // the beginning of the content, if the group has several arrays
}

// array is an array: its id and the index of its group.
type array struct {
	id    uint64
	group uint32
}

// held is a container, with the number of its elements and the id of its array.
type held struct {
	container   *builder.Container
	class, size uint64
	elements    int32
	storage     uint64
}

// Array consumes the content of an array; see builder.Contents.
func (c *Contents) Array(a builder.Array) error {
	key := arrayKey{a.Class, a.Hash, a.Length}
	at, known := c.places[key]
	if !known {
		if c.places == nil {
			c.places = map[arrayKey]uint32{}
		}
		at = uint32(len(c.groups))
		c.places[key] = at
		c.groups = append(c.groups, arrayGroup{arrayKey: key, size: a.Size, filled: a.Filled})
	}
	group := &c.groups[at]
	if group.count++; group.count == 2 {
		group.head = bytes.Clone(a.Head)
	}
	c.arrays.Add(array{a.ID, at})
	return nil
}

// Container consumes the content of a container; see builder.Contents.
func (c *Contents) Container(h builder.Held) error {
	c.containers.Add(held{h.Container, h.Class, h.Size, h.Elements, h.Storage})
	return nil
}

// Arrays returns the number of arrays.
func (c *Contents) Arrays() int { return c.arrays.Len() }

// Reset drops everything, for the next dump of the input.
func (c *Contents) Reset() { *c = Contents{} }

// storages returns the group of each array by its id.
func (c *Contents) storages() func(id uint64) (group uint32, found bool) {
	sorted := slices.Concat(c.arrays.Blocks...)
	slices.SortFunc(sorted, func(a, b array) int { return cmp.Compare(a.id, b.id) })
	return func(id uint64) (uint32, bool) {
		at, found := slices.BinarySearchFunc(sorted, id, func(a array, id uint64) int { return cmp.Compare(a.id, id) })
		if !found {
			return 0, false
		}
		return sorted[at].group, true
	}
}

// Duplicate is a set of equal strings or arrays.
type Duplicate struct {
	// Class is the class as jmap prints it: java.lang.String, or the class of the arrays.
	Class string
	// Copies counts the equal objects. Size is the size of each in bytes; for a string, it includes the array.
	Copies, Size uint64
	// Wasted is the size, in bytes, of all but one. Strings that share an array waste it once.
	Wasted uint64
	// Content is the beginning of strings and of arrays of bytes or characters; "" for other arrays.
	Content string
	// Length counts the elements.
	Length uint32
}

// Duplicates returns equal strings, and equal arrays that do not belong to strings, by descending waste.
func (c *Contents) Duplicates(className func(class uint64) string) []Duplicate {
	type text struct {
		group uint32
		coder int32
	}
	type sum struct{ strings, size uint64 }
	strings, ofStrings := map[text]*sum{}, make([]bool, len(c.groups))
	find := c.storages()
	for i := range c.containers.Len() {
		h := c.containers.At(i)
		group, found := find(h.storage)
		if h.container.Class != builder.StringContainer || !found {
			continue
		}
		ofStrings[group] = true
		known := strings[text{group, h.elements}]
		if known == nil {
			known = &sum{size: h.size}
			strings[text{group, h.elements}] = known
		}
		known.strings++
	}
	var all []Duplicate
	for id, s := range strings {
		g := &c.groups[id.group]
		arrays := min(g.count, s.strings) // strings with another coder, or none, may have the others
		if s.strings > 1 {
			all = append(all, Duplicate{Class: "java.lang.String", Copies: s.strings, Size: s.size + g.size,
				Wasted: (s.strings-1)*s.size + (arrays-1)*g.size, Content: stringHead(g, className(g.class), id.coder),
				Length: g.length})
		}
	}
	for i := range c.groups {
		g := &c.groups[i]
		if g.count > 1 && !ofStrings[i] {
			all = append(all, Duplicate{Class: className(g.class), Copies: g.count, Size: g.size,
				Wasted: (g.count - 1) * g.size, Content: arrayHead(g, className(g.class)), Length: g.length})
		}
	}
	slices.SortFunc(all, func(a, b Duplicate) int {
		return cmp.Or(cmp.Compare(b.Wasted, a.Wasted), cmp.Compare(a.Class, b.Class), cmp.Compare(a.Content, b.Content),
			cmp.Compare(a.Length, b.Length), cmp.Compare(b.Copies, a.Copies))
	})
	return all
}

// stringHead returns the beginning of a string, whose array has the class and whose coder is given.
func stringHead(g *arrayGroup, class string, coder int32) string {
	const coderUTF16 = 1
	if class == "[C" {
		return utf16Text(g.head, true)
	}
	if coder == coderUTF16 {
		return utf16Text(g.head, false)
	}
	return latin1(g.head)
}

// arrayHead returns the beginning of an array of bytes or characters.
func arrayHead(g *arrayGroup, class string) string {
	switch class {
	case "[B":
		return latin1(g.head)
	case "[C":
		return utf16Text(g.head, true)
	}
	return ""
}

// latin1 returns bytes as one character each.
func latin1(text []byte) string {
	all := make([]rune, len(text))
	for i, c := range text {
		all[i] = rune(c)
	}
	return string(all)
}

// Fill reports how full the containers of a class are, or its arrays.
type Fill struct {
	// Class is the class as jmap prints it.
	Class string
	// Count counts the containers or arrays, Empty those without an element.
	Count, Empty uint64
	// Capacity counts the elements for which their arrays have space. Used counts, for a hash table, the buckets in
	// use; for other arrays, the elements that are neither null nor 0.
	Capacity, Used uint64
	// Unused is the size of the rest, in bytes.
	Unused uint64
}

// Fills returns how full containers and other arrays are, those with the most unused bytes first.
func (c *Contents) Fills(className func(class uint64) string) (containers, arrays []Fill) {
	find := c.storages()
	sums := map[uint64]*Fill{}
	owned := make([]uint64, len(c.groups)) // number of arrays of each group that belong to containers
	of := func(class uint64) *Fill {
		if sums[class] == nil {
			sums[class] = &Fill{Class: className(class)}
		}
		return sums[class]
	}
	for i := range c.containers.Len() {
		h := c.containers.At(i)
		group, found := find(h.storage)
		if found {
			owned[group]++
		}
		if h.container.Class == builder.StringContainer {
			continue
		}
		fill := of(h.class)
		fill.Count++
		if h.elements == 0 {
			fill.Empty++
		}
		if found {
			g := &c.groups[group]
			used := min(uint64(max(h.elements, 0)), uint64(g.length))
			if h.container.Storage == "table" {
				used = uint64(g.filled)
			}
			fill.add(g, used, 1)
		}
	}
	containers = sortedFills(sums)
	sums = map[uint64]*Fill{}
	for i := range c.groups {
		g := &c.groups[i]
		count := g.count - min(owned[i], g.count)
		if count == 0 {
			continue
		}
		fill := of(g.class)
		fill.Count += count
		if g.filled == 0 {
			fill.Empty += count
		}
		fill.add(g, uint64(g.filled), count)
	}
	return containers, sortedFills(sums)
}

// add adds count arrays of the group, each with used elements in use.
func (f *Fill) add(g *arrayGroup, used, count uint64) {
	f.Capacity += count * uint64(g.length)
	f.Used += count * used
	if g.length > 0 {
		f.Unused += count * ((g.size - min(g.size, arrayHeader)) * (uint64(g.length) - used) / uint64(g.length))
	}
}

// arrayHeader is the size of the header of an array in bytes, as most JVMs have it.
const arrayHeader = 16

func sortedFills(sums map[uint64]*Fill) (all []Fill) {
	for _, fill := range sums {
		all = append(all, *fill)
	}
	slices.SortFunc(all, func(a, b Fill) int {
		return cmp.Or(cmp.Compare(b.Unused, a.Unused), cmp.Compare(b.Count, a.Count), cmp.Compare(a.Class, b.Class))
	})
	return all
}

// utf16Text returns a text of UTF-16 units in the given byte order, without a unit that is cut off.
func utf16Text(text []byte, bigEndian bool) string {
	units := make([]uint16, len(text)/2)
	for i := range units {
		if units[i] = binary.LittleEndian.Uint16(text[2*i:]); bigEndian {
			units[i] = binary.BigEndian.Uint16(text[2*i:])
		}
	}
	return string(utf16.Decode(units))
}
