package ring

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math"
	"math/bits"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/trcx/trcx/internal/testtool"
)

// producers are threads that publish by agent/native/ring.c in their own process, and the state of reading them.
type producers struct {
	t       *testing.T
	segment *Segment
	cmd     *exec.Cmd
	stdin   io.WriteCloser
	stdout  bytes.Buffer
	next    []int64 // by thread: the least number of its next record
	read    []int   // by thread
	most    int     // the largest number of extensions seen in use at a time
}

// startProducers starts testdata/producers.c, compiled with checks of memory.
func startProducers(t *testing.T, threads, records int) *producers {
	t.Helper()
	program := filepath.Join(t.TempDir(), "producers")
	compile := exec.Command(testtool.Need(t, "gcc"), "-D_GNU_SOURCE", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-g",
		"-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-o", program, "testdata/producers.c",
		"../native/ring.c", "-lpthread")
	if out, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	p := &producers{t: t, next: make([]int64, threads), read: make([]int, threads)}
	p.cmd = exec.Command(program, fmt.Sprint(threads), fmt.Sprint(records))
	var err error
	if p.segment, err = Create(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.segment.Close() })
	memory, err := p.segment.Duplicate()
	if err != nil {
		t.Fatal(err)
	}
	defer memory.Close()
	p.cmd.ExtraFiles, p.cmd.Stdout, p.cmd.Stderr = []*os.File{memory}, &p.stdout, os.Stderr
	if p.stdin, err = p.cmd.StdinPipe(); err == nil {
		err = p.cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// extended returns the number of extensions in use.
func (p *producers) extended() int {
	now := bits.OnesCount64(p.segment.uint64(atExtensions).Load())
	p.most = max(p.most, now)
	return now
}

// readAll reads the records that are published by now, and returns their number.
func (p *producers) readAll() (count int) {
	rings, _ := p.segment.Snapshot(Now, 0)
	var record Record
	for _, ring := range rings {
		for _, ok := ring.Peek(); ok; _, ok = ring.Peek() {
			ring.Read(&record)
			p.check(&record)
			count++
		}
		ring.Consume()
		ring.Release()
	}
	p.extended()
	return count
}

// check compares a record with what its thread publishes.
func (p *producers) check(r *Record) {
	n := r.Object
	size := n * 31 % 300
	if n%1000 == 999 {
		size = MaxPayload
	} else if n%7 == 0 {
		size = 0
	}
	if r.Kind != CallNotify || n < p.next[r.Thread] || int64(len(r.Payload)) != size {
		p.t.Fatalf("thread %d: record %d of kind %d with %d bytes, want one from %d on with %d bytes", r.Thread, n,
			r.Kind, len(r.Payload), p.next[r.Thread], size)
	}
	if same := bytes.Count(r.Payload, []byte{byte(n)}); same != len(r.Payload) {
		p.t.Fatalf("thread %d: %d of %d bytes of record %d are right", r.Thread, same, len(r.Payload), n)
	}
	p.next[r.Thread] = n + 1
	p.read[r.Thread]++
}

// finish waits for the process, reads the rest, and compares the numbers of records with the threads' output. It
// returns how many were dropped.
func (p *producers) finish() (dropped int) {
	p.stdin.Close()
	if err := p.cmd.Wait(); err != nil {
		p.t.Fatal(err)
	}
	lost := uint64(0)
	for p.extended(); p.readAll() > 0; {
	}
	for _, ring := range p.segment.rings {
		lost += ring.Dropped()
	}
	lines := 0
	for lists := bufio.NewScanner(&p.stdout); lists.Scan(); lines++ {
		var thread, published, left int
		if _, err := fmt.Sscan(lists.Text(), &thread, &published, &left); err != nil {
			p.t.Fatal(err)
		}
		if p.read[thread] != published {
			p.t.Errorf("thread %d has published %d records, %d were read", thread, published, p.read[thread])
		}
		dropped += left
	}
	if lines != len(p.read) || lost != uint64(dropped) || p.extended() != 0 {
		p.t.Errorf("%d threads have ended, want %d; %d records are lost, want %d; %d extensions are in use", lines,
			len(p.read), lost, dropped, p.extended())
	}
	return dropped
}

// TestExtensions proves that threads which publish bursts of several megabytes that nobody reads lose no record, that a
// thread's records are read in order, and that extensions are free again after each burst.
func TestExtensions(t *testing.T) {
	const threads, burst, bursts = 8, 20_000, 3
	p := startProducers(t, threads, burst*bursts)
	limit := time.Now().Add(time.Minute)
	for n := range bursts {
		for ; p.extended() == 0; time.Sleep(time.Millisecond) {
			if time.Now().After(limit) {
				t.Fatalf("burst %d has no extension", n)
			}
		}
		for count := 0; count < threads*burst; count += p.readAll() {
			if time.Now().After(limit) {
				t.Fatalf("burst %d: %d records were read, want %d", n, count, threads*burst)
			}
		}
		if n < bursts-1 {
			p.stdin.Write([]byte{1})
		}
	}
	if dropped := p.finish(); dropped > 0 || p.most < threads {
		t.Errorf("%d records were dropped; at most %d extensions were in use", dropped, p.most)
	}
}

// TestFullExtensions proves that a thread whose records nobody reads drops them when it has used its share of the
// extensions, that others still get their share, and that published records can be read.
func TestFullExtensions(t *testing.T) {
	const threads, records = 2, 150_000
	p := startProducers(t, threads, records)
	dropped := p.finish()
	most := p.most
	if dropped == 0 || most > threads*Extensions/4 || most < threads*(Extensions/4-1) {
		t.Errorf("%d records were dropped; %d extensions were in use", dropped, most)
	}
}

// TestWaitsAgain proves that a thread which has dropped records waits again for a consumer that has caught up.
func TestWaitsAgain(t *testing.T) {
	const burst, bursts = 20_000, 6
	p := startProducers(t, 1, burst*bursts)
	p.segment.uint64(atExtensions).Store(math.MaxUint64)
	limit := time.Now().Add(time.Minute)
	waited := 0 // bursts
	dropped, wakes := p.segment.uint64(controlsAt+controlSize+atDropped), p.segment.uint32(atWake)
	for n, lost, woken := 0, uint64(0), uint32(0); n < bursts; n++ {
		for ; dropped.Load() == lost; time.Sleep(time.Millisecond) {
			if time.Now().After(limit) {
				t.Fatalf("burst %d: nothing is dropped", n)
			}
		}
		// It wakes the consumer after each wait, and for each CHECK_EVERY cells in half of a ring.
		if wakes.Load()-woken > RingCells/2/256+1 {
			waited++
		}
		for p.read[0]+int(dropped.Load()) < (n+1)*burst {
			p.readAll()
		}
		lost, woken = dropped.Load(), wakes.Load()
		p.stdin.Write([]byte{1})
	}
	p.segment.uint64(atExtensions).Store(0)
	if p.finish(); waited < 2 {
		t.Errorf("it has waited in %d of %d bursts", waited, bursts)
	}
}
