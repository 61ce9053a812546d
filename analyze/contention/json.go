package contention

import (
	"slices"

	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// Figures are a distribution in the JSON answer, in nanoseconds.
type Figures struct {
	Count uint64 `json:"count"`
	Total uint64 `json:"total"`
	Min   int64  `json:"min"`
	Max   int64  `json:"max"`
	Mean  int64  `json:"mean"`
	P50   int64  `json:"p50"`
	P90   int64  `json:"p90"`
	P99   int64  `json:"p99"`
	Open  uint64 `json:"open"`
	// Bins are for plots: the number of the first half of a power of two that has lengths, then the number of lengths
	// in it and in each further half.
	Bins []uint64 `json:"bins,omitempty"`
}

// FiguresOf returns the figures of a distribution, without bins.
func FiguresOf(d *histogram.Distribution) Figures {
	return Figures{d.Count, d.Total, d.Min, d.Max, d.Mean(), d.Percentile(50), d.Percentile(90), d.Percentile(99),
		d.Open, nil}
}

// plottedFigures are figures with bins.
func plottedFigures(d *histogram.Distribution) Figures {
	f := FiguresOf(d)
	if first, bins := d.HalfOctaves(); len(bins) > 0 {
		f.Bins = append([]uint64{first}, bins...)
	}
	return f
}

// The rows of the JSON answer.
type (
	waits struct {
		Blocked Figures `json:"blocked"`
		Waited  Figures `json:"waited"`
		Timed   Figures `json:"timed"`
		Parked  Figures `json:"parked"`
		IO      Figures `json:"io"`
		Init    Figures `json:"init,omitzero"`
	}
	pauses struct {
		waits
		Joined Figures `json:"joined"`
		Slept  Figures `json:"slept"`
	}
	threadJSON struct {
		ID      string          `json:"threadId"`
		Key     trace.ThreadKey `json:"threadKey,omitempty"` // in an extract, which has one trace
		Name    string          `json:"name"`
		Group   string          `json:"group"`
		Session int             `json:"session,omitempty"`
		pauses
	}
	poolJSON struct {
		Pool       string     `json:"pool"`
		OfJVM      bool       `json:"jvm,omitempty"`
		Threads    uint64     `json:"threads"`
		Lifetime   uint64     `json:"lifetime"`
		Processors Processors `json:"processors,omitzero"`
		TimedOut   uint64     `json:"timedOut"`
		Idle       Tally      `json:"idle"`
		Waits      PoolWaits  `json:"waits"`
		pauses
	}
	classJSON struct {
		Class string `json:"class"`
		waits
		Different
	}
	monitorJSON struct {
		ID         string `json:"objectId"`
		Class      string `json:"class"`
		Represents string `json:"represents,omitempty"` // the class that a java.lang.Class object represents
		Session    int    `json:"session,omitempty"`
		waits
		Threads uint64  `json:"threads"`
		Owners  []Owner `json:"owners"`
	}
	callerJSON struct {
		Class  string `json:"class"`
		Method string `json:"method"`
		waits
		Different
	}
	siteJSON struct {
		Place
		Monitor string `json:"monitorClass"`
		pauses
		Different
		Holders []Holder `json:"holders"`
	}
	answerJSON struct {
		Traces   []Trace       `json:"traces"`
		All      pauses        `json:"all"`
		Threads  []threadJSON  `json:"threads"`
		Pools    []poolJSON    `json:"pools"`
		Classes  []classJSON   `json:"classes"`
		Monitors []monitorJSON `json:"monitors"`
		Callers  []callerJSON  `json:"callers"`
		Sites    []siteJSON    `json:"sites"`
		Pairs    []*Pair       `json:"pairs"`
		Starts   Starts        `json:"starts"`
		Blame    *Blame        `json:"blame,omitempty"`
		Workers  *Workers      `json:"workers,omitempty"`
		Hidden   Hidden        `json:"hidden,omitempty"`
		// Omitted counts the rows of each table that an extract leaves out.
		Omitted map[string]int `json:"omitted,omitempty"`
	}
)

// figurer returns the figures of a distribution.
type figurer func(*histogram.Distribution) Figures

func (f figurer) waits(t *Times) waits {
	all := waits{Blocked: f(t.Of(Blocked)), Waited: f(t.Of(Waited)), Timed: f(t.Of(Timed)), Parked: f(t.Of(Parked)),
		IO: f(t.Of(IO))}
	if d := t.Of(Init); d.Count > 0 {
		all.Init = f(d)
	}
	return all
}

func (f figurer) pauses(t *Times) pauses { return pauses{f.waits(t), f(t.Of(Joined)), f(t.Of(Slept))} }

// Extract returns the JSON of a page. It is the answer with a limit for the rows of each table, those with the most
// time, the number of omitted rows, and bins for plots. Bin n goes from 2^(n/2) up to 2^((n+1)/2) nanoseconds.
func (s *Statistics) Extract(limit int) any {
	kept, omitted := *s, map[string]int{}
	for _, t := range tables {
		t.cut(&kept, limit, omitted)
	}
	extract := kept.json(plottedFigures)
	for i, t := range kept.Threads {
		extract.Threads[i].Key = t.Key
	}
	extract.Omitted = omitted
	return extract
}

// only returns the statistics with only the tables of the view. It sorts their rows, except the pairs; without an order
// they are in the order first seen.
func (s *Statistics) only(view View, order Order) *Statistics {
	kept := *s
	for _, t := range tables {
		t.only(&kept, view.tables, order.By)
	}
	if view.tables == nil {
		return &kept
	}
	kept.Blame, kept.Starts = nil, Starts{}
	if !slices.Contains(view.tables, tablePools) {
		kept.Workers = nil
	}
	return &kept
}

// json returns the value of the JSON; see docs/stats.md.
func (s *Statistics) json(f figurer) answerJSON {
	return answerJSON{
		Traces: append([]Trace{}, s.Traces...),
		All:    f.pauses(&s.All),
		Threads: jsonList(s.Threads, func(t *Thread) threadJSON {
			return threadJSON{t.ID, 0, t.Name, t.Group, t.Session, f.pauses(&t.Times)}
		}),
		Pools: jsonList(s.Pools, func(p *Pool) poolJSON {
			return poolJSON{p.Name, p.OfJVM, p.Threads, p.Lifetime, p.Processors, p.TimedOut, p.Idle, p.Waits,
				f.pauses(&p.Times)}
		}),
		Classes: jsonList(s.Classes, func(c *Class) classJSON {
			return classJSON{c.Name, f.waits(&c.Times), c.Different}
		}),
		Monitors: jsonList(s.Monitors, func(m *Monitor) monitorJSON {
			declared, represented := javaname.SplitClassObject(m.Class)
			return monitorJSON{m.ID, declared, represented, m.Session, f.waits(&m.Times), m.Threads,
				append([]Owner{}, m.Owners...)}
		}),
		Callers: jsonList(s.Callers, func(c *Caller) callerJSON {
			return callerJSON{c.Class, c.Method, f.waits(&c.Times), c.Different}
		}),
		Sites: jsonList(s.Sites, func(s *Site) siteJSON {
			return siteJSON{s.Place, s.Monitor, f.pauses(&s.Times), s.Different, append([]Holder{}, s.Holders...)}
		}),
		Pairs:  append([]*Pair{}, s.Pairs...),
		Starts: Starts{s.Starts.StartTally, append([]*StartRow{}, s.Starts.Rows...)},
		Blame:  s.Blame, Workers: s.Workers,
		Hidden: s.Hidden,
	}
}

// jsonList maps the rows; without rows it returns an empty list, not nil.
func jsonList[R, J any](rows []*R, row func(*R) J) []J {
	all := make([]J, len(rows))
	for i, r := range rows {
		all[i] = row(r)
	}
	return all
}
