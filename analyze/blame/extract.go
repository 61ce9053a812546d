package blame

import (
	"cmp"

	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/analyze/wording"
	"github.com/trcx/trcx/internal/jsontext"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// The JSON of an extract, for the page. Lengths and times are in nanoseconds, times since the trace's start. States
// have their names for people; unknown values are absent.
type (
	jsonExtract struct {
		Headline jsontext.String `json:"headline"`
		// Idle is a sentence on the idle waits, which are not in the sums.
		Idle jsontext.String `json:"idle,omitempty"`
		// StillWaiting is a sentence on the open waits, OpenBlocked the sum of the program's open waits for locks.
		StillWaiting jsontext.String `json:"stillWaiting,omitempty"`
		OpenBlocked  int64           `json:"openBlocked"`
		Total        int64           `json:"total"`
		Count        int             `json:"count"`
		Threads      []jsonRow       `json:"threads"`
		Pools        []jsonRow       `json:"pools"`
		Monitors     []jsonGroup     `json:"monitors"`
		Places       []jsonGroup     `json:"places"`
		Waiters      []jsonGroup     `json:"waiters"`
		Open         []jsonLongest   `json:"open"`
		Samples      []jsonSample    `json:"samples"`
		// Worst are the worst second and minute. WorstThread is the key of the thread that waited longest, absent
		// without waits.
		Worst       []jsonWindow    `json:"worst"`
		WorstThread trace.ThreadKey `json:"worstThread,omitempty"`
	}
	// jsonWindow is a part of the trace, with the waits that ended in it.
	jsonWindow struct {
		Name  string `json:"name"`
		From  int64  `json:"from"`
		To    int64  `json:"to"`
		Total int64  `json:"total"`
		Count int    `json:"count"`
	}
	// jsonGroup is a sum of waits, with the longest one and the largest culprits.
	jsonGroup struct {
		Total   int64           `json:"total"`
		Count   int             `json:"count"`
		Longest jsonLongest     `json:"longest"`
		Mostly  jsontext.String `json:"mostly,omitempty"`
	}
	// jsonLongest is a wait.
	jsonLongest struct {
		ID      jsontext.String `json:"threadId"`
		Key     trace.ThreadKey `json:"threadKey"`
		Name    jsontext.String `json:"threadName,omitempty"`
		From    int64           `json:"from"`
		To      int64           `json:"to"`
		State   jsontext.String `json:"state"`
		For     jsontext.String `json:"for"`
		Object  jsontext.String `json:"objectId,omitempty"`
		Class   jsontext.String `json:"class,omitempty"`
		Session int             `json:"session,omitempty"`
		Place   jsontext.String `json:"place,omitempty"`
	}
	jsonSample struct {
		Frames []jsontext.String `json:"frames"`
		Total  int64             `json:"total"`
	}
)

// Extract returns the value of the page's JSON: the first rows and groups of each grouping, open waits and samples, up
// to the limit of each. The last sample sums up those beyond it.
func (b *Blame) Extract(limit int) any {
	x := jsonExtract{
		Headline: jsontext.String(b.extent()), Idle: jsontext.String(b.Idle()),
		StillWaiting: jsontext.String(b.openText()),
		OpenBlocked:  b.OpenBlocked(),
		Total:        b.Total, Count: b.Count,
		Threads: b.firstRows(b.threads(), limit), Pools: b.firstRows(b.sumsBy(byOwn, b.recorder), limit),
		Monitors: b.firstGroups(ByMonitor, limit), Places: b.firstGroups(ByPlace, limit),
		Waiters: b.firstGroups(ByWaiter, limit), Open: []jsonLongest{}, Samples: b.firstSamples(limit),
		Worst: []jsonWindow{},
	}
	for _, w := range b.WorstWindows() {
		x.Worst = append(x.Worst, jsonWindow{w.Name, int64(w.Since), int64(w.Until), w.Total, w.Count})
	}
	if worst, ok := b.WorstThread(); ok {
		x.WorstThread = worst.Key
	}
	for i := range b.open[:min(len(b.open), limit)] {
		w := b.openWait(i)
		x.Open = append(x.Open, b.longest(&w))
	}
	return &x
}

func (b *Blame) firstRows(of *ranking, limit int) []jsonRow {
	rows, list := b.rows(of, limit), []jsonRow{}
	for i := range rows {
		rows[i].Places = nil // the page does not show them
		row := rows[i].json()
		if row.State != "" || rows[i].Kind == Paused {
			row.State = rows[i].did()
		}
		if of.key(i).own {
			row.State += ", ended by no known thread"
		}
		list = append(list, row)
	}
	return list
}

func (b *Blame) firstGroups(by By, limit int) []jsonGroup {
	list := []jsonGroup{}
	b.eachGroup(by, limit, detailed, func(g groupRow) {
		list = append(list, jsonGroup{g.total, g.count, b.longest(&g.longest), jsontext.String(g.mostly)})
	})
	return list
}

func (b *Blame) longest(w *Wait) jsonLongest {
	return jsonLongest{
		ID: jsontext.String(w.Thread.ID.String()), Key: w.Thread.Key, Name: jsontext.String(w.Thread.Name),
		From: int64(w.From - b.Start()), To: int64(w.To - b.Start()), State: jsontext.String(w.State.String()),
		For: jsontext.String(w.waiting()), Object: objectID(&w.Object),
		Class:   jsontext.String(javaname.DeclaredClass(w.Object.Class)),
		Session: w.Object.Session, Place: jsontext.String(wording.Frame(w.Caller)),
	}
}

func objectID(o *critical.Object) jsontext.String {
	if !o.ID.Known() {
		return ""
	}
	return jsontext.String(o.ID.String())
}

func (b *Blame) firstSamples(limit int) []jsonSample {
	list, rest := []jsonSample{}, int64(0)
	for i, s := range b.Samples() {
		if i >= limit {
			rest = histogram.Sum(rest, s.Total)
			continue
		}
		sample := jsonSample{Total: s.Total}
		for _, frame := range s.Frames() {
			sample.Frames = append(sample.Frames, jsontext.String(cmp.Or(frame, "(unknown)")))
		}
		list = append(list, sample)
	}
	if rest > 0 {
		list = append(list, jsonSample{[]jsontext.String{"(smaller sums)"}, rest})
	}
	return list
}
