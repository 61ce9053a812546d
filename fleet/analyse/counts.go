package analyse

import (
	"io"
	"slices"
	"time"

	"github.com/trcx/trcx/analyze/blame"
	"github.com/trcx/trcx/analyze/contention"
	"github.com/trcx/trcx/analyze/diagnosis"
	"github.com/trcx/trcx/convert/selection"
	"github.com/trcx/trcx/fleet/rows"
	"github.com/trcx/trcx/threads"
	"github.com/trcx/trcx/trace"
)

// count adds the rows of a recording, whose facts are complete.
func (f *file) count(facts *diagnosis.Facts, collector *diagnosis.Collector, known ofTrace, hours *hours) error {
	s, start, end := facts.Statistics, facts.Blame.Start(), facts.Blame.End()
	f.describe(s, known, int64(start))
	f.jvm(s)
	if !hours.on {
		f.statistics(s, f.labels(f.name, known, ""), whole)
	} else if err := f.hours(collector, known, hours, start, end); err != nil {
		return err
	}
	if !hours.on || hourOf(start) == hourOf(end) {
		f.blame(facts.Blame, f.labels(f.name, known, hourText(hourOf(start))))
	}
	labels := f.labels(f.name, known, hourText(hourOf(end)))
	for i := range facts.Deadlocks.Deadlocks {
		f.example(rows.Key{Table: rows.Deadlock, Labels: labels, Name: facts.Deadlocks.Deadlocks[i].Signature()}, 0)
	}
	f.whole.Count += uint64(len(facts.Deadlocks.Deadlocks))
	merged := contention.NewMerged(contention.DefaultRows) // as trcx why does
	merged.Add(s)
	facts.Statistics = merged.Statistics()
	for _, found := range diagnosis.Of(facts).Findings {
		key := rows.Key{Table: rows.Finding, Labels: labels, Kind: string(found.Kind), Class: found.Object.Class}
		if len(found.Threads) > 0 {
			key.Pool = found.Threads[0].Pool
		}
		if len(found.Places) > 0 && len(found.Places[0]) > 0 && found.Places[0][0].Method != nil {
			key.Name = found.Places[0][0].Method.Title()
		}
		f.example(key, uint64(max(found.Total, 0)))
	}
	return nil
}

// describe adds what the row of the file has of a recording.
func (f *file) describe(s *contention.Statistics, known ofTrace, start int64) {
	if !f.began {
		f.began, f.labelled = true, f.labels(f.name, known, "")
	}
	for _, t := range s.Traces {
		f.whole.Merge(&rows.Value{Start: start, Length: uint64(max(t.Duration, 0)), Events: t.Events})
	}
	for kind := range contention.KindCount {
		if d := s.All.Of(kind); d.Count > 0 {
			v := rows.Of(d)
			v.Buckets = nil // the table rows.All has them
			f.rows.Add(rows.Key{Table: rows.Trace, Labels: f.labelled, Trace: f.name, Time: kind.String()}, v)
		}
	}
}

// jvm adds how long threads of the trace were blocked, by class.
func (f *file) jvm(s *contention.Statistics) {
	for _, c := range s.Classes {
		if total := c.Times.Of(contention.Blocked).Total; total > 0 {
			key := rows.Key{Table: rows.JVM, Labels: f.labelled, Class: c.Name, Trace: f.name}
			f.rows.Add(key, rows.Value{Total: total})
		}
	}
}

// example adds one deadlock or finding, with the file as its example.
func (f *file) example(key rows.Key, total uint64) {
	f.counted(key, rows.Value{Count: 1, Total: total, Text: f.name})
}

// statistics adds the rows of statistics. Parts of waits have totals only.
func (f *file) statistics(s *contention.Statistics, labels string, of role) {
	add := func(key rows.Key, times *contention.Times, monitors, threads uint64) {
		key.Labels = labels
		if of == whole {
			f.counted(key, rows.Value{Monitors: monitors, Threads: threads})
		}
		for kind := range contention.KindCount {
			d := times.Of(kind)
			if d.Count == 0 {
				continue
			}
			key.Time = kind.String()
			switch of {
			case whole:
				f.rows.Add(key, rows.Of(d))
			case inside:
				f.rows.Add(key, rows.Value{Total: d.Total})
			case outside:
				f.rows.Take(key, d.Total)
			}
		}
	}
	add(rows.Key{Table: rows.All}, &s.All, 0, 0)
	for _, p := range s.Pools {
		key := rows.Key{Table: rows.Pool, Pool: threads.PoolOf(p.Name)}
		if p.OfJVM {
			key.Kind = "jvm"
		}
		add(key, &p.Times, 0, p.Threads)
	}
	for _, c := range s.Classes {
		add(rows.Key{Table: rows.Class, Class: c.Name}, &c.Times, c.Monitors, c.Different.Threads)
	}
	for _, c := range s.Callers {
		add(rows.Key{Table: rows.Caller, Class: c.Class, Method: c.Method}, &c.Times, c.Monitors, c.Different.Threads)
	}
	for _, site := range s.Sites {
		add(rows.Key{Table: rows.Site, Class: site.Class, Method: site.Method, File: site.File, Line: uint64(site.Line),
			In: site.In, Monitor: site.Monitor}, &site.Times, site.Monitors, site.Different.Threads)
	}
}

// counted adds a value to the row of the key, which counts the file once.
func (f *file) counted(key rows.Key, v rows.Value) {
	if !f.rows.Has(key) {
		v.Traces = 1
	}
	f.rows.Add(key, v)
}

// hours adds the rows of each hour.
func (f *file) hours(collector *diagnosis.Collector, known ofTrace, h *hours, start, end trace.Time) error {
	for _, of := range []role{whole, inside, outside} {
		for part, c := range h.parts {
			if part.role == of {
				f.statistics(c.Statistics(), f.labels(f.name, known, hourText(part.hour)), of)
			}
		}
	}
	if hourOf(end)-hourOf(start) > maxHours {
		return nil // without waits; see interval
	}
	for hour := hourOf(start); hour <= hourOf(end); hour++ {
		labels := f.labels(f.name, known, hourText(hour))
		begin := time.Duration(hour*int64(time.Hour) - int64(start))
		length := min(int64(begin)+int64(time.Hour), int64(end-start)) - max(int64(begin), 0)
		f.counted(rows.Key{Table: rows.Hour, Labels: labels}, rows.Value{Length: uint64(max(length, 0))})
		if hourOf(start) == hourOf(end) {
			break
		}
		b, err := collector.Blame(selection.Window{Since: max(begin, 0), Until: begin + time.Hour})
		if err != nil {
			return err
		}
		f.blame(b, labels)
	}
	return nil
}

// blame adds who kept threads waiting. A wait counts in each hour that it is in.
func (f *file) blame(b *blame.Blame, labels string) {
	for _, row := range b.Classes() {
		key := rows.Key{Table: rows.Blame, Labels: labels, Pool: row.Pool, Kind: row.Kind.String(), State: row.State(),
			Monitor: row.Class}
		if row.Kind == blame.Segment {
			key.Name = row.As.String()
		}
		f.counted(key, rows.Value{Count: uint64(row.Count), Total: uint64(row.Total)})
	}
}

// saved adds the rows of saved statistics. They have no deadlocks and no findings, and no hours but that of the start.
func (f *file) saved(text io.Reader) error {
	s, err := contention.Load(text)
	if err != nil {
		return err
	}
	start, hour := int64(0), ""
	if len(s.Traces) > 0 {
		at, _ := trace.ParseTime([]byte(s.Traces[0].Start)) // 0 if there is none
		start = int64(at)
		hour = hourText(start / int64(time.Hour))
	}
	f.describe(s, nil, start)
	f.jvm(s)
	labels := f.labels(f.name, nil, hour)
	f.statistics(s, labels, whole)
	if slices.Contains(f.By, HourLabel) {
		f.counted(rows.Key{Table: rows.Hour, Labels: labels}, rows.Value{Length: f.whole.Length})
	}
	if s.Blame == nil {
		return nil
	}
	for _, row := range s.Blame.Rows {
		f.counted(rows.Key{Table: rows.Blame, Labels: labels, Pool: row.Pool, Kind: row.Kind, State: row.State},
			rows.Value{Count: row.Count, Total: row.Total})
	}
	return nil
}
