package critical

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/trcx/trcx/analyze/answer"
	"github.com/trcx/trcx/analyze/wording"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/trace"
)

// Options limit what is printed for people.
type Options struct {
	// Pieces limits the pieces; the longest are printed. 0 is no limit. SeeMore follows the note that counts the
	// others: it says how a user asks for them, such as "; --all shows them". "" adds nothing.
	Pieces  int
	SeeMore string
	// Rows limits the rows of the other tables; 0 is no limit.
	Rows int
	// SeeWithout is how a user asks for the path without the waits for a monitor, up to its id; "" for no such remark.
	SeeWithout string
	// Remarks are lines after the verdict.
	Remarks []string
	// Lead is a report that precedes this one; nil for none.
	Lead *answer.Report
	// Tables come before the pieces.
	Tables []answer.Table
	// Fields are further ones of JSON.
	Fields answer.Object
}

// Answer returns the answer: for people the verdict, the what-if unless it is nil, the shares, and the pieces; as CSV
// and JSON all pieces.
func (p *Path) Answer(whatIf *WhatIf, options Options) *answer.Answer {
	return &answer.Answer{
		Report: func() *answer.Report { return p.report(whatIf, options) },
		CSV:    answer.Rows(p.csv),
		JSON:   func() any { return append(p.json(whatIf), options.Fields...) },
	}
}

func (p *Path) report(whatIf *WhatIf, options Options) *answer.Report {
	shares := p.Shares()
	report := &answer.Report{Lead: options.Lead, Headline: p.verdict(shares)}
	if p.Size() > 0 {
		report.Remark(p.Ending.Words())
	}
	report.Remark(p.stillText())
	report.Remarks = append(report.Remarks, options.Remarks...)
	if whatIf != nil {
		report.Remark(whatIf.verdict(p))
	}
	if p.Size() == 0 {
		return report
	}
	if lock := shares.sparable(p.Length()); options.SeeWithout != "" && lock.ID.Known() && whatIf == nil && p.recorder.window.whole() {
		report.Remark(fmt.Sprintf("%s%s estimates the run without waits for %s.", options.SeeWithout, lock.ID, lock.LockTitle()))
	}
	report.Tables = append(append(p.tables(shares, options.Rows), options.Tables...),
		p.chain(options.Pieces, options.SeeMore))
	if shares.lackPlaces() {
		report.Note = wording.NoStacks + "\n"
	}
	report.Note = strings.TrimSuffix(report.Note+p.recorder.Unreported(), "\n")
	return report
}

// lackPlaces reports whether threads waited on the path, but no caller is known.
func (s *Shares) lackPlaces() bool {
	return len(s.Waits) > 0 && len(s.Callers) == 1 && wording.Frame(s.Callers[0].Of) == ""
}

// sparable returns the lock of the worst wait, if a run without it is worth an estimate; else the zero Object.
func (s *Shares) sparable(length int64) Object {
	worst := s.worstLock()
	if worst == nil || 100*worst.Time < length || strings.Trim(worst.Object.ID.String(), "0123456789") != "" {
		return Object{}
	}
	return worst.Object
}

// verdict summarizes the estimated run.
func (x *WhatIf) verdict(before *Path) string {
	monitors := x.Monitors[0].LockTitle()
	if more := len(x.Monitors) - 1; more > 0 {
		monitors += " and " + phrase.Count(more, "more lock")
	}
	text := fmt.Sprintf("Without waits for %s (%s), the run would end", monitors, phrase.Count(x.Waits, "wait"))
	switch {
	case x.Saved == 0:
		return text + " no earlier, as far as the trace shows."
	case x.Path.Size() == 0:
		return fmt.Sprintf("%s %s earlier: an estimate.", text, phrase.Duration(x.Saved))
	}
	return fmt.Sprintf("%s %s earlier, with %s, and take %s, %s of its length: an estimate.",
		text, phrase.Duration(x.Saved), x.Path.Thread.Title(), phrase.Duration(x.Path.Length()),
		phrase.Percent(x.Path.Length(), before.Length()))
}

// shareTable returns an empty table of shares.
func shareTable(title string, columns ...string) answer.Table {
	return answer.Table{Title: title, Columns: append(answer.Right("share", "time"), answer.Left(columns...)...)}
}

// tables returns the tables of the shares, with a limit for the rows of each; 0 is no limit.
func (p *Path) tables(shares *Shares, most int) []answer.Table {
	threads := shareTable("Threads", "thread")
	for _, s := range shares.Threads {
		p.row(&threads, s.Time, s.Of.Title())
	}
	states := shareTable("States", "state")
	for _, s := range shares.States {
		p.row(&states, s.Time, s.Of.String())
	}
	waits := shareTable("Waited for", "state", "for", "longest by", "held by")
	waits.Columns[2].Spare, waits.Columns[4].Spare, waits.Columns[5].Spare = 1, 3, 2
	for i := range shares.Waits {
		wait := &shares.Waits[i]
		holder := ""
		if wait.Longest.Owner.Key != 0 && wait.State == trace.WaitingForLock {
			holder = wait.Longest.Owner.Title()
			if place := wording.Frame(wait.Longest.OwnerCaller); place != "" {
				holder += ", last seen at " + place
			}
		}
		p.row(&waits, wait.Time, wait.Name.String(), wait.reason(), wait.Longest.Thread.Title()+at(wait.Longest.Caller),
			holder)
	}
	callers := shareTable("Places where threads waited, or had waited before they ran", "place")
	if len(shares.Callers) > 1 || len(shares.Callers) == 1 && wording.Frame(shares.Callers[0].Of) != "" {
		for _, s := range shares.Callers {
			p.row(&callers, s.Time, cmp.Or(wording.Frame(s.Of), "(not known)"))
		}
	}
	var all []answer.Table
	for _, t := range []answer.Table{threads, states, waits, callers} {
		if len(t.Rows) == 0 {
			continue
		}
		t.Limit(most)
		all = append(all, t)
	}
	return all
}

// row adds a row: a share, and what has it.
func (p *Path) row(t *answer.Table, time int64, texts ...string) {
	t.Add(phrase.Percent(time, p.Length()), answer.Time(time), texts)
}

// chain returns the table of the longest pieces. Rows between them count the pieces left out.
func (p *Path) chain(most int, seeMore string) answer.Table {
	t := answer.Table{Title: "The path", Columns: slices.Concat(answer.Right("from").Spare(1), answer.Right("length"),
		answer.Left("thread", "what"))}
	next, at, left := p.Size()-1, p.From, 0 // the next step if none is left out, its begin, and pieces left out
	skip := func(step int, begin trace.Time) {
		if more := next - step; more > 0 {
			left += more
			t.Add("…", answer.Time(int64(begin-at)), "…", phrase.Count(more, "shorter piece"))
		}
	}
	if most == 0 {
		most = p.Size()
	}
	for _, step := range p.longest(most) {
		var piece Piece
		p.describe(&piece, step)
		skip(step, piece.From)
		thread := "–"
		if piece.Thread.Key != 0 {
			thread = piece.Thread.Title()
		}
		t.Add(p.recorder.moment(piece.From), answer.Time(piece.Length()), thread, piece.words())
		next, at = step-1, piece.To
	}
	skip(-1, p.To)
	if left > 0 {
		t.Note("%d of %s are shown%s.", p.Size()-left, phrase.Count(p.Size(), "piece"), seeMore)
	}
	return t
}

// words describe the piece.
func (p *Piece) words() string {
	switch p.Kind {
	case Latency:
		text := "wakes " + p.Next.Title() + ", not running yet"
		if p.Object.ID.Known() {
			text += ": " + p.Object.Title()
		}
		return text
	case Unknown:
		return "nobody knows who had " + p.Object.LockTitle() + " before " + p.Next.Title()
	case Paused:
		return kindWords[Paused]
	}
	text := p.Name.String()
	switch {
	case p.State == trace.Running && wording.Frame(p.Caller) != "":
		return p.running() + ", after " + wording.Frame(p.Caller)
	case p.State == trace.Running:
		return p.running()
	case p.State == trace.WaitingForLock || p.State == trace.WaitingForObject:
		text += on(p.Name, p.Object)
	case p.State == trace.WaitingForJoin && p.Owner.Key != 0:
		text += " " + p.Owner.Title()
	}
	return text + at(p.Caller)
}

// running describes how the thread used processors.
func (p *Piece) running() string {
	if p.OnCPU < 0 {
		return useWords[UseUnknown]
	}
	return UseOf(p.OnCPU, p.Length())
}

// UseOf says how threads used processors that were on one for onCPU of a length, in nanoseconds.
func UseOf(onCPU, length int64) string {
	switch on := float64(onCPU) / float64(length); {
	case on >= 0.995:
		return useWords[OnCPU]
	case on < 0.005:
		return useWords[OffCPU]
	}
	return phrase.Percent(onCPU, length) + " " + useWords[OnCPU] + ", else ready for one"
}
