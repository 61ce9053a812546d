package threads_test

import (
	"fmt"
	"testing"

	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/threads"
	"github.com/trcx/trcx/trace"
)

// described returns the description of the thread of the key.
func described(key int, name string) *trace.ModelThread {
	return &trace.ModelThread{Key: trace.ThreadKey(key), ID: trace.ThreadFrom(fmt.Append(nil, key+10)), Name: name,
		Group: "main", Session: key % 3}
}

func TestNames(t *testing.T) {
	var names threads.Names
	names.Put(described(7, ""))
	if known := names.Get(7); known.Title() != "thread 17" || known.Session != 1 {
		t.Errorf("%+v is called %s", known, known.Title())
	}
	names.Put(described(7, "worker"))
	if known := names.Get(7); known.Title() != "worker" || known.Group != "main" || known.ID.String() != "17" {
		t.Errorf("%+v is called %s", known, known.Title())
	}
	for _, key := range []trace.ThreadKey{0, 3, 8} {
		if known := names.Get(key); known != (threads.Thread{}) {
			t.Errorf("thread %d is %+v", key, known)
		}
	}
}

// TestEndedNames proves that names of threads that have ended are read again from the Store.
func TestEndedNames(t *testing.T) {
	var names threads.Names
	store := &stored{}
	names.Keep(store)
	const count = 150_000
	for key := 1; key <= count; key++ {
		names.Put(described(key, fmt.Sprint("worker ", key)))
		names.End(trace.ThreadKey(key))
	}
	if store.writes == 0 {
		t.Error("nothing is in the store")
	}
	for key := 1; key <= count; key += 17 {
		if known := names.Get(trace.ThreadKey(key)); known.Name != fmt.Sprint("worker ", key) {
			t.Fatalf("thread %d is %+v", key, known)
		}
	}
}

// TestNamesMemory measures the heap that a thread takes.
func TestNamesMemory(t *testing.T) {
	kept := testtool.Retained(t, func(count int) any {
		names := &threads.Names{}
		for key := 1; key <= count; key++ {
			names.Put(described(key, fmt.Sprint("worker-", key)))
		}
		return names
	}, 1<<16)
	if kept > 40 {
		t.Errorf("a thread takes %.0f bytes, more than 40", kept)
	}
}

func ExampleNames() {
	var names threads.Names
	names.Put(&trace.ModelThread{Key: 1, ID: trace.ThreadFrom([]byte("12")), Name: "main", Group: "main"})
	names.Put(&trace.ModelThread{Key: 2, ID: trace.ThreadFrom([]byte("13"))})
	for key := trace.ThreadKey(1); key <= names.Last(); key++ {
		known := names.Get(key)
		fmt.Println(known.Title())
	}
	// Output:
	// main
	// thread 13
}
