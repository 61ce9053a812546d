package jfr

import (
	"slices"
	"testing"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/trace"
)

// TestSettings proves that events excluded by the settings are reported with the option that records them.
func TestSettings(t *testing.T) {
	var got []trace.Lack
	r := reader{options: builder.Options{OnUnsupported: func(l trace.Lack) { got = append(got, l) }}}
	r.settings = map[string]map[string]string{
		"jdk.ThreadPark":       {settingEnabled: "true", settingThreshold: "20 ms"},
		"jdk.ThreadSleep":      {settingEnabled: "true", settingThreshold: "0 ns"},
		"jdk.JavaMonitorEnter": {settingEnabled: "false", settingThreshold: "20 ms"},
		"jdk.ThreadStart":      {settingEnabled: "true"},
	}
	r.reportSettings()
	const option = "-XX:StartFlightRecording:jdk.JavaMonitorEnter#enabled=true,jdk.ThreadPark#threshold=0ms"
	if len(got) != 2 || got[0].What != "events JavaMonitorEnter" || got[1].What != "events ThreadPark below 20 ms" ||
		slices.ContainsFunc(got, func(l trace.Lack) bool { return l.Option != option }) {
		t.Errorf("got %+v", got)
	}
	got, r.settings = nil, map[string]map[string]string{"jdk.ThreadSleep": {settingThreshold: "0 ms"}}
	if r.reportSettings(); got != nil {
		t.Errorf("of complete settings: %+v", got)
	}
}
