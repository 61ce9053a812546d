// Dumpgen writes heap dumps for benchmarks, in the binary form of HPROF, as a JVM writes them: with any number of
// objects, equal for the same seed.
//
//	go run ./bench/dumpgen -objects 12500000 -seed 1 -o heap.hprof
//
// Each object has four references: a tenth of the objects forms one list, which is as deep as it is long; the others
// form a tree, with references to objects nearby and to any others.
package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
)

func main() {
	err := run(os.Args[1:])
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "dumpgen:", err)
		os.Exit(1)
	}
}

func run(args []string) (err error) {
	flags := flag.NewFlagSet("dumpgen", flag.ContinueOnError)
	objects := flags.Uint64("objects", 1_000_000, "the number of objects")
	seed := flags.Uint64("seed", 1, "the dump is the same for the same seed and number")
	file := flags.String("o", "", "the file to write (required)")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *file == "" || flags.NArg() > 0 {
		return errors.New("want -o FILE, and no other arguments")
	}
	if *objects < 100 {
		return fmt.Errorf("-objects %d: want at least 100", *objects)
	}
	out, err := os.Create(*file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	return write(out, *objects, rand.New(rand.NewPCG(*seed, 1)))
}

// The ids of classes and names, where objects begin, and the number of an object's references and bytes.
const (
	classes     = 10
	firstClass  = 0x7_0000_0000
	classClass  = firstClass
	objectClass = firstClass + 0x80
	fieldName   = 1
	firstName   = 2
	firstObject = 0x7_1000_0000
	references  = 4
	objectSize  = 32
)

// writer writes numbers in big-endian order.
type writer struct {
	out    *bufio.Writer // keeps the first error
	buffer []byte
}

func (w *writer) u1(n uint8)  { w.buffer = append(w.buffer, n) }
func (w *writer) u2(n uint16) { w.buffer = binary.BigEndian.AppendUint16(w.buffer, n) }
func (w *writer) u4(n uint32) { w.buffer = binary.BigEndian.AppendUint32(w.buffer, n) }
func (w *writer) u8(n uint64) { w.buffer = binary.BigEndian.AppendUint64(w.buffer, n) }

// record writes a record with the body that fill appends.
func (w *writer) record(tag uint8, fill func()) {
	w.buffer = w.buffer[:0]
	w.u1(tag)
	w.u4(0)
	w.u4(0)
	fill()
	binary.BigEndian.PutUint32(w.buffer[5:], uint32(len(w.buffer)-9))
	w.out.Write(w.buffer)
}

// className returns the name of a class: java.lang.Class, java.lang.Object, or a class of objects.
func className(class int) string {
	switch class {
	case 0:
		return "java/lang/Class"
	case 1:
		return "java/lang/Object"
	}
	return fmt.Sprintf("app/Node%d", class)
}

// classID returns the id of a class.
func classID(class int) uint64 { return firstClass + uint64(class)*0x80 }

// write writes the dump.
func write(out io.Writer, objects uint64, r *rand.Rand) error {
	w := &writer{out: bufio.NewWriterSize(out, 1<<20)}
	w.out.WriteString("JAVA PROFILE 1.0.2\x00")
	w.u4(8)
	w.u8(1_700_000_000_000)
	w.out.Write(w.buffer)
	w.record(0x01, func() {
		w.u8(fieldName)
		w.buffer = append(w.buffer, "next"...)
	})
	for class := range classes {
		w.record(0x01, func() {
			w.u8(firstName + uint64(class))
			w.buffer = append(w.buffer, className(class)...)
		})
		w.record(0x02, func() {
			w.u4(uint32(class) + 1)
			w.u8(classID(class))
			w.u4(0)
			w.u8(firstName + uint64(class))
		})
	}
	w.record(0x1C, w.classes)
	const perSegment = 10_000
	for first := uint64(0); first < objects; first += perSegment {
		w.record(0x1C, func() {
			for i := first; i < min(first+perSegment, objects); i++ {
				w.object(i, objects, r)
			}
		})
	}
	w.record(0x2C, func() {})
	return w.out.Flush()
}

// classes appends the classes, and the root: the first object.
func (w *writer) classes() {
	w.u1(0x01)
	w.u8(firstObject)
	w.u8(1)
	for class := range classes {
		w.u1(0x05) // a sticky class
		w.u8(classID(class))
		w.u1(0x20)
		w.u8(classID(class))
		w.u4(0)
		if class == 1 {
			w.u8(0)
		} else {
			w.u8(objectClass)
		}
		for range 5 {
			w.u8(0)
		}
		w.u4(0)
		w.u2(0)
		w.u2(0)
		if class < 2 {
			w.u2(0)
			continue
		}
		w.u2(references)
		for range references {
			w.u8(fieldName)
			w.u1(2)
		}
	}
}

// object appends an object.
func (w *writer) object(i, objects uint64, r *rand.Rand) {
	list := objects / 10
	var to [references]uint64
	switch {
	case i+1 < list:
		to[0] = i + 1
	case 2*i+2 < objects:
		to[0], to[1] = 2*i+1, 2*i+2
	}
	if i == 0 {
		to[1] = list
	}
	for n := range to {
		if to[n] == 0 {
			if to[n] = i - min(i, uint64(r.IntN(1000))); n == references-1 && r.IntN(10) == 0 {
				to[n] = r.Uint64N(objects)
			}
		}
	}
	w.u1(0x21)
	w.u8(firstObject + i*objectSize)
	w.u4(0)
	w.u8(classID(2 + int(i%(classes-2))))
	w.u4(references * 8)
	for _, n := range to {
		w.u8(firstObject + n*objectSize)
	}
}
