package jfr

import (
	"encoding/binary"
	"math"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/trcx/trcx/trace"
)

// cursor takes values from bytes. Once they end too early it is short, and gives zeros.
type cursor struct {
	data  []byte
	at    int
	fixed bool // integers have their full width, big-endian; usually they are compressed
	short bool
}

// rest is how many bytes are left.
func (c *cursor) rest() int { return len(c.data) - c.at }

func (c *cursor) fail() {
	c.short, c.at = true, len(c.data)
}

// skip passes over n bytes.
func (c *cursor) skip(n int) {
	if n < 0 || n > c.rest() {
		c.fail()
		return
	}
	c.at += n
}

func (c *cursor) byte() byte {
	if c.at >= len(c.data) {
		c.fail()
		return 0
	}
	c.at++
	return c.data[c.at-1]
}

// compressed takes seven bits a byte, the lowest first, as long as the highest bit is set; the ninth byte has eight.
func (c *cursor) compressed() uint64 {
	if c.at < len(c.data) && c.data[c.at] < 0x80 {
		c.at++
		return uint64(c.data[c.at-1])
	}
	value := uint64(0)
	for shift := 0; ; shift += 7 {
		if c.at >= len(c.data) {
			c.fail()
			return 0
		}
		b := c.data[c.at]
		c.at++
		if shift == 56 {
			return value | uint64(b)<<56
		}
		if value |= uint64(b&0x7F) << shift; b < 0x80 {
			return value
		}
	}
}

func (c *cursor) uint64() uint64 {
	if !c.fixed {
		return c.compressed()
	}
	if c.rest() < 8 {
		c.fail()
		return 0
	}
	c.at += 8
	return binary.BigEndian.Uint64(c.data[c.at-8:])
}

func (c *cursor) uint32() uint32 {
	if !c.fixed {
		return uint32(c.compressed())
	}
	if c.rest() < 4 {
		c.fail()
		return 0
	}
	c.at += 4
	return binary.BigEndian.Uint32(c.data[c.at-4:])
}

func (c *cursor) uint16() uint16 {
	if !c.fixed {
		return uint16(c.compressed())
	}
	if c.rest() < 2 {
		c.fail()
		return 0
	}
	c.at += 2
	return binary.BigEndian.Uint16(c.data[c.at-2:])
}

// count takes the number of things that follow, each of which has at least the given number of bytes: more than can be
// there is an error.
func (c *cursor) count(least int) int {
	n := c.uint32()
	if n > math.MaxInt32 || int(n)*least > c.rest() {
		c.fail()
		return 0
	}
	return int(n)
}

// The ways in which a string is written.
const (
	stringNull = iota
	stringEmpty
	stringConstant // its key in the pool of strings
	stringUTF8     // modified, as the JVM has it
	stringChars    // UTF-16
	stringLatin1
)

// text is a string, or where it is to be found.
type text struct {
	value string
	key   uint64 // in the pool of strings
	keyed bool
}

// string takes a string.
func (c *cursor) string() text {
	switch c.byte() {
	case stringNull, stringEmpty:
		return text{}
	case stringConstant:
		return text{key: c.uint64(), keyed: true}
	case stringUTF8:
		n := c.count(1)
		c.at += n
		return text{value: trace.DecodeModified(c.data[c.at-n : c.at])}
	case stringLatin1:
		n := c.count(1)
		c.at += n
		return text{value: latin1(c.data[c.at-n : c.at])}
	case stringChars:
		n := c.count(1)
		chars := make([]uint16, 0, n)
		for range n {
			chars = append(chars, c.uint16())
		}
		return text{value: string(utf16.Decode(chars))}
	}
	c.fail()
	return text{}
}

// skipString passes over a string.
func (c *cursor) skipString() {
	switch c.byte() {
	case stringNull, stringEmpty:
	case stringConstant:
		c.uint64()
	case stringUTF8, stringLatin1:
		c.skip(c.count(1))
	case stringChars:
		for range c.count(1) {
			c.uint16()
		}
	default:
		c.fail()
	}
}

func latin1(bytes []byte) string {
	text := make([]byte, 0, len(bytes))
	for _, b := range bytes {
		text = utf8.AppendRune(text, rune(b))
	}
	return string(text)
}
