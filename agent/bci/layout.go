package bci

import (
	"errors"
	"fmt"
	"math"
)

// mostCode is how many bytes of instructions a method can have.
const mostCode = 1<<16 - 1

// layout says where the instructions of a method come to stand.
type layout struct {
	// beginnings are, by old offsets, where what belongs to an instruction now begins: that is what is inserted before
	// it, or else itself. It is the method's end at the end, and -1 within instructions.
	beginnings []int32
	// instructions are where the instructions themselves now stand.
	instructions []int32
}

// lay lays a method out.
func lay(text []byte, p *plan) (*layout, error) {
	l := &layout{make([]int32, len(text)+1), make([]int32, len(text)+1)}
	to, insertions := len(p.entry), p.insertions
	for at := 0; at < len(text); {
		size, err := instructionSize(text, at)
		if err != nil {
			return nil, err
		}
		for within := at + 1; within < at+size; within++ {
			l.beginnings[within], l.instructions[within] = -1, -1
		}
		var insert insertion
		if len(insertions) > 0 && insertions[0].at == at {
			insert, insertions = insertions[0], insertions[1:]
		}
		l.beginnings[at], l.instructions[at] = int32(to), int32(to+len(insert.before))
		to += len(insert.before)
		if isSwitch(text[at]) {
			to += padding(to) - padding(at)
		}
		to += size + len(insert.after)
		at += size
	}
	if to > mostCode {
		return nil, fmt.Errorf("its instructions would take %d bytes, and 65535 are the most there can be", to)
	}
	l.beginnings[len(text)], l.instructions[len(text)] = int32(to), int32(to)
	return l, nil
}

func isSwitch(opcode byte) bool { return shapes[opcode] == 't' || shapes[opcode] == 'l' }

// size is how many bytes the instructions now take.
func (l *layout) size() int { return int(l.beginnings[len(l.beginnings)-1]) }

// move is where what was at an old offset is in new ones, which are the beginnings or the instructions.
func move(places []int32, at int) (int, error) {
	if at < 0 || at >= len(places) || places[at] < 0 {
		return 0, fmt.Errorf("it speaks of offset %d, where no instruction begins", at)
	}
	return int(places[at]), nil
}

// jump is where a jump to an old offset goes now.
func (l *layout) jump(at int) (int, error) {
	if at == len(l.beginnings)-1 {
		return 0, errors.New("it jumps to its end, where no instruction is")
	}
	return move(l.beginnings, at)
}

// debugged is where an old offset is that a debugger is told. What is inserted at the entry counts as the first
// instruction there, so that it has a line; and an offset within an instruction as its beginning.
func (l *layout) debugged(at int) (int, error) {
	if at >= len(l.beginnings) {
		return 0, fmt.Errorf("it speaks of offset %d, beyond its end", at)
	}
	for l.beginnings[at] < 0 {
		at--
	}
	if at == 0 {
		return 0, nil
	}
	return int(l.beginnings[at]), nil
}

// write writes the instructions where they now stand, with what is inserted.
func (l *layout) write(text []byte, p *plan) ([]byte, error) {
	out := append(make([]byte, 0, l.size()), p.entry...)
	insertions := p.insertions
	for at := 0; at < len(text); {
		size, err := instructionSize(text, at)
		if err != nil {
			return nil, err
		}
		var insert insertion
		if len(insertions) > 0 && insertions[0].at == at {
			insert, insertions = insertions[0], insertions[1:]
		}
		if out, err = l.appendInstruction(append(out, insert.before...), text, at, size); err != nil {
			return nil, err
		}
		out = append(out, insert.after...)
		at += size
	}
	return out, nil
}

// appendInstruction appends an instruction, with jumps to where their targets are now.
func (l *layout) appendInstruction(out, text []byte, at, size int) ([]byte, error) {
	switch shapes[text[at]] {
	case 'b':
		distance, err := l.distance(len(out), at, int(int16(get2(text[at+1:]))))
		if err != nil {
			return nil, err
		}
		if distance < math.MinInt16 || distance > math.MaxInt16 {
			return nil, fmt.Errorf("the jump at offset %d would be over %d bytes, further than it can go", at, distance)
		}
		return append2(append(out, text[at]), distance), nil
	case 'w':
		distance, err := l.distance(len(out), at, get4(text[at+1:]))
		return append4(append(out, text[at]), distance), err
	case 't', 'l':
		return l.appendSwitch(out, text[at:at+size], at)
	}
	return append(out, text[at:at+size]...), nil
}

// distance is how far an instruction that now stands at a new offset jumps, and did jump from an old one.
func (l *layout) distance(now, old, distance int) (int, error) {
	to, err := l.jump(old + distance)
	return to - now, err
}

// appendSwitch appends a switch.
func (l *layout) appendSwitch(out, instruction []byte, at int) ([]byte, error) {
	now := len(out)
	out = append(out, instruction[0])
	out = append(out, make([]byte, padding(now))...)
	rest := instruction[1+padding(at):]
	// What comes first is the default's distance, and then numbers: both limits of a tableswitch, or how many cases a
	// lookupswitch has.
	numbers, between := 8, 0
	if instruction[0] != opTableswitch {
		numbers, between = 4, 4
	}
	distance, err := l.distance(now, at, get4(rest))
	if err != nil {
		return nil, err
	}
	out = append(append4(out, distance), rest[4:4+numbers]...)
	for rest = rest[4+numbers:]; len(rest) > 0; rest = rest[between+4:] {
		if distance, err = l.distance(now, at, get4(rest[between:])); err != nil {
			return nil, err
		}
		out = append4(append(out, rest[:between]...), distance)
	}
	return out, nil
}
