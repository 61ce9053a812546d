package trace_test

import (
	"testing"

	"github.com/trcx/trcx/trace"
)

func TestPoolOf(t *testing.T) {
	for name, want := range map[string]string{
		"main": "main", "": "", "worker-7": "worker-*", "worker-17": "worker-*", "pool-1-thread-20": "pool-*-thread-*",
		"http-nio-8080-exec-3": "http-nio-*-exec-*", "42": "*", "Größe-3": "Größe-*",
	} {
		if pool := trace.PoolOf(name); pool != want {
			t.Errorf("the pool of %q is %q, want %q", name, pool, want)
		}
	}
}

func TestThreadsOfTheJVM(t *testing.T) {
	for thread, want := range map[trace.ModelThread]bool{
		{Name: "main", Group: "main"}:                           false,
		{Name: "Finalizer", Group: "system"}:                    true,
		{Name: "Common-Cleaner", Group: "InnocuousThreadGroup"}: true,
		{Name: "DestroyJavaVM", Group: "main"}:                  true,
		{Name: "JFR Periodic Tasks", Group: "main"}:             true,
		{Name: "", Group: "VirtualThreads"}:                     false,
	} {
		if thread.OfJVM() != want {
			t.Errorf("%q of group %q is one of the JVM: %v, want %v", thread.Name, thread.Group, thread.OfJVM(), want)
		}
	}
}
