package bci

import (
	"errors"
	"fmt"
)

// mover converts the content of an attribute of Code from the old offsets to the new ones.
type mover func(*layout, []byte) ([]byte, error)

// movers are the supported attributes of Code.
var movers = map[string]mover{
	"LineNumberTable":                 moveLines,
	"LocalVariableTable":              moveVariables,
	"LocalVariableTypeTable":          moveVariables,
	stackMapTable:                     moveFrames,
	"RuntimeVisibleTypeAnnotations":   moveTypeAnnotations,
	"RuntimeInvisibleTypeAnnotations": moveTypeAnnotations,
}

const (
	lineSize     = 4  // offset, line
	variableSize = 10 // offset, length, name, type, index
)

// rows copies a table: the number of rows, then rows of a size in bytes.
func rows(body []byte, size int) (table, first []byte, err error) {
	if len(body) < 2 || len(body) != 2+size*get2(body) {
		return nil, nil, errors.New("its length does not match its number of rows")
	}
	table = append([]byte(nil), body...)
	return table, table[2:], nil
}

// moveLines moves the offsets of a LineNumberTable.
func moveLines(l *layout, body []byte) ([]byte, error) {
	table, row, err := rows(body, lineSize)
	for ; err == nil && len(row) > 0; row = row[lineSize:] {
		err = moveRange(l, row, nil)
	}
	return table, err
}

// moveVariables moves the offsets of a LocalVariableTable or LocalVariableTypeTable.
func moveVariables(l *layout, body []byte) ([]byte, error) {
	table, row, err := rows(body, variableSize)
	for ; err == nil && len(row) > 0; row = row[variableSize:] {
		err = moveRange(l, row, row[2:])
	}
	return table, err
}

// moveRange moves an offset and, unless it is nil, a length.
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

// moveTypeAnnotations moves the offsets of type annotations in a method's code.
func moveTypeAnnotations(l *layout, body []byte) ([]byte, error) {
	c := &cursor{data: append([]byte(nil), body...)}
	for n := c.u2(); n > 0 && !c.short; n-- {
		if err := moveTarget(l, c); err != nil {
			return nil, err
		}
		c.take(2 * c.u1()) // type_path
		if err := skipAnnotation(c, 0); err != nil {
			return nil, err
		}
	}
	return c.data, c.done()
}

// moveTarget moves the offsets of an annotation's target_info.
func moveTarget(l *layout, c *cursor) error {
	switch target := c.u1(); {
	case target == 0x40 || target == 0x41: // localvar_target: ranges of offsets, each with the variable's index
		for n := c.u2(); n > 0 && !c.short; n-- {
			row := c.take(6)
			if row == nil {
				break
			}
			if err := moveRange(l, row, row[2:]); err != nil {
				return err
			}
		}
	case target == 0x42: // catch_target: an index of the exception table
		c.take(2)
	case 0x43 <= target && target <= 0x46: // offset_target: instanceof, new, method references
		return moveInstruction(l, c.take(2))
	case 0x47 <= target && target <= 0x4b: // type_argument_target: casts and type arguments, with an index
		if err := moveInstruction(l, c.take(2)); err != nil {
			return err
		}
		c.take(1)
	default:
		return fmt.Errorf("unknown target_type %#02x", target)
	}
	return nil
}

// moveInstruction moves the offset of an instruction itself.
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

// maxAnnotationDepth is the limit of nested annotations.
const maxAnnotationDepth = 100

// skipAnnotation skips an annotation: its type and its element-value pairs.
func skipAnnotation(c *cursor, depth int) error {
	c.take(2)
	for n := c.u2(); n > 0 && !c.short; n-- {
		c.take(2)
		if err := skipValue(c, depth); err != nil {
			return err
		}
	}
	return nil
}

// skipValue skips an annotation's element_value.
func skipValue(c *cursor, depth int) error {
	if depth > maxAnnotationDepth {
		return fmt.Errorf("its annotations are nested %d deep", depth)
	}
	switch tag := c.u1(); tag {
	case 'B', 'C', 'D', 'F', 'I', 'J', 'S', 'Z', 's', 'c':
		c.take(2)
	case 'e':
		c.take(4)
	case '@':
		return skipAnnotation(c, depth+1)
	case '[':
		for n := c.u2(); n > 0 && !c.short; n-- {
			if err := skipValue(c, depth+1); err != nil {
				return err
			}
		}
	default:
		return fmt.Errorf("unknown tag %q of an annotation's value", rune(tag))
	}
	return nil
}
