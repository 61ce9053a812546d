package deadlock

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/trcx/trcx/analyze/answer"
	"github.com/trcx/trcx/analyze/wording"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/trace"
)

// Options select what is printed for people.
type Options struct {
	// All prints supposed inversions, too. SeeAll follows the sentence that counts them: it says how a user asks for
	// them, such as "; --all shows them". "" adds nothing.
	All    bool
	SeeAll string
	// Max limits the inversions of a kind and the frames of a stack; 0 is no limit. SeeMore likewise says
	// how a user asks for the rest.
	Max     int
	SeeMore string
}

// Answer returns the answer: for people the deadlocks and inversions as trees; as CSV a row for each of their threads;
// as JSON all details.
func (r *Report) Answer(options Options) *answer.Answer {
	return &answer.Answer{
		Report: func() *answer.Report { return r.report(options) },
		CSV:    r.csv,
		JSON:   func() any { return r.json() },
	}
}

// report returns the report for people.
func (r *Report) report(options Options) *answer.Report {
	w := &trees{Report: r, Options: options}
	for i := range r.Deadlocks {
		w.deadlock(i)
	}
	w.inversions("LOCK-ORDER INVERSION", r.Seen())
	w.inversions("HARMLESS LOCK-ORDER INVERSION", r.Harmless())
	if options.All {
		w.inversions("SUPPOSED LOCK-ORDER INVERSION", r.supposed())
	}
	return &answer.Report{Headline: sentence(r.Verdict()) + ".", Trees: w.all, Note: strings.Join(r.notes(options), "\n\n")}
}

// trees builds a tree for each deadlock and inversion.
type trees struct {
	*Report
	Options
	all []answer.Tree
}

// line returns a line of a tree.
func line(format string, arguments ...any) answer.Node {
	return answer.Node{Text: fmt.Sprintf(format, arguments...)}
}

// sentence returns the text with a capital first letter.
func sentence(text string) string { return string(bytes.ToUpper([]byte(text[:1]))) + text[1:] }

// recording names the recording, unless it is the first one.
func recording(session int) string {
	if session == 0 {
		return ""
	}
	return fmt.Sprintf(" in recording %d", session+1)
}

func (w *trees) deadlock(i int) {
	d := &w.Deadlocks[i]
	where, threads := recording(d.Members[0].Thread.Session), phrase.Count(len(d.Members), "thread")
	howLong := " for ever"
	switch {
	case w.Scattered:
		howLong = ""
	case d.Loop.Timed:
		howLong = " until a timeout"
	case d.Loop.IsPossible():
		howLong = " at the end of the trace"
	}
	kind, atOnce := w.kind(d), d.atOnce()
	if d.Init() {
		kind = ofClasses + kind
	}
	if !atOnce {
		howLong += ", since " + w.moment(d.Loop.Time)
	}
	tree := answer.Tree{Title: fmt.Sprintf("%s %d%s: %s wait for each other%s", strings.ToUpper(kind), i+1, where,
		threads, howLong)}
	for j := range d.Members {
		b, next, before := d.around(j)
		lasting := ""
		if !atOnce {
			lasting = fmt.Sprintf(", %s since %s, for %s until the end of the trace", b.verb(), w.moment(b.Since),
				phrase.Duration(b.Length()))
		}
		has := answer.Node{Label: "holds ", Text: before.Monitor.title(), Nodes: taken(b)}
		if before.Init {
			has = answer.Node{Text: "initialises " + wording.Initialised(before.Monitor.ID, before.Monitor.Class)}
		}
		wants := answer.Node{Label: "wants ", Text: b.wants(&next.Thread), Nodes: w.at(b)}
		if b.Init {
			wants = answer.Node{Text: "waits for " + b.wants(&next.Thread), Nodes: w.at(b)}
		}
		tree.Nodes = append(tree.Nodes, answer.Node{Text: b.Thread.title() + lasting, Nodes: []answer.Node{has, wants}})
	}
	if len(d.Stuck) > 0 {
		tree.Nodes = append(tree.Nodes, answer.Node{Text: "Stuck because of it:", Nodes: w.stuck(d, atOnce)})
	}
	if doubt := d.doubt(); doubt != "" {
		tree.Nodes = append(tree.Nodes, line("%s", doubt))
	}
	w.all = append(w.all, tree)
}

// around returns a member, the next one, which holds what it wants, and the previous one, which wants what it holds.
func (d *Deadlock) around(i int) (member, next, before *Block) {
	n := len(d.Members)
	return &d.Members[i], &d.Members[(i+1)%n], &d.Members[(i+n-1)%n]
}

// atOnce reports whether the members had been blocked for no time, as in a thread dump, which shows one moment.
func (d *Deadlock) atOnce() bool {
	return !slices.ContainsFunc(d.Members, func(b Block) bool { return b.Length() > 0 })
}

// taken returns the line that says where a thread entered the monitor that it holds.
func taken(b *Block) []answer.Node {
	if at := wording.Frame(b.Taken); at != "" {
		return []answer.Node{line("entered in %s", at)}
	}
	return nil
}

// in returns the line of a place; none if it is unknown.
func in(f trace.Frame) []answer.Node {
	if at := wording.Frame(f); at != "" {
		return []answer.Node{{Label: "in", Text: at}}
	}
	return nil
}

// at returns the lines that say where the thread is blocked, the innermost call first.
func (w *trees) at(b *Block) []answer.Node {
	if b.Stack == nil {
		return in(b.Caller)
	}
	var calls []answer.Node
	frames := b.Stack.Frames[b.Stack.Inner:]
	for i, frame := range frames {
		if w.Max > 0 && i >= w.Max {
			calls = append(calls, line("and %s further out", phrase.Count(len(frames)-i, "call")))
			break
		}
		calls = append(calls, line("%s", cmp.Or(wording.Frame(frame), "an unknown method")))
	}
	if len(calls) == 0 {
		return nil
	}
	return []answer.Node{{Label: "in", Text: calls[0].Text, Nodes: calls[1:]}}
}

func (w *trees) stuck(d *Deadlock, atOnce bool) (lines []answer.Node) {
	for i := range d.Stuck {
		s := &d.Stuck[i]
		if w.Max > 0 && i >= 5*w.Max {
			return append(lines, line("and %s", phrase.Count(len(d.Stuck)-i+d.More, "more thread")))
		}
		waits := "blocked on " + s.wants(&s.Blocker)
		switch {
		case s.Init:
			waits = "which waits for " + s.wants(&s.Blocker)
		case s.Joins:
			waits = "which waits for the end of " + s.Blocker.title()
		}
		if !atOnce {
			waits += ", since " + w.moment(s.Since)
		}
		lines = append(lines, answer.Node{Text: s.Thread.title() + ", " + waits, Nodes: in(s.Caller)})
	}
	if d.More > 0 {
		lines = append(lines, line("and %s", phrase.Count(d.More, "more thread")))
	}
	return lines
}

func (w *trees) inversions(heading string, inversions []Inversion) {
	grouped := groups(inversions)
	for i := range grouped {
		if w.Max > 0 && i >= w.Max {
			w.all = append(w.all, answer.Tree{Title: fmt.Sprintf(
				"%d more of them are not shown%s.", len(grouped)-i, w.SeeMore)})
			return
		}
		g := &grouped[i]
		tree := answer.Tree{Title: fmt.Sprintf("%s %d%s: %s are entered in different orders", heading, i+1,
			recording(g.Orders[0].Example.Thread.Session), phrase.Count(len(g.Orders), "monitor"))}
		for j := range g.Orders {
			tree.Nodes = append(tree.Nodes, w.order(&g.Orders[j]))
		}
		for _, gate := range g.Gates {
			held, does := "also held", "As long as they do"
			if gate.Evidence != Seen {
				held, does = "may also have held", "If they always do"
			}
			tree.Nodes = append(tree.Nodes, line("All of them %s %s. %s, they cannot deadlock.", held,
				gate.Monitor.title(), does))
		}
		if g.others > 0 {
			tree.Nodes = append(tree.Nodes,
				line("%d more like it: the same classes in the same places, other objects", g.others))
		}
		w.all = append(w.all, tree)
	}
}

func (w *trees) order(o *Order) answer.Node {
	b, often := &o.Example, ""
	if o.Times > 1 {
		often = fmt.Sprintf("; %d times in all", o.Times)
	}
	proof := line("supposedly: nothing shows that it left the monitor")
	if o.Evidence == Seen {
		proof = line("as %s found at %s", o.By.title(), w.moment(o.NamedAt))
	}
	return answer.Node{Text: fmt.Sprintf("%s, blocked at %s for %s%s", b.Thread.title(), w.moment(b.Since),
		phrase.Duration(b.Length()), often), Nodes: []answer.Node{
		{Label: "held  ", Text: o.Held.title(), Nodes: append(taken(b), proof)},
		{Label: "wanted", Text: b.Monitor.title(), Nodes: w.at(b)},
	}}
}

// limits lists what the report cannot know about the trace, a paragraph each.
func (r *Report) limits() (all []string) {
	if r.Scattered && len(r.Deadlocks) > 0 {
		all = append(all, "The JVM has looked at one thread after the other, so these threads may have gone on meanwhile. "+
			"If they are blocked on the same objects in a later dump, too, they are most likely deadlocked.")
	}
	if r.Live {
		return append(all, r.limitOfLive())
	}
	if slices.ContainsFunc(r.Deadlocks, func(d Deadlock) bool { return d.Loop.CutOff }) {
		all = append(all, "The trace was cut off, so these threads may have gone on. Those that had waited for seconds "+
			"were most likely deadlocked.")
	}
	if r.Unowned > 0 {
		are := "are"
		if r.Unowned == 1 {
			are = "is"
		}
		all = append(all, fmt.Sprintf("%s %s BLOCKED at the end on monitors whose owners the trace does not have: a "+
			"deadlock of these is not seen here.", phrase.Count(r.Unowned, "thread"), are))
	}
	if r.Awaited > 0 {
		all = append(all, fmt.Sprintf("Threads wait at the end for %s: trcx why finds deadlocks of these, too.",
			phrase.Count(r.Awaited, "task or lock that readers hold", "tasks or locks that readers hold")))
	}
	if !r.OwnedLocks && len(r.Deadlocks) == 0 {
		all = append(all, "The trace has no waits for locks of java.util.concurrent: unless its recorder reports these, "+
			"a deadlock of such locks is not seen here; jcmd PID Thread.print -l shows it.")
	}
	return all
}

// limitOfLive says what a thread dump of a running JVM lacks.
func (r *Report) limitOfLive() string {
	lacks := "virtual threads that wait, and no owners of read locks and semaphores"
	switch {
	case r.Scattered && r.OwnersUnknown:
		lacks = "owners of read locks and semaphores, nor of other locks of java.util.concurrent that virtual threads hold " +
			"or wait for"
	case r.Scattered:
		lacks = "owners of read locks and semaphores"
	}
	return "A thread dump has no " + lacks + ": a deadlock of these is not seen here."
}

// notes returns advice, what was left out, and what the report cannot know, a paragraph each.
func (r *Report) notes(options Options) (notes []string) {
	if len(r.Seen()) > 0 {
		notes = append(notes, "If such threads run at the same time, they can deadlock. Enter the monitors in the same "+
			"order everywhere, or only one of them.")
	}
	if hint := r.hint(); hint != "" && !options.All {
		notes = append(notes, sentence(hint)+options.SeeAll+".")
	}
	if lines := r.omissions(options.All); len(lines) > 0 {
		notes = append(notes, strings.Join(lines, "\n"))
	}
	notes = append(notes, r.limits()...)
	if r.lacksPlaces() {
		notes = append(notes, wording.NoStacks)
	}
	return notes
}
