package ringtest

import (
	"encoding/binary"
	"math"
	"math/bits"
	"runtime"
	"sync/atomic"

	"github.com/trcx/trcx/agent/ring"
)

// The states of a ring.
const (
	free    = 0
	live    = 1
	retired = 2
)

// Producer is a thread's end of its ring. One goroutine uses it at a time.
type Producer struct {
	jvm         *JVM
	own         []byte // the ring's own cells
	cells       []byte // the cells that are written: its own, or an extension's
	next, start uint64 // the positions of the next cell, and of the first one in cells

	head, tail, dropped *atomic.Uint64
	busy, state         *atomic.Uint32
	begin               *atomic.Int64
}

// producer returns the producer of the ring of the number; 0 is the definitions ring.
func (j *JVM) producer(number int) *Producer {
	cells := j.memory[definitionCells:firstExtensionCells]
	if number > 0 {
		begin := firstThreadCells + (number-1)*threadCells
		cells = j.memory[begin : begin+threadCells]
	}
	at := controls + number*control
	p := &Producer{
		jvm: j, own: cells, cells: cells,
		head: j.count(at), busy: j.word(at + 8), state: j.word(at + 12), begin: j.time(at + 16),
		dropped: j.count(at + 24), tail: j.count(at + 64),
	}
	p.next = p.head.Load()
	p.start = p.next
	return p
}

// Put publishes a record, with the current time if it has none, and reports whether it fits.
func (p *Producer) Put(record ring.Record) bool {
	p.Start()
	defer p.Finish()
	if record.Time == 0 {
		record.Time = ring.Now()
	}
	p.begin.Store(record.Time)
	return p.Publish(record)
}

// Start marks the ring busy, before the clock is read.
func (p *Producer) Start() { p.busy.Swap(1) }

// Finish removes the mark.
func (p *Producer) Finish() { p.busy.Store(0) }

// Publish publishes a record of a ring that is marked busy.
func (p *Producer) Publish(record ring.Record) bool {
	cells := uint64(1)
	if record.Payload != nil {
		cells += uint64(4+len(record.Payload)+ring.CellSize-1) / ring.CellSize
	}
	for !p.fits(cells) && !p.extend() {
		if !p.jvm.Patient || p.jvm.Segment.Stopped() {
			p.dropped.Add(1)
			return false
		}
		p.jvm.wake()
		runtime.Gosched()
	}
	p.Write(p.next, record)
	p.next += cells
	p.head.Store(p.next)
	switch waiting := p.next - p.tail.Load(); {
	case waiting >= sizeOf(p.own)/2:
		p.jvm.wake()
	case &p.cells[0] != &p.own[0] && p.tail.Load() >= p.start:
		p.continueIn(0, p.own)
	}
	return true
}

func sizeOf(cells []byte) uint64 { return uint64(len(cells) / ring.CellSize) }

// fits reports whether this number of cells is free, and one more for a Continued.
func (p *Producer) fits(cells uint64) bool {
	return p.next-max(p.start, p.tail.Load())+cells < sizeOf(p.cells)
}

// extend makes the ring continue in a free extension, and reports whether there is one.
func (p *Producer) extend() bool {
	used := p.jvm.count(extensionsAt)
	for before := used.Load(); before != math.MaxUint64; before = used.Load() {
		if p.next-p.tail.Load() > ring.MaxWaiting-ring.ExtensionCells {
			return false
		}
		number := bits.TrailingZeros64(^before)
		if used.CompareAndSwap(before, before|1<<number) {
			begin := firstExtensionCells + number*extensionCells
			p.continueIn(int64(number+1), p.jvm.memory[begin:begin+extensionCells])
			return true
		}
	}
	return false
}

// continueIn makes the ring continue in other cells. The consumer sees this together with the next record.
func (p *Producer) continueIn(number int64, cells []byte) {
	p.Write(p.next, ring.Record{Kind: ring.Continued, Argument: number})
	p.next++
	p.cells, p.start = cells, p.next
}

// Write writes the record into the cells from n on, without publishing it.
func (p *Producer) Write(n uint64, record ring.Record) {
	flags := record.Flags
	if record.Payload != nil {
		flags |= ring.HasPayload
	}
	cell := p.cells[(n-p.start)%sizeOf(p.cells)*ring.CellSize:]
	binary.LittleEndian.PutUint64(cell, uint64(record.Kind)|uint64(flags)<<8|uint64(record.Thread)<<16)
	binary.LittleEndian.PutUint64(cell[8:], uint64(record.Time))
	binary.LittleEndian.PutUint64(cell[16:], uint64(record.Object))
	binary.LittleEndian.PutUint64(cell[24:], uint64(record.Argument))
	if record.Payload == nil {
		return
	}
	bytes := append(binary.LittleEndian.AppendUint32(nil, uint32(len(record.Payload))), record.Payload...)
	for i, b := range bytes {
		p.cells[((n+1-p.start)%sizeOf(p.cells)*ring.CellSize+uint64(i))%uint64(len(p.cells))] = b
	}
}

// Head returns the number of cells that were published.
func (p *Producer) Head() uint64 { return p.head.Load() }

// Lost returns the number of records that were dropped.
func (p *Producer) Lost() uint64 { return p.dropped.Load() }

// Retire ends the thread, so that the consumer can free the ring.
func (p *Producer) Retire() { p.state.Store(retired) }
