package enrichtest

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Diff returns the first differences of two models, a line each; "" if they are equal. A model written as JSON can be
// read into a Doc for it; what a Doc does not have is not compared. Nor are Causes, Reacquired, HolderParts and Rules,
// which JSON does not have.
func Diff(got, want *Doc) string {
	const enough = 10
	var differences strings.Builder
	gotLines, wantLines := got.lines(), want.lines()
	for i, n := 0, 0; i < max(len(gotLines), len(wantLines)) && n < enough; i++ {
		if g, w := lineAt(gotLines, i), lineAt(wantLines, i); g != w {
			fmt.Fprintf(&differences, "got  %s\nwant %s\n", g, w)
			n++
		}
	}
	return differences.String()
}

// lines writes a model as lines that can be compared one by one.
func (d *Doc) lines() []string {
	lines := []string{"trace: " + encode(d.Trace)}
	for _, thread := range d.Threads {
		head := *thread
		head.Events = nil
		lines = append(lines, "thread: "+encode(head))
		for _, event := range thread.Events {
			lines = append(lines, fmt.Sprintf("event of thread %d: %s", thread.Key, encode(event)))
		}
	}
	for _, object := range d.Objects {
		lines = append(lines, "object: "+encode(object))
	}
	for _, deadlock := range d.Deadlocks {
		lines = append(lines, "deadlock: "+encode(deadlock))
	}
	return lines
}

func lineAt(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "nothing"
}

func encode(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(text)
}
