// Package extsort sorts any number of records in bounded memory.
//
// Outputs use it whose formats have another order than the stream of records.
package extsort

import (
	"bufio"
	"bytes"
	"cmp"
	"container/heap"
	"encoding/binary"
	"errors"
	"io"
	"iter"
	"slices"

	"github.com/trcx/trcx/internal/tempfile"
)

// Sorter sorts records by their keys. Records beyond the memory limit are sorted in runs, spilled to a temporary file,
// and merged at the end. The zero Sorter is empty.
type Sorter struct {
	// Folder is the folder of the temporary file; "" is the system's.
	Folder string
	// Name is a part of the file's name, to recognize its owner.
	Name string
	// Memory limits the bytes of records that are kept before they are spilled; 0 is 4 MiB.
	Memory int

	records uint64
	arena   []byte  // keys and records
	places  []place // of the records in the arena
	file    *tempfile.Scratch
	size    int64
	runs    []run // sorted parts in the file
	err     error
}

const (
	usualMemory = 4 << 20
	// maxBuffer is the size of the buffer for writing the file and for reading each of few runs, minBuffer for each of
	// many runs.
	maxBuffer, minBuffer = 64 << 10, 4 << 10
)

// Key orders the records: by section, then group, then id, then order. Records of equal keys have no order.
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

// place locates a key and its record. It has the beginning of the key, which usually decides the order.
type place struct {
	prefix     uint64
	begin, end int32
}

type run struct{ begin, end int64 }

func (s *Sorter) memory() int {
	if s.Memory > 0 {
		return s.Memory
	}
	return usualMemory
}

// Add adds a copy of the record. It returns errors of the temporary file.
func (s *Sorter) Add(k Key, record []byte) error {
	s.records++
	begin := len(s.arena)
	if n := keySize + len(record); cap(s.arena)-begin < n { // append alone would copy large slices more often
		s.arena = slices.Grow(s.arena, n+min(begin, max(s.memory()-begin, 0)))
		s.places = slices.Grow(s.places, len(s.places))
	}
	s.arena = append(k.append(s.arena), record...)
	s.places = append(s.places, place{uint64(k.Section)<<56 | k.Group>>8, int32(begin), int32(len(s.arena))})
	if len(s.arena) < s.memory() {
		return nil
	}
	return s.spill()
}

// Records returns the number of records added.
func (s *Sorter) Records() uint64 { return s.records }

// sortArena sorts the records in memory.
func (s *Sorter) sortArena() {
	slices.SortFunc(s.places, func(a, b place) int {
		if a.prefix != b.prefix {
			return cmp.Compare(a.prefix, b.prefix)
		}
		return bytes.Compare(s.arena[a.begin:a.begin+keySize], s.arena[b.begin:b.begin+keySize])
	})
}

// spill writes the records in memory to the file, as a sorted run.
func (s *Sorter) spill() error {
	if s.file == nil {
		file, err := tempfile.NewScratch(s.Folder, "trcx-"+s.Name+"-*.tmp")
		if err != nil {
			return err
		}
		s.file = file
	}
	s.sortArena()
	out := bufio.NewWriterSize(s.file, maxBuffer)
	begin := s.size
	var size [binary.MaxVarintLen64]byte
	for _, p := range s.places {
		record := s.arena[p.begin:p.end]
		n := binary.PutUvarint(size[:], uint64(len(record)))
		out.Write(size[:n]) // an error stays in out until Flush
		out.Write(record)
		s.size += int64(n + len(record))
	}
	s.runs = append(s.runs, run{begin, s.size})
	s.arena, s.places = s.arena[:0], s.places[:0]
	return out.Flush()
}

// Sorted iterates over all records in the order of their keys; see Reader.
func (s *Sorter) Sorted() iter.Seq2[Key, []byte] {
	return func(yield func(Key, []byte) bool) {
		r := s.Reader()
		for key, record, ok := r.Next(); ok && yield(key, record); key, record, ok = r.Next() {
		}
	}
}

// Reader reads the records in the order of their keys.
type Reader struct {
	s     *Sorter
	next  int   // in places, if all records are in memory
	merge merge // of the file
	begun bool  // the first record of merge was returned
}

// Reader returns a reader of all records; none may be added afterwards.
func (s *Sorter) Reader() *Reader {
	r := &Reader{s: s}
	if s.file == nil {
		s.sortArena()
	} else if s.err = s.spill(); s.err == nil {
		r.merge = s.merge()
	}
	return r
}

// Next returns the next record, which is valid until the next call, or false after the last one. The Sorter's Err
// returns the error that ended the reading early.
func (r *Reader) Next() (Key, []byte, bool) {
	if r.s.file == nil {
		if r.next == len(r.s.places) {
			return Key{}, nil, false
		}
		p := r.s.places[r.next]
		r.next++
		return keyOf(r.s.arena[p.begin:]), r.s.arena[p.begin+keySize : p.end], true
	}
	if r.begun && len(r.merge) > 0 {
		least := r.merge[0]
		if least.next(); least.err == nil {
			if len(r.merge) > 1 {
				heap.Fix(&r.merge, 0)
			}
		} else if heap.Pop(&r.merge); !errors.Is(least.err, io.EOF) {
			r.s.err, r.merge = least.err, nil
		}
	}
	if r.begun = true; len(r.merge) == 0 {
		return Key{}, nil, false
	}
	record := r.merge[0].record
	return keyOf(record), record[keySize:], true
}

// merge begins to read the runs. All buffers together are no larger than the memory limit, unless there are very many
// runs.
func (s *Sorter) merge() merge {
	var merge merge
	buffer := min(maxBuffer, max(minBuffer, s.memory()/len(s.runs)))
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

// Err returns the error that ended Sorted early, or nil.
func (s *Sorter) Err() error { return s.err }

// Close removes the file. It can be called at any time, and more than once.
func (s *Sorter) Close() error {
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
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

// merge is a heap of runs, by their current records.
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
