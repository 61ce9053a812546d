package model

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

// sorter sorts any number of records by their keys in bounded memory: what does not fit is sorted in parts, which go to a temporary
// file and are merged at the end.
type sorter struct {
	folder  string
	records uint64
	arena   []byte  // keys and records
	places  []place // of the records in the arena
	file    *os.File
	unnamed bool // the file has no name any more
	size    int64
	runs    []run // sorted parts in the file
	err     error
}

// memory is how many bytes of records are kept before they go to the file.
var memory = 8 << 20

// key orders the records: by section, then group, then id, then order.
type key struct {
	section          byte
	group, id, order uint64
}

const keySize = 25

func (k key) append(dst []byte) []byte {
	dst = append(dst, k.section)
	dst = binary.BigEndian.AppendUint64(dst, k.group)
	dst = binary.BigEndian.AppendUint64(dst, k.id)
	return binary.BigEndian.AppendUint64(dst, k.order)
}

func keyOf(record []byte) key {
	return key{record[0], binary.BigEndian.Uint64(record[1:]), binary.BigEndian.Uint64(record[9:]), binary.BigEndian.Uint64(record[17:])}
}

type place struct{ begin, end int32 }

type run struct{ begin, end int64 }

// add adds a record, of which it keeps a copy.
func (s *sorter) add(k key, record []byte) error {
	s.records++
	begin := len(s.arena)
	s.arena = append(k.append(s.arena), record...)
	s.places = append(s.places, place{int32(begin), int32(len(s.arena))})
	if len(s.arena) < memory {
		return nil
	}
	return s.spill()
}

// sortArena sorts the records in memory.
func (s *sorter) sortArena() {
	slices.SortFunc(s.places, func(a, b place) int {
		return bytes.Compare(s.arena[a.begin:a.begin+keySize], s.arena[b.begin:b.begin+keySize])
	})
}

// spill writes the records in memory to the file, as a sorted run.
func (s *sorter) spill() error {
	if s.file == nil {
		file, err := os.CreateTemp(s.folder, "trcx-model-*.tmp")
		if err != nil {
			return err
		}
		s.file = file
		s.unnamed = os.Remove(file.Name()) == nil // where an open file can lose its name nothing is left over, whatever happens
	}
	s.sortArena()
	out := bufio.NewWriterSize(s.file, flushAt)
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

// sorted gives all records in the order of their keys. A record is good until the next one. Check err afterwards.
func (s *sorter) sorted() iter.Seq2[key, []byte] {
	if s.file == nil {
		return s.sortedInMemory()
	}
	return func(yield func(key, []byte) bool) {
		if s.err = s.spill(); s.err != nil {
			return
		}
		var merge merge
		for _, r := range s.runs {
			reader := &runReader{in: bufio.NewReaderSize(io.NewSectionReader(s.file, r.begin, r.end-r.begin), flushAt)}
			if reader.next(); reader.err == nil {
				merge = append(merge, reader)
			}
		}
		heap.Init(&merge)
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

func (s *sorter) sortedInMemory() iter.Seq2[key, []byte] {
	s.sortArena()
	return func(yield func(key, []byte) bool) {
		for _, p := range s.places {
			if !yield(keyOf(s.arena[p.begin:]), s.arena[p.begin+keySize:p.end]) {
				return
			}
		}
	}
}

// close removes the file.
func (s *sorter) close() error {
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
