package critical

import (
	"testing"

	"github.com/trcx/trcx/trace"
)

// TestSheetsWithoutAFile has no folder for a file: everything stays in memory, and the error is reported.
func TestSheetsWithoutAFile(t *testing.T) {
	r := NewRecorderIn(t.TempDir() + "/missing")
	r.Put(&trace.ModelThread{Key: 1})
	var err error
	for i := range trace.SegmentID(2 * maxRecords / 64) {
		if err = r.Put(&trace.ModelEvent{ID: trace.EventID(i + 1), Segment: i + 1, Type: trace.Running,
			Thread: trace.ThreadRef{Key: 1}, Time: trace.Time(i)}); err != nil {
			break
		}
	}
	if err == nil || r.Failed() == nil {
		t.Error("that no file can be made is not told")
	}
}
