package bci

import (
	"encoding/binary"
	"errors"
)

// errShort is the error for data that ends too early.
var errShort = errors.New("it ends too early")

// cursor reads big-endian numbers. After the end of the data it returns zeros and sets short, so that loops and the
// final done test it once.
type cursor struct {
	data  []byte
	at    int
	short bool
}

// take returns the next n bytes, or nil if there are fewer.
func (c *cursor) take(n int) []byte {
	if n < 0 || n > len(c.data)-c.at {
		c.at, c.short = len(c.data), true
		return nil
	}
	c.at += n
	return c.data[c.at-n : c.at : c.at]
}

func (c *cursor) u1() int {
	if b := c.take(1); b != nil {
		return int(b[0])
	}
	return 0
}

func (c *cursor) u2() int {
	if b := c.take(2); b != nil {
		return int(binary.BigEndian.Uint16(b))
	}
	return 0
}

func (c *cursor) u4() int {
	if b := c.take(4); b != nil {
		return int(binary.BigEndian.Uint32(b))
	}
	return 0
}

// done returns nil if all data was read and none was missing.
func (c *cursor) done() error {
	switch {
	case c.short:
		return errShort
	case c.at != len(c.data):
		return errors.New("data follows its end")
	}
	return nil
}

func append2(out []byte, value int) []byte { return binary.BigEndian.AppendUint16(out, uint16(value)) }
func append4(out []byte, value int) []byte { return binary.BigEndian.AppendUint32(out, uint32(value)) }
func put2(at []byte, value int)            { binary.BigEndian.PutUint16(at, uint16(value)) }
func get2(at []byte) int                   { return int(binary.BigEndian.Uint16(at)) }
func get4(at []byte) int                   { return int(int32(binary.BigEndian.Uint32(at))) }
