package ring

import (
	"errors"
	"fmt"
	"os"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Create returns a new segment whose file another process can inherit; see File and Duplicate.
func Create() (*Segment, error) {
	file, err := unix.MemfdCreate("trcx", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("no memory can be shared with the JVM: %w", err)
	}
	err = unix.Ftruncate(file, SegmentSize)
	if errors.Is(err, unix.EFBIG) {
		err = fmt.Errorf("files may not be as large (ulimit -f), and %d MiB must be reserved", SegmentSize>>20)
	}
	if err != nil {
		unix.Close(file)
		return nil, fmt.Errorf("no memory can be shared with the JVM: %w", err)
	}
	s, err := Open(file)
	if err != nil {
		unix.Close(file)
		return nil, err
	}
	now := Now()
	s.format(now, time.Now().UnixNano()-now)
	return s, nil
}

// Open maps the segment of a descriptor from Create, also in another process. Closing the segment closes the
// descriptor.
func Open(file int) (*Segment, error) {
	var stat unix.Stat_t
	if err := unix.Fstat(file, &stat); err != nil || stat.Size != SegmentSize {
		return nil, fmt.Errorf("descriptor %d is no memory to record into", file)
	}
	memory, err := unix.Mmap(file, 0, SegmentSize, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED|unix.MAP_NORESERVE)
	if err != nil {
		return nil, fmt.Errorf("no memory can be shared with the JVM: %w", err)
	}
	s := At(memory)
	s.file = file
	return s, nil
}

// File returns the descriptor of the segment's memory.
func (s *Segment) File() int { return s.file }

// Base returns the address of the memory.
func (s *Segment) Base() unsafe.Pointer { return unsafe.Pointer(&s.memory[0]) }

// Close unmaps a segment that Create or Open has made.
func (s *Segment) Close() error {
	if s.file < 0 {
		return nil
	}
	err := unix.Munmap(s.memory)
	unix.Close(s.file)
	s.memory, s.file = nil, -1
	return err
}

// Discard frees the memory of the rings once everything is read, and closes the descriptor. Records published later are
// lost.
func (s *Segment) Discard() {
	if s.file >= 0 {
		unix.Madvise(s.memory[controlsAt:], unix.MADV_REMOVE) // an error means that the memory stays
		unix.Close(s.file)
		s.file = -1
	}
}

// Now reads the monotonic clock, in nanoseconds: the clock of all times in the rings.
func Now() int64 {
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &now); err != nil {
		panic(err) // Linux has this clock
	}
	return now.Nano()
}

// Sleep waits until a ring is half full, or until the time is over.
func (s *Segment) Sleep(longest time.Duration) {
	word := s.uint32(atWake)
	before := word.Load()
	s.uint32(atSleeping).Store(1)
	limit := unix.NsecToTimespec(longest.Nanoseconds())
	// An error means that the wait is over.
	unix.Syscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(word)), futexWait, uintptr(before),
		uintptr(unsafe.Pointer(&limit)), 0, 0)
	s.uint32(atSleeping).Store(0)
}

// Wake ends the Sleep of the consumer.
func (s *Segment) Wake() {
	word := s.uint32(atWake)
	word.Add(1)
	unix.Syscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(word)), futexWake, 1, 0, 0, 0)
}

// The operations of futex(2) on words in shared memory.
const (
	futexWait = 0
	futexWake = 1
)

// Duplicate returns the segment's memory as a file that another process can inherit. The caller closes it.
func (s *Segment) Duplicate() (*os.File, error) {
	file, err := unix.FcntlInt(uintptr(s.file), unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return nil, fmt.Errorf("no memory can be shared with the JVM: %w", err)
	}
	return os.NewFile(uintptr(file), "trcx-ring"), nil
}
