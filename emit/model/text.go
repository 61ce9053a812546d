package model

import (
	"strconv"

	"github.com/trcx/trcx/internal/digits"
	"github.com/trcx/trcx/internal/jsontext"
)

func appendInteger(dst []byte, value int64) []byte {
	if value < 0 {
		return digits.Append(append(dst, '-'), -uint64(value))
	}
	return digits.Append(dst, uint64(value))
}

// object writes the fields of a JSON object into a buffer.
type object struct{ buf []byte }

// name begins a field; its value is to follow.
func (o *object) name(name string) {
	if last := o.buf[len(o.buf)-1]; last != '{' && last != '[' {
		o.buf = append(o.buf, ',')
	}
	o.buf = append(append(append(o.buf, '"'), name...), `":`...)
}

func (o *object) string(name, value string) {
	o.name(name)
	o.buf = jsontext.Append(o.buf, value)
}

// known writes a string that is not "".
func (o *object) known(name, value string) {
	if value != "" {
		o.string(name, value)
	}
}

func (o *object) number(name string, value int64) {
	o.name(name)
	o.buf = appendInteger(o.buf, value)
}

func (o *object) bool(name string, value bool) {
	o.name(name)
	o.buf = strconv.AppendBool(o.buf, value)
}
