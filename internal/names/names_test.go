package names_test

import (
	"fmt"
	"testing"

	"github.com/trcx/trcx/internal/names"
	"github.com/trcx/trcx/trace"
)

func thread(key int, id, name string) *trace.ModelThread {
	return &trace.ModelThread{Key: trace.ThreadKey(key), ID: trace.ThreadFrom([]byte(id)), Name: name, Session: key % 2}
}

func ref(key int, id string) trace.ThreadRef {
	return trace.ThreadRef{Key: trace.ThreadKey(key), ID: trace.ThreadFrom([]byte(id))}
}

func TestLastWordCounts(t *testing.T) {
	var book names.Book
	book.Thread(thread(7, "12", ""))
	if known := book.Of(ref(7, "12")); known.Title() != "thread 12" || known.Session != 1 {
		t.Errorf("%+v is called %s", known, known.Title())
	}
	book.Thread(thread(7, "12", "main"))
	if known := book.Of(ref(7, "12")); known.Title() != "main" {
		t.Errorf("%+v is called %s", known, known.Title())
	}
	if book.Forgotten() != 0 {
		t.Errorf("%d names are forgotten", book.Forgotten())
	}
}

// TestWhatIsUsedStays: a name that is asked for now and then is kept, however many others come and go; those that are
// gone are counted.
func TestWhatIsUsedStays(t *testing.T) {
	defer names.KeepAtMost(10_000)()
	var book names.Book
	book.Thread(thread(1, "1", "main"))
	for key := 2; key < 2000; key++ {
		book.Thread(thread(key, "2", fmt.Sprint("worker ", key)))
		if name := book.Of(ref(1, "1")).Name; name != "main" {
			t.Fatalf("after %d threads main is called %q", key, name)
		}
	}
	if book.Forgotten() != 0 {
		t.Errorf("%d names are forgotten", book.Forgotten())
	}
	if gone := book.Of(ref(2, "2")); gone.Title() != "thread 2" || book.Forgotten() != 1 {
		t.Errorf("a thread of long ago is called %q, and %d names are forgotten", gone.Title(), book.Forgotten())
	}
}

func BenchmarkOf(b *testing.B) {
	var book names.Book
	for key := range 1000 {
		book.Thread(thread(key, "2", fmt.Sprint("worker ", key)))
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		book.Of(ref(i%1000, "2"))
	}
}
