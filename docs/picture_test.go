package docs

import (
	"os"
	"testing"
)

// TestPicture proves that the picture of the pages is what trcx draws; -update draws it.
func TestPicture(t *testing.T) {
	drawn, status := workplace(t, buildTool(t)).execute(t, "trcx report stall.trcxml --svg --width 1000")
	if status != 0 {
		t.Fatalf("exit status %d: %s", status, drawn)
	}
	if *update {
		if err := os.WriteFile("warehouse.svg", []byte(drawn), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if drawn != read(t, "warehouse.svg") {
		t.Error("warehouse.svg is not what trcx draws; go test ./docs -update draws it")
	}
}
