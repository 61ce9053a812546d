package diagnosis

import (
	"cmp"
	"slices"
	"strings"

	"github.com/trcx/trcx/analyze/answer"
	"github.com/trcx/trcx/analyze/wording"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// MaxHead limits the findings of a Head.
const MaxHead = 3

// Head returns the first lines of a command that shows more of what it has diagnosed: the first findings, or that
// nothing was found.
func (d *Diagnosis) Head() []string {
	var lines [][]string
	for i := range d.Findings[:min(len(d.Findings), MaxHead)] {
		lines = append(lines, []string{d.Findings[i].Summary})
	}
	return d.withOpening(lines)
}

// withOpening returns the lines of the findings, with the opening before them. Threads that computed come even before
// that: it helps more to know who they are.
func (d *Diagnosis) withOpening(findings [][]string) []string {
	at := 0
	if len(findings) > 0 && d.Findings[0].busy {
		at = 1
	}
	return slices.Concat(slices.Insert(findings, at, d.opening())...)
}

// opening says that nothing was found that kept others waiting. If a thread lost time by itself, only all analyses
// together can say so.
func (d *Diagnosis) opening() []string {
	switch {
	case !d.Healthy():
		return nil
	case d.samples != "":
		return []string{d.samples + d.lacks}
	case len(d.Findings) == 0 && d.reason != "" && d.work == "" && d.dumps == 0:
		return []string{d.reason}
	case len(d.Findings) > 0 && !d.whole:
		return nil
	case len(d.Findings) > 0 && d.Findings[0].Kind == Join && len(d.Findings[0].Threads) > 0:
		return nil // it says who kept the joining thread waiting
	}
	shows, nobody := "the trace shows", "no thread kept others waiting for long"
	switch {
	case d.dumps == 1:
		shows, nobody = "the thread dump shows", "no thread holds what another one wants"
	case d.dumps > 1:
		shows = "the thread dumps show"
	}
	if slices.ContainsFunc(d.Findings, func(f Finding) bool { return f.steady }) {
		nobody += ", unless there should have been work sooner"
	}
	if d.work != "" {
		nobody = d.work
	}
	if len(d.Findings) > 0 { // waits that may or may not end
		return []string{"As far as " + shows + ", " + nobody + "." + d.lacks}
	}
	return []string{"Nothing is wrong, as far as " + shows + ": " + nobody + "." + d.lacks}
}

// Answer returns the answer: for people two lines for each finding, as CSV a row for each, as JSON all that is known.
func (d *Diagnosis) Answer() *answer.Answer {
	return &answer.Answer{
		Report: d.report,
		CSV:    answer.RowsOf(d.table),
		JSON:   func() any { return d.json() },
	}
}

// report has at most 15 lines: two for each finding, and one that says that nothing is wrong.
func (d *Diagnosis) report() *answer.Report {
	var findings [][]string
	for i := range d.Findings {
		f := &d.Findings[i]
		findings = append(findings,
			[]string{f.Summary, "   " + strings.Join(append(slices.Clone(f.Evidence), "See "+f.Command+"."), " ")})
	}
	lines := d.withOpening(findings)
	return &answer.Report{Headline: lines[0], Remarks: lines[1:]}
}

func (d *Diagnosis) table() answer.Table {
	t := answer.Table{Title: "Findings", Columns: slices.Concat(answer.Left("kind", "certainty", "finding"),
		answer.Right("waiting", "time"), answer.Left("threads", "object", "class", "place", "command"))}
	for i := range d.Findings {
		f := &d.Findings[i]
		var total any
		if f.Total != noTotal {
			total = answer.Time(f.Total)
		}
		var names []string
		for _, thread := range f.Threads {
			names = append(names, cmp.Or(thread.Name, thread.ID))
		}
		place := ""
		if len(f.Places) > 0 {
			place = wording.Frame(f.Places[0][0])
		}
		t.Add(string(f.Kind), string(f.Certainty), f.Summary, f.Waiting, total, strings.Join(names, ", "), f.Object.ID,
			f.Object.Class, place, f.Command)
	}
	return t
}

// The JSON of a diagnosis. Times are in nanoseconds.
type (
	jsonFinding struct {
		Kind      Kind          `json:"kind"`
		Certainty Certainty     `json:"certainty"`
		Summary   string        `json:"summary"`
		Threads   []jsonThread  `json:"threads"`
		Waiting   int           `json:"waiting"`
		Total     *int64        `json:"total"`
		Share     float64       `json:"share"`
		Object    *jsonObject   `json:"object,omitempty"`
		Places    [][]jsonFrame `json:"places"`
		Evidence  []string      `json:"evidence"`
		Command   string        `json:"command"`
	}
	jsonThread struct {
		ID   string `json:"threadId"`
		Name string `json:"name"`
		Pool string `json:"pool"`
	}
	jsonObject struct {
		ID    string `json:"objectId"`
		Class string `json:"class"`
		// State has the numbers of the state by their names; ids of threads are in lists.
		State map[string]any `json:"state,omitempty"`
	}
	jsonFrame struct {
		Class  string `json:"class"`
		Method string `json:"method"`
		File   string `json:"file,omitempty"`
		Line   int32  `json:"line,omitempty"`
	}
)

func (d *Diagnosis) json() answer.Object {
	findings := []jsonFinding{}
	for i := range d.Findings {
		findings = append(findings, d.Findings[i].json())
	}
	var recorded any
	if d.Recorded > 0 {
		recorded = d.Recorded
	}
	return answer.Object{{Name: "target", Value: d.Target}, {Name: "healthy", Value: d.Healthy()},
		{Name: "recorded", Value: recorded}, {Name: "findings", Value: findings}}
}

func (f *Finding) json() jsonFinding {
	j := jsonFinding{Kind: f.Kind, Certainty: f.Certainty, Summary: f.Summary, Threads: []jsonThread{},
		Waiting: f.Waiting, Share: f.Share, Places: [][]jsonFrame{}, Evidence: append([]string{}, f.Evidence...),
		Command: f.Command}
	if f.Total != noTotal {
		j.Total = &f.Total
	}
	if f.Object.ID != "" {
		j.Object = &jsonObject{f.Object.ID, f.Object.Class, jsonState(f.Object.State)}
	}
	for _, t := range f.Threads {
		j.Threads = append(j.Threads, jsonThread(t))
	}
	for _, stack := range f.Places {
		frames := []jsonFrame{}
		for _, frame := range stack {
			frames = append(frames, jsonFrame{javaname.Class(frame.Method.Class), frame.Method.Name, frame.Method.File,
				max(frame.Line, 0)})
		}
		j.Places = append(j.Places, frames)
	}
	return j
}

// jsonState returns the numbers of a state by their names; nil for none.
func jsonState(text string) map[string]any {
	if text == "" {
		return nil
	}
	of, state := trace.ObjectState{Text: text}, map[string]any{}
	for word := range strings.SplitSeq(text, " ") {
		name, _, _ := strings.Cut(word, "=")
		if numbers := of.Numbers(name); name == "reader" || name == "worker" {
			state[name] = numbers
		} else {
			state[name] = numbers[0]
		}
	}
	return state
}
