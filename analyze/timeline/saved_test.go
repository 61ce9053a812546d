package timeline_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/trcx/trcx/analyze/timeline"
	"github.com/trcx/trcx/enrich/enrichtest"
	"github.com/trcx/trcx/enrich/sinktest"
	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/trace"
)

// saved saves the index of the document, and returns the name of the file.
func saved(t testing.TB, document []byte, facts map[string][]byte) (*timeline.Index, string) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "saved")
	recorder, err := timeline.NewRecorder(name, false)
	sinktest.Check(t, err)
	recorder.Small(16, 1<<20, 1024)
	t.Cleanup(func() { recorder.Index().Close() })
	sinktest.Read(t, onPath{recorder}, document)
	sinktest.Check(t, recorder.Index().Save(name, facts))
	return recorder.Index(), name
}

// onPath adds a part of the path through the first thread.
type onPath struct{ *timeline.Recorder }

func (p onPath) Put(r trace.Record) error {
	if s, last := r.(*trace.Summary); last {
		return errors.Join(p.OnPath(1, s.Start, s.Last, false), p.Recorder.Put(s))
	}
	return p.Recorder.Put(r)
}

// TestSavedIsTheSame: an opened index equals the one that was saved, also when it is saved again.
func TestSavedIsTheSame(t *testing.T) {
	testtool.Long(t)
	eachDocument(t, func(t *testing.T, document []byte, _ *timeline.Index) {
		kept, name := saved(t, document, map[string][]byte{"a": []byte("one"), "": nil})
		opened, facts, err := timeline.Open(name, 1<<30)
		sinktest.Check(t, err)
		defer opened.Close()
		if len(facts) != 2 || string(facts["a"]) != "one" {
			t.Errorf("the facts are %q", facts)
		}
		if told(t, kept) != told(t, opened) {
			t.Errorf("the index says something else when it was opened")
		}
	})
}

// TestConditions proves that a condition has its lock, also in an opened index.
func TestConditions(t *testing.T) {
	const document = `<TRACE><classDef classId="1" name="java/util/concurrent/locks/ReentrantLock$NonfairSync"/>
		<objDef objId="70" classIdRef="1"/><threadStart threadId="1" time="1" threadName="a" objIdRef="61"/>
		<monWait threadIdRef="1" time="2" objIdRef="71" timeout="0"><annotation name="park" value="wait"/><annotation
		name="lock" value="70"/></monWait><monWaited threadIdRef="1" time="3" objIdRef="71" timeout="0" isTimedOut="0"/>
		<monWait threadIdRef="1" time="4" objIdRef="70" timeout="0"><annotation name="park" value="wait"/></monWait>
		<traceEnd time="5"/></TRACE>`
	kept, name := saved(t, []byte(document), nil)
	opened, _, err := timeline.Open(name, 1<<30)
	sinktest.Check(t, err)
	defer opened.Close()
	const lockClass = "java/util/concurrent/locks/ReentrantLock$NonfairSync"
	want := []timeline.Object{{ID: "71", Lock: "70", LockClass: lockClass}, {ID: "70", Class: lockClass}}
	for _, x := range []*timeline.Index{kept, opened} {
		var got []timeline.Object
		for _, s := range everything(t, x, 0).Lanes[0].Spans {
			if s.State == timeline.Parked {
				got = append(got, s.Object)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("the threads waited for %+v, want %+v", got, want)
		}
	}
}

// told is everything that an index has, as text.
func told(t *testing.T, x *timeline.Index) string {
	t.Helper()
	text := fmt.Sprint(x.Duration(), x.Events, x.Truncated, x.CutOff, x.Inferred, x.Sessions, x.Threads(), x.Deadlocks)
	for _, resolution := range []int64{0, 1 << 20} {
		w := everything(t, x, resolution)
		for i := range w.Lanes {
			text += fmt.Sprint(shownSpans(w.Lanes[i].Spans), w.Lanes[i].Mixes, len(w.Lanes[i].Instants),
				w.Lanes[i].Path)
		}
		text += fmt.Sprint(w.Arrows)
	}
	return text
}

// TestClosedLeavesNoFile unless the index was saved. While it is open, the file's name says what it is for, however
// long that name is.
func TestClosedLeavesNoFile(t *testing.T) {
	folder, name := t.TempDir(), strings.Repeat("long ", 45)+".timeline"
	recorder, err := timeline.NewRecorder(filepath.Join(folder, name), false)
	sinktest.Check(t, err)
	if open, err := filepath.Glob(filepath.Join(folder, "."+name[:100]+".*.tmp")); len(open) != 1 || err != nil {
		t.Errorf("the open one is %v, %v", open, err)
	}
	sinktest.Check(t, recorder.Index().Close())
	if left, err := os.ReadDir(folder); len(left) > 0 || err != nil {
		t.Errorf("there are %v, %v", left, err)
	}
}

// TestWhatIsNoIndex: a path that is no file, an index that claims to be larger than allowed, and an index of another
// version are refused at once.
func TestWhatIsNoIndex(t *testing.T) {
	_, name := saved(t, enrichtest.Simulate(1, 60).XML, nil)
	if _, _, err := timeline.Open(name, 100); !errors.Is(err, timeline.ErrNotSaved) || !timeline.IsSaved(name) {
		t.Errorf("one that is too large: %v, and it is an index: %v", err, timeline.IsSaved(name))
	}
	folder := t.TempDir()
	text, huge := filepath.Join(folder, "text"), filepath.Join(folder, "huge")
	sinktest.Check(t, os.WriteFile(text, []byte("trcx time flies like an arrow, fruit flies like a banana"), 0o600))
	sinktest.Check(t, os.WriteFile(huge, nil, 0o600))
	sinktest.Check(t, os.Truncate(huge, 1<<40))
	for _, other := range []string{text, huge, folder, filepath.Join(folder, "missing"), os.DevNull} {
		if _, _, err := timeline.Open(other, 1<<30); !errors.Is(err, timeline.ErrNotSaved) || timeline.IsSaved(other) {
			t.Errorf("%s: %v, and it is an index: %v", other, err, timeline.IsSaved(other))
		}
	}
}

// TestDamagedBlock: if any byte of a block has changed since it was written, readers get an error with the file, and
// nothing else.
func TestDamagedBlock(t *testing.T) {
	testtool.Long(t)
	kept, name := saved(t, enrichtest.Simulate(1, 200).XML, nil)
	content := sinktest.File(t, name)
	all := timeline.Request{Threads: keys(kept), To: 1 << 50}
	for at := len("trcx timeline 10\n"); at < timeline.BlocksEnd(content); at += 7 {
		changed := append([]byte{}, content...)
		changed[at] ^= 1
		sinktest.Check(t, os.WriteFile(name, changed, 0o600))
		x, _, err := timeline.Open(name, 1<<30)
		sinktest.Check(t, err)
		_, err = x.Window(t.Context(), all)
		sinktest.Check(t, x.Close())
		var damaged *timeline.Damaged
		if !errors.As(err, &damaged) || damaged.Name != name {
			t.Fatalf("with the byte %d another one: %v", at, err)
		}
	}
}

// TestDamagedIsRemoved: also if the file became shorter. Another file that has its name by then is not removed.
func TestDamagedIsRemoved(t *testing.T) {
	kept, name := saved(t, enrichtest.Simulate(1, 200).XML, nil)
	content := sinktest.File(t, name)
	sinktest.Check(t, os.Truncate(name, 20))
	var damaged *timeline.Damaged
	if _, err := kept.Window(t.Context(), timeline.Request{Threads: keys(kept), To: 1 << 50}); !errors.As(err,
		&damaged) || damaged.Name != name {
		t.Fatalf("cut short: %v", err)
	}
	sinktest.Check(t, os.Rename(name, name+".old"))
	sinktest.Check(t, os.WriteFile(name, content, 0o600))
	sinktest.Check(t, damaged.Remove())
	if !timeline.IsSaved(name) {
		t.Errorf("the index that was made anew has been removed")
	}
	sinktest.Check(t, os.Rename(name+".old", name))
	sinktest.Check(t, damaged.Remove())
	sinktest.Check(t, damaged.Remove()) // already removed
	if _, err := os.Stat(name); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the damaged index is still there: %v", err)
	}
}

// FuzzOpen: a file with any content is refused, or can be read without harm.
func FuzzOpen(f *testing.F) {
	for _, document := range [][]byte{[]byte("<TRACE/>"), enrichtest.Simulate(1, 60).XML,
		sinktest.HostileDocument()} {
		_, name := saved(f, document, map[string][]byte{"trace": []byte("x")})
		f.Add(sinktest.File(f, name), 0, byte(0))
		f.Add(sinktest.File(f, name), 20, byte(0xFF))
	}
	f.Fuzz(func(t *testing.T, content []byte, at int, with byte) {
		content = timeline.Sealed(content, at, with)
		askAll(t, content)
		askAll(t, timeline.Resummed(content))
	})
}

// askAll opens an index with the content, and reads everything from it. Any results and errors are allowed.
func askAll(t *testing.T, content []byte) {
	name := filepath.Join(t.TempDir(), "index")
	sinktest.Check(t, os.WriteFile(name, content, 0o600))
	x, _, err := timeline.Open(name, 1<<30)
	if err != nil {
		if !errors.Is(err, timeline.ErrNotSaved) {
			t.Fatal(err)
		}
		return
	}
	defer x.Close()
	_, _ = x.Window(t.Context(), timeline.Request{Threads: keys(x), From: 0, To: 1 << 50, Arrows: 10})
	_, _ = x.Window(t.Context(), timeline.Request{Threads: keys(x), From: 0, To: 1 << 50, Resolution: 1 << 20,
		Arrows: 10})
	_, _ = x.Overview(t.Context(), keys(x), 100)
	for _, key := range keys(x)[:min(len(keys(x)), 10)] {
		for event := range trace.EventID(20) {
			_, _ = x.Detail(key, event)
		}
	}
}

// TestResummed: an invalid block is damaged even if its sum is right.
func TestResummed(t *testing.T) {
	kept, name := saved(t, enrichtest.Simulate(1, 200).XML, nil)
	content := sinktest.File(t, name)
	for at := len("trcx timeline 10\n"); at < timeline.BlocksEnd(content); at++ {
		content[at] = 0xFF // of a number the last byte is below 0x80
	}
	sinktest.Check(t, os.WriteFile(name, timeline.Resummed(content), 0o600))
	x, _, err := timeline.Open(name, 1<<30)
	sinktest.Check(t, err)
	defer x.Close()
	var damaged *timeline.Damaged
	if _, err := x.Window(t.Context(), timeline.Request{Threads: keys(kept), To: 1 << 50}); !errors.As(err, &damaged) {
		t.Errorf("the error is %v", err)
	}
}
