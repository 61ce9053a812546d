// Package extsort sorts any number of records in bounded memory.
//
// It stands beneath the rooms of emit whose formats want another order than that of the stream.
package extsort

import (
	"bufio"
	"bytes"
	"container/heap"
	"encoding/binary"
	"errors"
	"io"
	"iter"
	"os"
	"slices"
)

// Sorter sorts records by their keys. What does not fit into memory is sorted in parts, which go to a temporary file
// and are merged at the end. The zero Sorter is empty.
type Sorter struct {
	// Folder is where the temporary file goes; "" is the system's own place.
	Folder string
	// Name is a part of the file's name, which tells whose it is.
	Name string
	// Memory is how many bytes of records are kept before they go to the file; 0 is 8 MiB.
	Memory int

	records uint64
	arena   []byte  // keys and records
	places  []place // of the records in the arena
	file    *os.File
	unnamed bool // the file has no name any more
	size    int64
	runs    []run // sorted parts in the file
	err     error
}

const (
	usualMemory = 8 << 20
	// mostBuffer is that of the file, for writing, and for reading each run of few; leastBuffer for reading each of
	// many.
	mostBuffer, leastBuffer = 64 << 10, 4 << 10
)

// Key orders the records: by section, then group, then id, then order. Records of one key come in any order.
type Key struct {
	Section          byte
	Group, ID, Order uint64
}

const keySize = 25

func (k Key) append(dst []byte) []byte {
	dst = append(dst, k.Section)
	dst = binary.BigEndian.AppendUint64(dst, k.Group)
	dst = binary.BigEndian.AppendUint64(dst, k.ID)
	return binary.BigEndian.AppendUint64(dst, k.Order)
}

func keyOf(record []byte) Key {
	return Key{record[0], binary.BigEndian.Uint64(record[1:]), binary.BigEndian.Uint64(record[9:]),
		binary.BigEndian.Uint64(record[17:])}
}

type place struct{ begin, end int32 }

type run struct{ begin, end int64 }

func (s *Sorter) memory() int {
	if s.Memory > 0 {
		return s.Memory
	}
	return usualMemory
}

// Add adds a record, of which it keeps a copy. Errors are those of the temporary file.
func (s *Sorter) Add(k Key, record []byte) error {
	s.records++
	begin := len(s.arena)
	s.arena = append(k.append(s.arena), record...)
	s.places = append(s.places, place{int32(begin), int32(len(s.arena))})
	if len(s.arena) < s.memory() {
		return nil
	}
	return s.spill()
}

// Records is how many records were added.
func (s *Sorter) Records() uint64 { return s.records }

// sortArena sorts the records in memory.
func (s *Sorter) sortArena() {
	slices.SortFunc(s.places, func(a, b place) int {
		return bytes.Compare(s.arena[a.begin:a.begin+keySize], s.arena[b.begin:b.begin+keySize])
	})
}

// spill writes the records in memory to the file, as a sorted run.
func (s *Sorter) spill() error {
	if s.file == nil {
		file, err := os.CreateTemp(s.Folder, "trcx-"+s.Name+"-*.tmp")
		if err != nil {
			return err
		}
		s.file = file
		// where an open file can lose its name nothing is left over, whatever happens
		s.unnamed = os.Remove(file.Name()) == nil
	}
	s.sortArena()
	out := bufio.NewWriterSize(s.file, mostBuffer)
	begin := s.size
	for _, p := range s.places {
		record := s.arena[p.begin:p.end]
		var size [binary.MaxVarintLen64]byte
		n := binary.PutUvarint(size[:], uint64(len(record)))
		out.Write(size[:n]) // an error stays in out until Flush
		out.Write(record)
		s.size += int64(n + len(record))
	}
	s.runs = append(s.runs, run{begin, s.size})
	s.arena, s.places = s.arena[:0], s.places[:0]
	return out.Flush()
}

// Sorted gives all records in the order of their keys; nothing is to be added afterwards. A record is good until the
// next one. Ask for Err when they have come.
func (s *Sorter) Sorted() iter.Seq2[Key, []byte] {
	if s.file == nil {
		return s.sortedInMemory()
	}
	return func(yield func(Key, []byte) bool) {
		if s.err = s.spill(); s.err != nil {
			return
		}
		merge := s.merge()
		for len(merge) > 0 {
			least := merge[0]
			if !yield(keyOf(least.record), least.record[keySize:]) {
				return
			}
			if least.next(); least.err == nil {
				heap.Fix(&merge, 0)
				continue
			}
			if !errors.Is(least.err, io.EOF) {
				s.err = least.err
				return
			}
			heap.Pop(&merge)
		}
	}
}

// merge begins to read the runs. Their buffers together take no more than the records did, unless the runs are very
// many.
func (s *Sorter) merge() merge {
	var merge merge
	buffer := min(mostBuffer, max(leastBuffer, s.memory()/len(s.runs)))
	for _, r := range s.runs {
		reader := &runReader{in: bufio.NewReaderSize(io.NewSectionReader(s.file, r.begin, r.end-r.begin), buffer)}
		switch reader.next(); {
		case reader.err == nil:
			merge = append(merge, reader)
		case !errors.Is(reader.err, io.EOF):
			s.err = reader.err
			return nil
		}
	}
	heap.Init(&merge)
	return merge
}

func (s *Sorter) sortedInMemory() iter.Seq2[Key, []byte] {
	s.sortArena()
	return func(yield func(Key, []byte) bool) {
		for _, p := range s.places {
			if !yield(keyOf(s.arena[p.begin:]), s.arena[p.begin+keySize:p.end]) {
				return
			}
		}
	}
}

// Err is the error that has ended Sorted before its time, or nil.
func (s *Sorter) Err() error { return s.err }

// Close removes the file. It may be called at any time, and twice.
func (s *Sorter) Close() error {
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	if !s.unnamed {
		err = errors.Join(err, os.Remove(s.file.Name()))
	}
	s.file = nil
	return err
}

// runReader reads the records of one run.
type runReader struct {
	in     *bufio.Reader
	record []byte
	err    error
}

func (r *runReader) next() {
	size, err := binary.ReadUvarint(r.in)
	if err != nil {
		r.err = err
		return
	}
	r.record = slices.Grow(r.record[:0], int(size))[:size]
	if _, err := io.ReadFull(r.in, r.record); err != nil {
		r.err = io.ErrUnexpectedEOF
	}
}

// merge is a heap of runs, by the records that they are at.
type merge []*runReader

func (m merge) Len() int { return len(m) }
func (m merge) Less(i, j int) bool {
	return bytes.Compare(m[i].record[:keySize], m[j].record[:keySize]) < 0
}
func (m merge) Swap(i, j int) { m[i], m[j] = m[j], m[i] }
func (m *merge) Push(x any)   { *m = append(*m, x.(*runReader)) }
func (m *merge) Pop() any {
	old := *m
	last := old[len(old)-1]
	*m = old[:len(old)-1]
	return last
}
