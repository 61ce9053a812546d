package contention

import (
	"cmp"
	"encoding/json"
	"io"
	"slices"

	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/trace"
)

// figures are a distribution as the JSON answer has it, in nanoseconds.
type figures struct {
	Count uint64 `json:"count"`
	Total uint64 `json:"total"`
	Min   int64  `json:"min"`
	Max   int64  `json:"max"`
	Mean  int64  `json:"mean"`
	P50   int64  `json:"p50"`
	P90   int64  `json:"p90"`
	P99   int64  `json:"p99"`
	Open  uint64 `json:"open"`
	// Bins are for plots: how many lengths each half of a power of two has, behind the number of the first one.
	Bins []uint64 `json:"bins,omitempty"`
}

func figuresOf(d *histogram.Distribution) figures {
	return figures{d.Count, d.Total, d.Min, d.Max, d.Mean(), d.Percentile(50), d.Percentile(90), d.Percentile(99),
		d.Open, nil}
}

// plotted are the figures with what a plot of the lengths needs.
func plotted(d *histogram.Distribution) figures {
	f := figuresOf(d)
	if first, bins := d.HalfOctaves(); len(bins) > 0 {
		f.Bins = append([]uint64{first}, bins...)
	}
	return f
}

// The rows of the JSON answer.
type (
	waits struct {
		Blocked figures `json:"blocked"`
		Waited  figures `json:"waited"`
		Timed   figures `json:"timed"`
	}
	pauses struct {
		waits
		Joined figures `json:"joined"`
		Slept  figures `json:"slept"`
	}
	threadRow struct {
		ID      string          `json:"threadId"`
		Key     trace.ThreadKey `json:"threadKey,omitempty"` // in an extract, which is of one trace
		Name    string          `json:"name"`
		Group   string          `json:"group"`
		Session int             `json:"session,omitempty"`
		pauses
	}
	classRow struct {
		Class string `json:"class"`
		waits
		Monitors uint64 `json:"monitors"`
		Threads  uint64 `json:"threads"`
	}
	monitorRow struct {
		ID      string `json:"objectId"`
		Class   string `json:"class"`
		Session int    `json:"session,omitempty"`
		waits
		Threads uint64  `json:"threads"`
		Owners  []Owner `json:"owners"`
	}
	callerRow struct {
		Class  string `json:"class"`
		Method string `json:"method"`
		waits
		Monitors uint64 `json:"monitors"`
		Threads  uint64 `json:"threads"`
	}
	siteRow struct {
		Place
		Monitor string `json:"monitorClass"`
		pauses
		Monitors uint64   `json:"monitors"`
		Threads  uint64   `json:"threads"`
		Holders  []Holder `json:"holders"`
	}
)

// figurer makes the figures of a distribution.
type figurer func(*histogram.Distribution) figures

func (f figurer) waits(t *Times) waits {
	return waits{f(t.Of(Blocked)), f(t.Of(Waited)), f(t.Of(Timed))}
}

func (f figurer) pauses(t *Times) pauses { return pauses{f.waits(t), f(t.Of(Joined)), f(t.Of(Slept))} }

// rows makes a list of rows, which is empty and not null where there are none.
func rows[R, J any](all []*R, row func(*R) J) []J {
	list := make([]J, len(all))
	for i, r := range all {
		list[i] = row(r)
	}
	return list
}

// only are the statistics with the tables of the view.
func (s *Statistics) only(view View) *Statistics {
	kept := *s
	for name, drop := range map[string]func(){
		TableThreads: func() { kept.Threads = nil }, TableClasses: func() { kept.Classes = nil },
		TableMonitors: func() { kept.Monitors = nil },
		TableCallers:  func() { kept.Callers = nil }, TableSites: func() { kept.Sites = nil }, TablePairs: func() {
			kept.Pairs = nil
		},
	} {
		if !view.has(name) {
			drop()
		}
	}
	return &kept
}

// WriteJSON writes the tables of the view as one JSON object, for programs; see docs/stats.md. The others are empty.
func (s *Statistics) WriteJSON(out io.Writer, view View) error {
	return s.write(out, view, figuresOf, nil)
}

// WriteExtract writes as much of the tables as a person looks at: of each the rows with the most time, so many at most,
// and how many are left out. It is what WriteJSON writes, with bins for plots: how many lengths lie in each half of a
// power of two, behind the number of the first half that has any. The number of that from 2^(n/2) up to 2^((n+1)/2)
// nanoseconds is n.
func (s *Statistics) WriteExtract(out io.Writer, most int) error {
	kept, omitted := *s, map[string]int{}
	kept.Threads = heaviest(s.Threads, most, TableThreads, omitted, func(t *Thread) uint64 { return t.Times.weight() })
	kept.Classes = heaviest(s.Classes, most, TableClasses, omitted, func(c *Class) uint64 { return c.Times.weight() })
	kept.Monitors = heaviest(s.Monitors, most, TableMonitors, omitted, func(m *Monitor) uint64 {
		return m.Times.weight()
	})
	kept.Callers = heaviest(s.Callers, most, TableCallers, omitted, func(c *Caller) uint64 { return c.Times.weight() })
	kept.Sites = heaviest(s.Sites, most, TableSites, omitted, func(s *Site) uint64 { return s.Times.weight() })
	kept.Pairs = heaviest(s.Pairs, most, TablePairs, omitted, func(p *Pair) uint64 { return p.Total })
	return kept.write(out, Views[0], plotted, omitted)
}

// heaviest are the rows of the table that have the greatest weights, the greatest first. How many others there are is
// noted.
func heaviest[R any](rows []*R, most int, table string, omitted map[string]int, weight func(*R) uint64) []*R {
	if len(rows) <= most {
		return rows
	}
	omitted[table] = len(rows) - most
	weights := map[*R]uint64{}
	for _, row := range rows {
		weights[row] = weight(row)
	}
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b *R) int { return cmp.Compare(weights[b], weights[a]) })
	return rows[:most]
}

func (s *Statistics) write(out io.Writer, view View, f figurer, omitted map[string]int) error {
	s = s.only(view)
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(struct {
		Traces   []Trace      `json:"traces"`
		All      pauses       `json:"all"`
		Threads  []threadRow  `json:"threads"`
		Classes  []classRow   `json:"classes"`
		Monitors []monitorRow `json:"monitors"`
		Callers  []callerRow  `json:"callers"`
		Sites    []siteRow    `json:"sites"`
		Pairs    []*Pair      `json:"pairs"`
		Hidden   Hidden       `json:"hidden,omitempty"`
		// Omitted is how many rows of a table an extract leaves out.
		Omitted map[string]int `json:"omitted,omitempty"`
	}{
		append([]Trace{}, s.Traces...),
		f.pauses(&s.All),
		rows(s.Threads, func(t *Thread) threadRow {
			row := threadRow{t.ID, 0, t.Name, t.Group, t.Session, f.pauses(&t.Times)}
			if omitted != nil {
				row.Key = t.Key
			}
			return row
		}),
		rows(s.Classes, func(c *Class) classRow { return classRow{c.Name, f.waits(&c.Times), c.Monitors, c.Threads} }),
		rows(s.Monitors, func(m *Monitor) monitorRow {
			return monitorRow{m.ID, m.Class, m.Session, f.waits(&m.Times), m.Threads, append([]Owner{}, m.Owners...)}
		}),
		rows(s.Callers, func(c *Caller) callerRow {
			return callerRow{c.Class, c.Method, f.waits(&c.Times), c.Monitors, c.Threads}
		}),
		rows(s.Sites, func(s *Site) siteRow {
			return siteRow{s.Place, s.Monitor, f.pauses(&s.Times), s.Monitors, s.Threads,
				append([]Holder{}, s.Holders...)}
		}),
		append([]*Pair{}, s.Pairs...),
		s.Hidden,
		omitted,
	})
}
