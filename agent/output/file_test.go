package output

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/trace"
)

const (
	head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<TRACE>\n"
	tail = "<traceEnd time=\"9.5\"/>\n</TRACE>\n"
)

// forms are the endings of file names, each with a decompressor that reads as far as the file is sound.
var forms = []struct {
	ending string
	undo   func(t *testing.T, stored []byte) (text []byte, err error)
}{
	{"", func(_ *testing.T, stored []byte) ([]byte, error) { return stored, nil }},
	{".gz", func(_ *testing.T, stored []byte) ([]byte, error) {
		r, err := gzip.NewReader(bytes.NewReader(stored))
		if err != nil {
			return nil, err
		}
		return io.ReadAll(r)
	}},
	{".zst", func(t *testing.T, stored []byte) ([]byte, error) {
		r, err := zstd.NewReader(bytes.NewReader(stored), zstd.WithDecoderConcurrency(1))
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		return io.ReadAll(r)
	}},
}

// lines returns a batch of numbered elements.
func lines(from, to int) []byte {
	var text []byte
	for i := from; i < to; i++ {
		text = fmt.Appendf(text, "<gcStart time=\"%d.%09d\"/>\n", i, i*7919%1_000_000_000)
	}
	return text
}

// full is a disk of limited capacity.
type full struct {
	content  []byte
	capacity int
	most     int // the largest content so far, in bytes
	fails    error
}

func (d *full) ReadAt(p []byte, at int64) (int, error) {
	n := copy(p, d.content[min(at, int64(len(d.content))):])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func (d *full) WriteAt(p []byte, at int64) (n int, err error) {
	fits := p[:max(0, min(len(p), d.capacity-int(at)))]
	if missing := int(at) + len(fits) - len(d.content); missing > 0 {
		d.content = append(d.content, make([]byte, missing)...)
	}
	d.most = max(d.most, len(d.content))
	n = copy(d.content[at:], fits)
	if n < len(p) {
		return n, d.fails
	}
	return n, nil
}

func (d *full) Truncate(size int64) error {
	d.content = d.content[:size]
	d.capacity = min(d.capacity, max(d.most, int(size))) // freed blocks are used by other files at once
	return nil
}

func (d *full) Close() error { return nil }

// whole fails the test unless the text is a prefix of the written lines, cut at a line's end, followed by the ending.
func whole(t *testing.T, text, written []byte, atLeast int) {
	t.Helper()
	body, ended := bytes.CutSuffix(text, []byte(tail))
	if !ended || !bytes.HasPrefix(written, body) || body[len(body)-1] != '\n' {
		t.Fatalf("the file is not whole: …%q", text[max(0, len(text)-200):])
	}
	if len(body) < atLeast {
		t.Fatalf("only %d bytes are left of those that were written; %d should be", len(body), atLeast)
	}
}

// TestFullDisk proves that a file is a whole document of an allowed size wherever the disk becomes full or --max-size
// is reached. No more written lines are overwritten than the ending needs.
func TestFullDisk(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	for _, form := range forms {
		for _, limited := range []bool{false, true} {
			t.Run(fmt.Sprintf("plain%s limited=%v", form.ending, limited), func(t *testing.T) {
				for range testtool.Times(800) {
					fill(t, 400+random.IntN(5600), limited, form.ending, form.undo, random)
				}
			})
		}
	}
}

// fill writes to a disk of a size until it is full, or to a file of at most that size, and checks the result.
func fill(t *testing.T, size int, limited bool, ending string, undo func(*testing.T, []byte) ([]byte, error),
	random *rand.Rand) {
	d, limit, reason := &full{capacity: size, fails: syscall.ENOSPC}, int64(0), "the disk is full"
	if limited {
		d.capacity, limit, reason = 1<<30, int64(size), sizeReached
	}
	f := newFile(d, "app.trcxml", codecFor("app.trcxml"+ending), limit)
	written, taken := []byte(head), 0
	err := f.Write(written)
	for number := 0; err == nil; {
		taken = len(written)
		next := number + 1 + random.IntN(12)
		batch := lines(number, next)
		written, number = append(written, batch...), next
		err = f.Write(batch)
	}
	var stopped *Stopped
	if !errors.As(err, &stopped) || stopped.Reason != reason {
		t.Fatalf("%d bytes: the error is %v, want: %s", size, err, reason)
	}
	if again := f.Write(lines(0, 1)); again != err {
		t.Fatalf("%d bytes: after the error another write returns %v", size, again)
	}
	if err := f.Close([]byte(tail)); err != nil {
		t.Fatalf("%d bytes: Close: %v", size, err)
	}
	if len(d.content) > size {
		t.Fatalf("%d bytes: the file has %d bytes", size, len(d.content))
	}
	text, err := undo(t, d.content)
	if err != nil {
		t.Fatalf("%d bytes: %v", size, err)
	}
	// A line has less than 50 bytes, a batch less than 12 lines, and an ending less than three batches even where each
	// is a small member.
	whole(t, text, written, taken-len(tail)-3*12*50)
	kept := len(text) - len(tail)
	if got, want := stopped.Written, max(kept-taken, 0); got != want {
		t.Fatalf("%d bytes: the file is said to have %d bytes of the last lines, and has %d", size, got, want)
	}
	if got, want := f.Replaced(), written[min(kept, taken):taken]; !bytes.Equal(got, want) {
		t.Fatalf("%d bytes: the lines %q are said to be replaced, not %q", size, got, want)
	}
}

// TestEndingDoesNotFit proves that Close returns an error, and does not loop, if not even existing blocks can be
// overwritten.
func TestEndingDoesNotFit(t *testing.T) {
	d := &full{capacity: 1000, fails: syscall.EIO}
	f := newFile(d, "app.trcxml", nil, 0)
	if err := f.Write(append([]byte(head), lines(0, 10)...)); err != nil {
		t.Fatal(err)
	}
	d.capacity = 0
	if err := f.Close([]byte(tail)); err == nil ||
		err.Error() != "app.trcxml: the end of the trace could not be written: the disk has failed" {
		t.Errorf("the error is %v", err)
	}
	d = &full{capacity: 30, fails: syscall.ENOSPC}
	f = newFile(d, "app.trcxml", nil, 0)
	if err := f.Write([]byte(head)); err == nil {
		t.Error("more was written than fits")
	}
	if err := f.Close([]byte(tail)); !errors.Is(err, errNoSpace) {
		t.Errorf("the error is %v", err)
	}
}

// TestEndingThatFillsTheDisk proves that the document is whole if the disk becomes full only when the ending is
// written.
func TestEndingThatFillsTheDisk(t *testing.T) {
	for _, form := range forms {
		d := &full{capacity: 1 << 20, fails: syscall.ENOSPC}
		f := newFile(d, "app.trcxml", codecFor(form.ending), 0)
		written := []byte(head)
		for i := range 20 {
			written = append(written, lines(i, i+1)...)
		}
		for part := range bytes.Lines(written) {
			if err := f.Write(part); err != nil {
				t.Fatal(err)
			}
		}
		for space := range len(tail) + 30 {
			copied := *d
			copied.content, copied.capacity = bytes.Clone(d.content), len(d.content)+space
			again := *f
			again.disk, again.ends = &copied, bytesOf(f.ends)
			if err := again.Close([]byte(tail)); err != nil {
				t.Fatalf("%s, space for %d bytes: %v", form.ending, space, err)
			}
			text, err := form.undo(t, copied.content)
			if err != nil {
				t.Fatalf("%s, space for %d bytes: %v", form.ending, space, err)
			}
			whole(t, text, written, len(written)-200)
			if want := written[len(text)-len(tail):]; !bytes.Equal(again.Replaced(), want) {
				t.Fatalf("%s, space for %d bytes: the lines %q are said to be replaced, not %q", form.ending, space,
					again.Replaced(), want)
			}
		}
	}
}

func bytesOf(ends []int64) []int64 { return append([]int64(nil), ends...) }

// TestFile proves that written lines are in the file at once, that the file is readable by its owner alone and replaces
// the previous content, and that the document is whole after Close.
func TestFile(t *testing.T) {
	for _, form := range forms {
		t.Run("plain"+form.ending, func(t *testing.T) {
			name := filepath.Join(t.TempDir(), "app.trcxml"+form.ending)
			if err := os.WriteFile(name, bytes.Repeat([]byte("old"), 10000), 0o600); err != nil {
				t.Fatal(err)
			}
			out := open(t, Description{File: name})
			written := []byte(head)
			if err := out.Write(written); err != nil {
				t.Fatal(err)
			}
			for i := range 30 {
				batch := lines(i*10, i*10+10)
				if err := out.Write(batch); err != nil {
					t.Fatal(err)
				}
				written = append(written, batch...)
				if text, err := form.undo(t, read(t, name)); err != nil || !bytes.Equal(text, written) {
					t.Fatalf("after batch %d the file has %d bytes of %d: %v", i, len(text), len(written), err)
				}
			}
			if err := out.Close([]byte(tail)); err != nil {
				t.Fatal(err)
			}
			text, err := form.undo(t, read(t, name))
			if err != nil {
				t.Fatal(err)
			}
			whole(t, text, written, len(written))
			checkByTool(t, form.ending, name)
		})
	}
}

// checkByTool tests a file with the system's gzip or zstd.
func checkByTool(t *testing.T, ending, name string) {
	tool := map[string]string{".gz": "gzip", ".zst": "zstd"}[ending]
	if tool == "" {
		return
	}
	if said, err := exec.Command(testtool.Need(t, tool), "-t", "-q", name).CombinedOutput(); err != nil {
		t.Errorf("%s -t: %v\n%s", tool, err, said)
	}
}

func open(t *testing.T, d Description) Writer {
	t.Helper()
	out, err := Open(d)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// TestCutAnywhere proves that the project's reader reads all batches before the place at which a file is cut off.
func TestCutAnywhere(t *testing.T) {
	testtool.Long(t)
	folder := t.TempDir()
	for _, ending := range []string{"", ".gz", ".zst"} {
		name := filepath.Join(folder, "app.trcxml"+ending)
		out := open(t, Description{File: name})
		var sizes, events []int // of the file, and number in the trace, after each batch
		for i := range 5 {
			batch := lines(i*3, i*3+3)
			if i == 0 {
				batch = append([]byte(head), batch...)
			}
			if err := out.Write(batch); err != nil {
				t.Fatal(err)
			}
			sizes, events = append(sizes, len(read(t, name))), append(events, i*3+3)
		}
		if err := out.Close([]byte(tail)); err != nil {
			t.Fatal(err)
		}
		stored := read(t, name)
		cut := filepath.Join(folder, "cut"+ending)
		for size := sizes[0]; size <= len(stored); size++ {
			if err := os.WriteFile(cut, stored[:size], 0o600); err != nil {
				t.Fatal(err)
			}
			atLeast := 0
			for i := range sizes {
				if sizes[i] <= size {
					atLeast = events[i]
				}
			}
			if got := count(t, cut); got < atLeast {
				t.Fatalf("%s cut at %d of %d bytes: %d events are read, and there were %d", ending, size, len(stored),
					got, atLeast)
			}
		}
	}
}

// counter is a convert.Sink that counts the elements of garbage collections.
type counter struct{ n int }

func (c *counter) Begin(int) error { return nil }
func (c *counter) Put(e *trace.Event) error {
	if e.Kind == trace.GCStart {
		c.n++
	}
	return nil
}
func (c *counter) End(trace.Ending) error { return nil }
func (c *counter) Finish() error          { return nil }

func count(t *testing.T, name string) int {
	t.Helper()
	inputs, err := convert.OpenInputs([]string{name}, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer inputs.Close()
	c := &counter{}
	err = convert.Run(t.Context(), inputs.Documents, convert.Options{}, c)
	if err != nil && !errors.Is(err, convert.ErrDamaged) {
		t.Fatal(err)
	}
	return c.n
}

// TestPartsOfLines proves that a file is whole if lines are written in pieces.
func TestPartsOfLines(t *testing.T) {
	for _, form := range forms {
		d := &full{capacity: 1 << 20}
		f := newFile(d, "app.trcxml", codecFor(form.ending), 0)
		written := append([]byte(head), lines(0, 3)...)
		for _, part := range [][]byte{written, []byte("<gcStart ti"), []byte("me=\"5")} {
			if err := f.Write(part); err != nil {
				t.Fatal(err)
			}
		}
		if err := f.Close([]byte(tail)); err != nil {
			t.Fatal(err)
		}
		text, err := form.undo(t, d.content)
		if err != nil {
			t.Fatal(err)
		}
		whole(t, text, written, len(written))
	}
}

// TestOpenErrors proves that errors name the destination, the reason and a remedy.
func TestOpenErrors(t *testing.T) {
	folder := t.TempDir()
	existing := filepath.Join(folder, "existing")
	if err := os.WriteFile(existing, []byte("years of work"), 0o600); err != nil {
		t.Fatal(err)
	}
	recording := filepath.Join(folder, "recording")
	held := open(t, Description{File: recording})
	defer held.Close(nil)
	for _, c := range []struct {
		name string
		d    Description
		want string
	}{
		{"nothing", Description{}, "name a file"},
		{"two", Description{File: "a", TCP: "b"}, "several destinations"},
		{"too small", Description{File: existing, MaxSize: 100}, "allow at least 4096"},
		{"folder", Description{File: folder}, folder + " cannot be written: this is a directory; name a file in it"},
		{"no folder", Description{File: filepath.Join(folder, "none", "a")},
			"cannot be written: no such file or directory"},
		{"exists", Description{File: existing, New: true}, "exists"},
		{"exists and is a folder", Description{File: folder, New: true}, "exists"},
		{"no port", Description{TCP: "localhost"},
			"tcp localhost cannot be written: this is not an address; write host:port, such as 127.0.0.1:7411"},
		{"no receiver", Description{Unix: filepath.Join(folder, "none")},
			"no receiver listens there; start trcx listen first"},
		{"elsewhere", Description{TCP: "192.0.2.1:7411"},
			"tcp 192.0.2.1:7411 cannot be written: this is no loopback address, and there is no token; "},
		{"elsewhere, IPv6", Description{TCP: "[2001:db8::1]:7411"},
			"this is no loopback address, and there is no token; "},
	} {
		_, err := Open(c.d)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: the error is %v, want: …%s…", c.name, err, c.want)
		}
		if want := c.d.New; errors.Is(err, os.ErrExist) != want {
			t.Errorf("%s: the error is %v, want os.ErrExist", c.name, err)
		}
	}
	if got := read(t, existing); string(got) != "years of work" {
		t.Errorf("an existing file was changed into %q", got)
	}
	if _, err := Open(Description{File: recording}); runtime.GOOS != "windows" &&
		(err == nil || !strings.Contains(err.Error(), "another recording writes this file")) {
		t.Errorf("a file that is being recorded: %v", err)
	}
}

// TestCodecsReuse proves that a codec's members do not depend on earlier ones, and that it allocates nothing for each.
func TestCodecsReuse(t *testing.T) {
	for ending, open := range codecs {
		used, batch := open(), lines(0, 100)
		used.member(lines(5, 3000))
		if got, want := used.member(batch), open().member(batch); !bytes.Equal(got, want) {
			t.Errorf("%s: a member depends on those before it", ending)
		}
		if allocations := testing.AllocsPerRun(20, func() { used.member(batch) }); allocations > 0 {
			t.Errorf("%s: %v allocations a member", ending, allocations)
		}
	}
}

func BenchmarkMember(b *testing.B) {
	for ending, open := range codecs {
		b.Run(ending[1:], func(b *testing.B) {
			codec, batch := open(), lines(0, 3000)
			b.SetBytes(int64(len(batch)))
			b.ReportAllocs()
			for b.Loop() {
				codec.member(batch)
			}
			b.ReportMetric(float64(len(batch))/float64(len(codec.member(batch))), "ratio")
		})
	}
}

// TestBatchThatIsTooLong proves that as many lines as fit are kept of a batch that is too long, even of the first one.
func TestBatchThatIsTooLong(t *testing.T) {
	for _, form := range forms {
		d := &full{capacity: 1 << 30}
		f := newFile(d, "app.trcxml", codecFor(form.ending), 8000)
		written := append([]byte(head), lines(0, 10_000)...)
		if err := f.Write(written); err == nil || err.Error() != "app.trcxml: "+sizeReached {
			t.Errorf("%s: the error is %v", form.ending, err)
		}
		if err := f.Close([]byte(tail)); err != nil {
			t.Fatal(err)
		}
		text, err := form.undo(t, d.content)
		if err != nil {
			t.Fatal(err)
		}
		whole(t, text, written, 3000)
		if len(d.content) > 8000 {
			t.Errorf("%s: the file has %d bytes", form.ending, len(d.content))
		}
	}
}
