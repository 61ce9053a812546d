package jsonform_test

import (
	"encoding/json"
	"testing"

	"github.com/trcx/trcx/analyze/internal/jsonform"
	"github.com/trcx/trcx/trace"
)

func TestFrameOf(t *testing.T) {
	if jsonform.FrameOf(trace.Frame{}) != nil {
		t.Error("a frame without a method is something")
	}
	for want, f := range map[string]trace.Frame{
		`{"class":"app/Main","method":"-init-","file":"Main.java","line":0}`: {
			Method: &trace.ModelMethod{Class: "app/Main", Name: "-init-", File: "Main.java"}},
		`{"class":"","method":"run"}`: {Method: &trace.ModelMethod{Name: "run"}, Line: trace.NoLine},
	} {
		if got, err := json.Marshal(jsonform.FrameOf(f)); err != nil || string(got) != want {
			t.Errorf("got %s (%v), want %s", got, err, want)
		}
	}
}
