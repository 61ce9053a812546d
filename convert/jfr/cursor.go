package jfr

import (
	"encoding/binary"
	"math"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/trcx/trcx/internal/modified"
)

// cursor decodes values from bytes. If the bytes end too early, it is short and returns zeros.
type cursor struct {
	data  []byte
	at    int
	fixed bool // integers are big-endian with their full width, not LEB128
	short bool
}

// left returns the number of bytes left.
func (c *cursor) left() int { return len(c.data) - c.at }

func (c *cursor) fail() {
	c.short, c.at = true, len(c.data)
}

// take consumes and returns n bytes. If fewer are left, the cursor becomes short.
func (c *cursor) take(n int) []byte {
	if n < 0 || n > c.left() {
		c.fail()
		return nil
	}
	c.at += n
	return c.data[c.at-n : c.at]
}

// float decodes the bits of a float, which is never compressed.
func (c *cursor) float() uint32 {
	if bits := c.take(4); bits != nil {
		return binary.BigEndian.Uint32(bits)
	}
	return 0
}

func (c *cursor) byte() byte {
	if c.at >= len(c.data) {
		c.fail()
		return 0
	}
	c.at++
	return c.data[c.at-1]
}

// compressed decodes an LEB128 integer: seven bits a byte, the lowest first; the highest bit is set in all bytes but
// the last. A ninth byte has eight bits.
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

func (c *cursor) uint64() uint64 { return c.integer(8) }
func (c *cursor) uint32() uint32 { return uint32(c.integer(4)) }
func (c *cursor) uint16() uint16 { return uint16(c.integer(2)) }

// integer decodes an integer, which has the size in bytes if it is not compressed.
func (c *cursor) integer(size int) (value uint64) {
	if !c.fixed {
		return c.compressed()
	}
	if c.left() < size {
		c.fail()
		return 0
	}
	for _, b := range c.data[c.at : c.at+size] {
		value = value<<8 | uint64(b)
	}
	c.at += size
	return value
}

// count decodes a number of items, each of at least the given size. If fewer bytes are left, the cursor becomes short.
func (c *cursor) count(size int) int {
	n := c.uint32()
	if n > math.MaxInt32 || int(n)*size > c.left() {
		c.fail()
		return 0
	}
	return int(n)
}

// The encodings of a string.
const (
	stringNull = iota
	stringEmpty
	stringConstant // a key of the constant pool of strings
	stringUTF8     // modified UTF-8
	stringChars    // UTF-16
	stringLatin1
)

// stringValue is a string, or its key in the constant pool of strings.
type stringValue struct {
	text   string
	key    uint64
	pooled bool
}

// string decodes a string.
func (c *cursor) string() stringValue {
	switch c.byte() {
	case stringNull, stringEmpty:
		return stringValue{}
	case stringConstant:
		return stringValue{key: c.uint64(), pooled: true}
	case stringUTF8:
		return stringValue{text: modified.Decode(c.take(c.count(1)))}
	case stringLatin1:
		return stringValue{text: latin1(c.take(c.count(1)))}
	case stringChars:
		return stringValue{text: c.chars()}
	}
	c.fail()
	return stringValue{}
}

// chars decodes a string of UTF-16.
func (c *cursor) chars() string {
	n := c.count(1)
	chars := make([]uint16, 0, n)
	for range n {
		chars = append(chars, c.uint16())
	}
	return string(utf16.Decode(chars))
}

// skipString skips a string.
func (c *cursor) skipString() {
	switch c.byte() {
	case stringNull, stringEmpty:
	case stringConstant:
		c.uint64()
	case stringUTF8, stringLatin1:
		c.take(c.count(1))
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

// threadID identifies a thread of the input, which may hold recordings of several JVMs.
type threadID struct {
	jvm    uint32 // index of the JVM
	number uint64 // Thread.threadId, or a number with one of the bits below
}

const (
	nativeThread  = 1 << 60 // the number is the operating system's: not a Java thread
	unknownThread = 1 << 61 // the number is an undefined key of the constant pool
	idMask        = 1<<60 - 1
)

// append appends the id as written in a trace.
func (t threadID) append(dst []byte) []byte {
	if t.jvm > 0 {
		dst = append(strconv.AppendUint(append(dst, "jvm"...), uint64(t.jvm)+1, 10), '-')
	}
	switch {
	case t.number&nativeThread != 0:
		dst = append(dst, "native-"...)
	case t.number&unknownThread != 0:
		dst = append(dst, "unknown-"...)
	}
	return strconv.AppendUint(dst, t.number&idMask, 10)
}

// threadConstant is a thread of a chunk's constant pool.
type threadConstant struct {
	id      threadID
	name    string
	group   threadGroup
	virtual bool
	named   bool  // by an event of the chunk
	first   int64 // time of the first of these events
	start   int64 // time of its start event; 0 if it has none
}
