package trace_test

import (
	"testing"

	"github.com/trcx/trcx/trace"
)

func TestThreadsOfTheJVM(t *testing.T) {
	for thread, want := range map[trace.ModelThread]bool{
		{Name: "main", Group: "main"}:                           false,
		{Name: "Finalizer", Group: "system"}:                    true,
		{Name: "Common-Cleaner", Group: "InnocuousThreadGroup"}: true,
		{Name: "DestroyJavaVM", Group: "main"}:                  true,
		{Name: "JFR Periodic Tasks", Group: "main"}:             true,
		{Name: "", Group: "VirtualThreads"}:                     false,
		{Name: "SubPoller-0", Group: "VirtualThreads"}:          true,
		{Name: "Read-Poller", Group: "InnocuousThreadGroup"}:    true,
		{Name: "Poller", Group: "main"}:                         false,
	} {
		if thread.OfJVM() != want {
			t.Errorf("%q of group %q is one of the JVM: %v, want %v", thread.Name, thread.Group, thread.OfJVM(), want)
		}
	}
}
