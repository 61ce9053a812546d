package bci

import (
	"fmt"
	"slices"
)

// code is a parsed Code attribute.
type code struct {
	stack, locals int
	text          []byte // the instructions, the specification's code
	handlers      []byte // exception table: rows of start_pc, end_pc, handler_pc, catch_type
	attributes    []attribute
}

// attribute is an attribute of Code.
type attribute struct {
	name int // its attribute_name_index
	body []byte
}

const handlerSize = 8

// readCode parses the content of a Code attribute.
func readCode(body []byte) (*code, error) {
	c := &cursor{data: body}
	code := &code{stack: c.u2(), locals: c.u2()}
	size := c.u4()
	if size == 0 || size > maxCode {
		return nil, fmt.Errorf("it has %d bytes of instructions, want 1 to 65535", size)
	}
	code.text = c.take(size)
	code.handlers = c.take(handlerSize * c.u2())
	for n := c.u2(); n > 0 && !c.short; n-- {
		code.attributes = append(code.attributes, attribute{c.u2(), c.take(c.u4())})
	}
	if err := c.done(); err != nil {
		return nil, fmt.Errorf("its Code attribute is invalid: %w", err)
	}
	return code, nil
}

// rewrite returns the attribute's content with the inserted code.
func (code *code) rewrite(constants pool, p *insertedCode, movers map[string]mover) ([]byte, error) {
	stack := code.stack + p.words
	if stack > 1<<16-1 {
		return nil, fmt.Errorf("it would need %d words of operand stack, and the limit is 65535", stack)
	}
	l, err := newLayout(code.text, p)
	if err != nil {
		return nil, err
	}
	text, err := l.write(code.text, p)
	if err != nil {
		return nil, err
	}
	handlers, err := moveHandlers(l, code.handlers)
	if err != nil {
		return nil, err
	}
	if text, handlers, err = p.tail.append(l, text, handlers); err != nil {
		return nil, err
	}
	attributes := code.attributes
	if p.tail != nil && p.tail.frames != 0 && !code.has(constants, stackMapTable) {
		attributes = append(attributes[:len(attributes):len(attributes)], attribute{p.tail.frames, []byte{0, 0}})
	}
	out := append4(append2(append2(nil, stack), code.locals), len(text))
	out = append2(append(out, text...), len(handlers)/handlerSize)
	out = append2(append(out, handlers...), len(attributes))
	for _, a := range attributes {
		name := constants.utf8(a.name)
		if p.tail != nil && a.name == p.tail.frames {
			name = stackMapTable // a constant that was added
		}
		move := movers[name]
		if move == nil {
			return nil, fmt.Errorf("it has an unknown attribute %.40q, which may refer to offsets", name)
		}
		body, err := move(l, a.body)
		if err != nil {
			return nil, fmt.Errorf("its %s: %w", name, err)
		}
		out = append(append4(append2(out, a.name), len(body)), body...)
	}
	return out, nil
}

const stackMapTable = "StackMapTable"

// has reports whether there is an attribute of the name.
func (code *code) has(constants pool, name string) bool {
	return slices.ContainsFunc(code.attributes, func(a attribute) bool { return constants.utf8(a.name) == name })
}

// moveHandlers moves the offsets of the exception table. A row that covers an instruction also covers code inserted
// before it.
func moveHandlers(l *layout, handlers []byte) ([]byte, error) {
	out := append([]byte(nil), handlers...)
	for row := out; len(row) > 0; row = row[handlerSize:] {
		from, errFrom := l.branch(get2(row))
		to, errTo := move(l.beginnings, get2(row[2:]))
		handler, errHandler := l.branch(get2(row[4:]))
		for _, err := range [...]error{errFrom, errTo, errHandler} {
			if err != nil {
				return nil, fmt.Errorf("its exception table: %w", err)
			}
		}
		put2(row, from)
		put2(row[2:], to)
		put2(row[4:], handler)
	}
	return out, nil
}
