package bci

import (
	"errors"
	"fmt"
	"math"
)

// maxCode is the limit of a method's code_length in bytes.
const maxCode = 1<<16 - 1

// layout maps old offsets of a method's instructions to new ones.
type layout struct {
	// beginnings are, by old offset, the new offsets of the code that belongs to an instruction: the code inserted
	// before it, or else the instruction. At the end it is the code's new length; within instructions it is -1.
	beginnings []int32
	// instructions are the new offsets of the instructions themselves.
	instructions []int32
	// tail is the code after the end; nil for none.
	tail *tail
}

// newLayout computes a method's layout.
func newLayout(text []byte, p *insertedCode) (*layout, error) {
	l := &layout{make([]int32, len(text)+1), make([]int32, len(text)+1), p.tail}
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
		l.beginnings[at], l.instructions[at] = int32(to), int32(to+len(insert.code))
		to += len(insert.code)
		if isSwitch(text[at]) {
			to += padding(to) - padding(at)
		}
		to += size
		at += size
	}
	if size := to + p.tail.size(); size > maxCode {
		return nil, fmt.Errorf("it would have %d bytes of instructions, and the limit is 65535", size)
	}
	l.beginnings[len(text)], l.instructions[len(text)] = int32(to), int32(to)
	return l, nil
}

func isSwitch(opcode byte) bool { return shapes[opcode] == 't' || shapes[opcode] == 'l' }

// size returns the new code_length.
func (l *layout) size() int { return int(l.beginnings[len(l.beginnings)-1]) }

// move returns the new offset for an old one, by beginnings or instructions.
func move(places []int32, at int) (int, error) {
	if at < 0 || at >= len(places) || places[at] < 0 {
		return 0, fmt.Errorf("it refers to offset %d, which is not an instruction's", at)
	}
	return int(places[at]), nil
}

// branch returns the new target of a branch to an old offset.
func (l *layout) branch(at int) (int, error) {
	if at == len(l.beginnings)-1 {
		return 0, errors.New("it branches to its end, where no instruction is")
	}
	return move(l.beginnings, at)
}

// debugged returns the new offset for debuggers. Code inserted at the entry belongs to the first instruction, so that
// it has a line. An offset within an instruction becomes the instruction's.
func (l *layout) debugged(at int) (int, error) {
	if at >= len(l.beginnings) {
		return 0, fmt.Errorf("it refers to offset %d, beyond its end", at)
	}
	for l.beginnings[at] < 0 {
		at--
	}
	if at == 0 {
		return 0, nil
	}
	return int(l.beginnings[at]), nil
}

// write returns the instructions at their new offsets, with the insertions.
func (l *layout) write(text []byte, p *insertedCode) ([]byte, error) {
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
		if out, err = l.appendInstruction(append(out, insert.code...), text, at, size); err != nil {
			return nil, err
		}
		at += size
	}
	return out, nil
}

// appendInstruction appends an instruction; a branch gets its new distance.
func (l *layout) appendInstruction(out, text []byte, at, size int) ([]byte, error) {
	switch shapes[text[at]] {
	case 'b':
		distance, err := l.distance(len(out), at, int(int16(get2(text[at+1:]))))
		if err != nil {
			return nil, err
		}
		if distance < math.MinInt16 || distance > math.MaxInt16 {
			return nil, fmt.Errorf("the branch at offset %d would be %d bytes long, beyond 16 bits", at, distance)
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

// distance returns the new distance of a branch, from its new and old offsets and its old distance.
func (l *layout) distance(now, old, distance int) (int, error) {
	to, err := l.branch(old + distance)
	return to - now, err
}

// appendSwitch appends a switch with new distances.
func (l *layout) appendSwitch(out, instruction []byte, at int) ([]byte, error) {
	now := len(out)
	out = append(out, instruction[0])
	out = append(out, make([]byte, padding(now))...)
	rest := instruction[1+padding(at):]
	// The default's distance is first, then numbers: low and high of a tableswitch, or npairs of a
	// lookupswitch.
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
