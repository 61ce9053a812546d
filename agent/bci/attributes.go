package bci

import (
	"errors"
	"fmt"
)

// movers move the attributes of Code that are known: each takes the content for the old places of instructions, and
// returns it for the new ones.
var movers = map[string]func(*layout, []byte) ([]byte, error){
	"LineNumberTable":                 moveLines,
	"LocalVariableTable":              moveVariables,
	"LocalVariableTypeTable":          moveVariables,
	"StackMapTable":                   moveFrames,
	"RuntimeVisibleTypeAnnotations":   moveTypeAnnotations,
	"RuntimeInvisibleTypeAnnotations": moveTypeAnnotations,
}

const (
	lineSize     = 4  // offset, line
	variableSize = 10 // offset, length, name, type, index
)

// rows copies a table with rows of a size, behind their number.
func rows(body []byte, size int) (table, first []byte, err error) {
	if len(body) < 2 || len(body) != 2+size*get2(body) {
		return nil, nil, errors.New("it is not as long as its number of rows says")
	}
	table = append([]byte(nil), body...)
	return table, table[2:], nil
}

// moveLines moves a LineNumberTable.
func moveLines(l *layout, body []byte) ([]byte, error) {
	table, row, err := rows(body, lineSize)
	for ; err == nil && len(row) > 0; row = row[lineSize:] {
		err = moveRange(l, row, nil)
	}
	return table, err
}

// moveVariables moves a LocalVariableTable or LocalVariableTypeTable.
func moveVariables(l *layout, body []byte) ([]byte, error) {
	table, row, err := rows(body, variableSize)
	for ; err == nil && len(row) > 0; row = row[variableSize:] {
		err = moveRange(l, row, row[2:])
	}
	return table, err
}

// moveRange moves an offset, and with it a length if there is one.
func moveRange(l *layout, offset, length []byte) error {
	at := get2(offset)
	from, err := l.debugged(at)
	if err != nil {
		return err
	}
	put2(offset, from)
	if length == nil {
		return nil
	}
	to, err := l.debugged(at + get2(length))
	if err != nil {
		return err
	}
	put2(length, to-from)
	return nil
}

// moveTypeAnnotations moves annotations of types that methods use.
func moveTypeAnnotations(l *layout, body []byte) ([]byte, error) {
	c := &cursor{data: append([]byte(nil), body...)}
	for n := c.u2(); n > 0 && !c.short; n-- {
		if err := moveTarget(l, c); err != nil {
			return nil, err
		}
		c.take(2 * c.u1()) // the path to the type within the type
		if err := passAnnotation(c, 0); err != nil {
			return nil, err
		}
	}
	return c.data, c.done()
}

// moveTarget moves what an annotation is about.
func moveTarget(l *layout, c *cursor) error {
	switch target := c.u1(); {
	case target == 0x40 || target == 0x41: // local variables: ranges of offsets, each with the variable's index
		for n := c.u2(); n > 0 && !c.short; n-- {
			row := c.take(6)
			if row == nil {
				break
			}
			if err := moveRange(l, row, row[2:]); err != nil {
				return err
			}
		}
	case target == 0x42: // an exception handler, by its number
		c.take(2)
	case 0x43 <= target && target <= 0x46: // instanceof, new, method references
		return moveInstruction(l, c.take(2))
	case 0x47 <= target && target <= 0x4b: // casts and type arguments, by number
		if err := moveInstruction(l, c.take(2)); err != nil {
			return err
		}
		c.take(1)
	default:
		return fmt.Errorf("the target %#02x is not known", target)
	}
	return nil
}

// moveInstruction moves an offset that speaks of an instruction itself.
func moveInstruction(l *layout, offset []byte) error {
	if offset == nil {
		return errShort
	}
	at, err := move(l.instructions, get2(offset))
	if err == nil {
		put2(offset, at)
	}
	return err
}

// deepestAnnotation is how deep annotations within annotations are followed.
const deepestAnnotation = 100

// passAnnotation passes an annotation: its type, and values with names.
func passAnnotation(c *cursor, depth int) error {
	c.take(2)
	for n := c.u2(); n > 0 && !c.short; n-- {
		c.take(2)
		if err := passValue(c, depth); err != nil {
			return err
		}
	}
	return nil
}

// passValue passes a value of an annotation.
func passValue(c *cursor, depth int) error {
	if depth > deepestAnnotation {
		return fmt.Errorf("it has annotations within annotations, %d deep", depth)
	}
	switch tag := c.u1(); tag {
	case 'B', 'C', 'D', 'F', 'I', 'J', 'S', 'Z', 's', 'c':
		c.take(2)
	case 'e':
		c.take(4)
	case '@':
		return passAnnotation(c, depth+1)
	case '[':
		for n := c.u2(); n > 0 && !c.short; n-- {
			if err := passValue(c, depth+1); err != nil {
				return err
			}
		}
	default:
		return fmt.Errorf("an annotation's value of the kind %q is not known", rune(tag))
	}
	return nil
}
