package hprof

import (
	"cmp"
	"math"
	"slices"
)

// maxSurveys is how often it is looked ahead in a log for how objects lie in memory.
const maxSurveys = 64

// farthest is how far it is looked ahead at most, in bytes.
const farthest = 8 * windowSize

// look finds out how objects lie in memory, at the first of a dump.
func (b *binaryReader) look() {
	if b.heap.sizes.known {
		return
	}
	b.survey()
	b.settleClasses()
}

// sight is an object that a survey has seen.
type sight struct {
	address uint64
	class   *class // nil of an array
	count   int64  // elements of an array; or mirror
	kind    byte   // of these; 0 of what is no array
}

// mirror is the count of a java.lang.Class object, of which the class is the one that it stands for.
const mirror = -1

// survey looks at the objects that come: how they lie in memory, and how large instances are. It looks the further, the
// less they tell.
func (b *binaryReader) survey() {
	s := &b.heap.sizes
	b.surveys++
	s.known = true
	s.old = b.isBefore15()
	var seen []sight
	var rooms map[ballot]seenRoom
	for size, decided := windowSize, false; !decided && size <= farthest; size *= 2 {
		more := b.haveWithin(size, farthest)
		seen = b.ahead(seen[:0])
		for _, c := range s.mirrors {
			seen = append(seen, sight{address: c.id, class: c, count: mirror})
		}
		slices.SortFunc(seen, func(x, y sight) int { return cmp.Compare(x.address, y.address) })
		rooms = b.rooms(seen)
		s.layout, s.told, decided = b.bestLayout(rooms, b.alignmentsOf(seen))
		decided = decided || !more
	}
	if s.told {
		b.measure(rooms)
	}
}

// ahead appends the objects in the window, up to what is none.
func (b *binaryReader) ahead(seen []sight) []sight {
	text, left := b.next(), b.heap.left
	for len(text) > 0 {
		if left == 0 {
			if len(text) < headSize || !b.plausible(text) {
				break
			}
			size := int64(u4(text[5:]))
			if text[0] == tagSegment {
				left, size = size, 0
			}
			text = text[min(int64(len(text)), headSize+size):]
			continue
		}
		size := b.fixed(text[0])
		if size == 0 || size > len(text) || text[0] == subClass {
			break
		}
		all, seenHere := int64(size), sight{address: b.id(text[1:]), class: nil}
		switch head := text[:size]; text[0] {
		case subInstance:
			all += int64(u4(head[size-4:]))
			seenHere.class = b.classes.get(b.id(head[5+b.ids:]))
		case subObjectArray:
			seenHere.count, seenHere.kind = int64(u4(head[5+b.ids:])), kindObject
			all += seenHere.count * int64(b.ids)
		case subArray:
			seenHere.count, seenHere.kind = int64(u4(head[5+b.ids:])), head[size-1]
			if seenHere.kind >= kindCount || primitives[seenHere.kind].size == 0 {
				return seen
			}
			all += seenHere.count * int64(primitives[seenHere.kind].size)
		}
		if text[0] == subInstance && seenHere.class != nil || seenHere.kind != 0 {
			seen = append(seen, seenHere)
		}
		if left -= all; left < 0 {
			break
		}
		text = text[min(int64(len(text)), all):]
	}
	return seen
}

// ballot is what objects have in common that are of one size: the class, or what arrays have in them and how many of
// these.
type ballot struct {
	class *class
	count int64
	kind  byte
}

// maxCount is how many elements an array has at most that is looked at.
const maxCount = 64

// seenRoom is the least room that objects have up to the next one: how many have just that, of how many that were seen.
type seenRoom struct {
	least       uint64
	times, seen int
}

// rooms are the rooms that the objects have, which are sorted by their addresses.
func (b *binaryReader) rooms(seen []sight) map[ballot]seenRoom {
	rooms := map[ballot]seenRoom{}
	ofClass := b.classOfClasses()
	for i := range len(seen) - 1 {
		o := &seen[i]
		of := ballot{o.class, o.count, o.kind}
		if o.count == mirror {
			of = ballot{class: ofClass}
			if ofClass == nil || len(o.class.statics) > 0 {
				continue
			}
		}
		room := seen[i+1].address - o.address
		if o.count > maxCount || room == 0 {
			continue
		}
		known := rooms[of]
		if known.seen == 0 || room < known.least {
			known.least, known.times = room, 0
		}
		if room == known.least {
			known.times++
		}
		known.seen++
		rooms[of] = known
	}
	return rooms
}

// enough is by how many votes a layout must exceed any other one.
const enough = 24

// alignmentsOf are those that objects at these addresses can have.
func (b *binaryReader) alignmentsOf(seen []sight) []int {
	if b.ids == 4 {
		return []int{layout32.align}
	}
	var bits uint64
	for i := range seen {
		bits |= seen[i].address
	}
	return alignments(bits)
}

// bestLayout is the layout by which most objects end where the next one begins, with one of the alignments: of those
// that are equal in that the narrowest alignment and the usual layout; whether the objects have told it, and whether
// more of them would not change that.
func (b *binaryReader) bestLayout(rooms map[ballot]seenRoom, alignments []int) (best layout, told, decided bool) {
	candidates := layouts
	if b.ids == 4 {
		candidates = []layout{layout32}
	}
	most, second := math.MinInt, math.MinInt
	for _, l := range candidates {
		for i, t := range b.compare(l, alignments, rooms) {
			l.align = alignments[i]
			score := t.fits - 20*t.tooLong
			if score < most || score == most && l.align >= best.align {
				second = max(second, score)
				continue
			}
			best, most, second = l, score, most
			told = t.fits >= 8 && t.fits*5 >= t.all && t.tooLong*50 <= t.all
		}
	}
	if !told {
		best = candidates[0]
	}
	return best, told, told && most >= second+enough
}

// votes is how many objects of one ballot count at most.
const votes = 16

// tally counts the objects that end where the next one begins, those that end behind, and all.
type tally struct{ fits, tooLong, all int }

// compare counts how objects would end by the layout, for each of the alignments.
func (b *binaryReader) compare(l layout, alignments []int, rooms map[ballot]seenRoom) []tally {
	tallies := make([]tally, len(alignments))
	left := maxLaidOut
	l.align = 1
	for of, room := range rooms {
		var size uint64
		if of.kind != 0 {
			size = l.array(of.count, of.kind)
		} else {
			size = b.ruled(&l, of.class, &left)
		}
		if size == 0 {
			continue
		}
		for i, align := range alignments {
			tallies[i].add(room, uint64(up(int(size), align)))
		}
	}
	return tallies
}

// add counts objects that have the size by a layout.
func (t *tally) add(room seenRoom, size uint64) {
	n := min(room.times, votes)
	switch {
	case room.least == size:
		t.fits += n
	case room.least < size:
		t.tooLong += n
	}
	t.all += n
}

// maxHidden is how many bytes an instance may have beyond what is known of its fields.
const maxHidden = 64

// agreed is how many objects of a class must have the same room for it to be taken for their size.
const agreed = 32

// measure notes how large instances are where what was seen shows that it is not by the rules. Nothing can reach into
// the next object. That there is more room behind is no proof: there may be an object that the dump does not have. It
// is believed only of classes whose fields HotSpot knows better than the dump, and of which most objects say so.
func (b *binaryReader) measure(rooms map[ballot]seenRoom) {
	s := &b.heap.sizes
	align, left := uint64(s.align), maxLaidOut
	for of, room := range rooms {
		if of.kind != 0 {
			continue
		}
		c := of.class
		size := b.ruled(&s.layout, c, &left)
		switch {
		case size == 0 || room.least%align != 0 || room.least < uint64(s.header):
		case room.least < size, room.least <= size+maxHidden && room.times >= agreed && room.times*2 >= room.seen &&
			b.oddityOf(c) != nil:
			c.size = room.least
		}
	}
}
