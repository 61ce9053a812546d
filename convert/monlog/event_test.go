package monlog

import "testing"

// TestKinds: each kind of events is found by its name only.
func TestKinds(t *testing.T) {
	for i := range eventKinds {
		if kind := &eventKinds[i]; kindOf([]byte(kind.name)) != kind {
			t.Errorf("%s is not found", kind.name)
		}
	}
	for _, name := range []string{"", "ObjectWai", "ObjectWaits", "ThreadYield", "threadended"} {
		if kindOf([]byte(name)) != nil {
			t.Errorf("%q is found", name)
		}
	}
}
