package dot

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/internal/sanitize"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// styles are the styles of edges, by their kind.
var styles = [...]struct{ color, style, legend string }{
	blocked:  {"#3b5a7a", "solid", "a full arrow: blocked on a monitor that the other thread held"},
	joining:  {"#7a7a7a", "dashed", "a dashed arrow: waited for the end of the other thread"},
	deadlock: {"#c00000", "bold", "a red arrow: a deadlock"},
}

// locked is the legend of blocked if there are locks of java.util.concurrent.
const locked = "a full arrow: blocked on a monitor or lock that the other thread held"

// possible is the legend of deadlocks whose threads may have gone on.
const possible = "a red arrow: a possible deadlock, two or more threads that waited for each other when the trace ended"

const head = `digraph waits {
	graph [rankdir=LR, charset="UTF-8", fontname="Helvetica", fontsize=11, labeljust=l, labelloc=b, nodesep=0.35, ranksep=1.1, pad=0.3]
	node [shape=box, style="rounded,filled", fillcolor="#f7f9fc", color="#3b5a7a", fontname="Helvetica", fontsize=12, margin="0.15,0.08"]
	edge [fontname="Helvetica", fontsize=10, arrowsize=0.7]
`

// write writes the graph.
func (w *Writer) write(s *trace.Summary) error {
	w.name = "deadlock"
	if w.possible {
		w.name = "possible deadlock"
	}
	if len(w.edges) > w.most {
		w.group()
	}
	left := w.dropped + w.keep(max(w.most-w.stuck, 0))
	w.forget()
	w.place()
	var b strings.Builder
	b.WriteString(head)
	fmt.Fprintf(&b, "\tlabel=%s\n", quoted(w.legend(s, left), `\l`))
	for _, key := range sorted(w.nodes) {
		w.writeNode(&b, key)
	}
	widest := int64(1)
	for _, e := range w.edges {
		widest = max(widest, e.total)
	}
	for number, key := range w.ranked(func(kind) bool { return true }) {
		width := 1 + 4*float64(w.edges[key].total)/float64(widest)
		if key.kind == deadlock {
			width = max(width, 3)
		}
		w.writeEdge(&b, number, key, width)
	}
	b.WriteString("}\n")
	_, err := w.out.Write([]byte(b.String()))
	return err
}

func sorted(nodes map[trace.ThreadKey]*node) []trace.ThreadKey {
	return slices.Sorted(maps.Keys(nodes))
}

// legend returns the lines of text below the graph.
func (w *Writer) legend(s *trace.Summary, left int) []string {
	lines := []string{
		"", fmt.Sprintf(
			"Who waited for whom, in %s: an arrow leads from the thread that waited, and is as wide as the wait "+
				"was long.",
			phrase.Duration(int64(s.Last-s.Start)))}
	var kinds [len(styles)]bool
	locks := false
	for key := range w.edges {
		kinds[key.kind] = true
		locks = locks || key.kind == blocked && javaname.IsOwnedLock(key.class)
	}
	for kind, has := range kinds {
		switch {
		case has && kind == int(deadlock) && w.possible:
			lines = append(lines, possible)
		case has && kind == int(blocked) && locks:
			lines = append(lines, locked)
		case has:
			lines = append(lines, styles[kind].legend)
		}
	}
	if len(w.edges) == 0 {
		lines = append(lines, "No thread waited for another one.")
	}
	if w.groups != nil {
		lines = append(lines,
			"Threads whose names differ in digits only are one box, since there are too many arrows to draw each.")
	}
	if w.path > 0 {
		here := percent(w.path-w.critical[0], w.path)
		line := fmt.Sprintf("yellow: on the critical path, of which %s is in threads that are shown here", here)
		if w.threadless > 0 {
			line += fmt.Sprintf(", and %s in no thread: collections stopped it, or nobody knows who had a lock",
				percent(w.threadless, w.path))
		}
		lines = append(lines, line)
	}
	if left > 0 {
		arrows := "arrows"
		if left == 1 {
			arrows = "arrow"
		}
		lines = append(lines, fmt.Sprintf("left out: %d %s of shorter waits, together %s", left, arrows, waits(w.left)))
	}
	return lines
}

// percent formats a part of a whole, which is above 0.
func percent(part, whole int64) string {
	return fmt.Sprintf("%.0f %%", 100*float64(part)/float64(whole))
}

const unknown = `	t0 [label="unknown", shape=ellipse, style=dashed, color="#7a7a7a", fontcolor="#7a7a7a", tooltip="the trace does not say who it was"]
`

func (w *Writer) writeNode(b *strings.Builder, key trace.ThreadKey) {
	if key == 0 {
		b.WriteString(unknown)
		return
	}
	lines, title := w.about(key)
	style := ""
	if w.critical[key] > 0 {
		style += `, fillcolor="#fff0b3"`
	}
	if _, stuck := w.steps[key]; stuck {
		style += `, color="` + styles[deadlock].color + `"`
	}
	if style != "" {
		style += ", penwidth=2"
	}
	fmt.Fprintf(b, "\tt%d [label=%s, tooltip=%s%s]\n", key, quoted(lines, `\n`),
		quoted([]string{sanitize.Short(title, longestTip)}, `\n`), style)
}

// about returns the label of a node and its whole name.
func (w *Writer) about(key trace.ThreadKey) (lines []string, title string) {
	n := w.nodes[key]
	title = n.Title()
	if n.threads > 1 {
		title = pattern(&n.Thread)
	}
	title = sanitize.Text(title)
	lines = append(lines, sanitize.Short(title, longestName))
	switch {
	case n.threads > 1:
		lines = append(lines, fmt.Sprintf("%d threads", n.threads))
	case n.Name != "":
		lines = append(lines, "thread "+sanitize.Short(sanitize.Text(n.ID.String()), longestName))
	}
	switch {
	case n.blocked.count > 0 && w.dropped > 0: // there may have been more before this node was dropped and added again
		lines = append(lines, "blocked at least "+waits(n.blocked))
	case n.blocked.count > 0:
		lines = append(lines, "blocked "+waits(n.blocked))
	}
	if share := w.critical[key]; share > 0 {
		lines = append(lines, fmt.Sprintf("critical path %s, %s", phrase.Duration(share), percent(share, w.path)))
	}
	return lines, title
}

// writeEdge writes the edge with a number in the graph.
func (w *Writer) writeEdge(b *strings.Builder, number int, key edgeKey, width float64) {
	style := styles[key.kind]
	lines, tip := w.label(key)
	line := fmt.Sprintf(`color="%s", fontcolor="%[1]s", style=%[2]s, penwidth=%.1[3]f, tooltip=%[4]s`,
		style.color, style.style, width, quoted([]string{tip}, `\n`))
	if key.waiter != key.holder {
		fmt.Fprintf(b, "\tt%d -> t%d [label=%s, %s]\n", key.waiter, key.holder, quoted(append(lines, " "), `\n`), line)
		return
	}
	// Threads of one group have waited for each other. Loops would cover each other, so the label becomes a node on the
	// arrow.
	fmt.Fprintf(b, "\tw%d [label=%s, shape=plaintext, style=\"\", fontcolor=\"%s\", fontsize=10]\n", number,
		quoted(lines, `\n`), style.color)
	fmt.Fprintf(b, "\tt%d -> w%d [dir=none, %s]\n\tw%[2]d -> t%[1]d [%[3]s]\n", key.waiter, number, line)
}

// label returns the label of an edge, and its tooltip.
func (w *Writer) label(key edgeKey) (lines []string, tip string) {
	e := w.edges[key]
	if at := w.steps[key.waiter]; key.kind == deadlock {
		lines = append(lines, fmt.Sprintf("%s %d: %d of %d", w.name, at.loop, at.number, at.of))
	}
	if key.kind == joining {
		lines, tip = append(lines, "join"), "join"
	} else {
		class := sanitize.Text(javaname.PlainClass(key.class))
		lines, tip = append(lines, e.monitor(class)), sanitize.Short(class, longestTip)
	}
	lines = append(lines, waits(e.sum))
	if e.count > 1 {
		lines = append(lines, "longest "+phrase.Duration(e.max))
	}
	return lines, tip
}

// monitor returns the name of the edge's monitors: the class without its packages, and the id of a single monitor.
func (e *edge) monitor(class string) string {
	name := sanitize.Short(class[strings.LastIndexByte(class, '.')+1:], longestName)
	switch {
	case e.several && name == "":
		return "several monitors"
	case e.several:
		return name + ", several"
	case name == "":
		name = "monitor"
	}
	if e.object.Known() {
		name += " #" + sanitize.Short(sanitize.Text(e.object.String()), longestName)
	}
	return name
}

// waits formats the length and the number of waits.
func waits(s sum) string {
	if s.count == 1 {
		return phrase.Duration(s.total)
	}
	return fmt.Sprintf("%s in %d waits", phrase.Duration(s.total), s.count)
}

// The limits of characters of a name in a label and in a tooltip.
const (
	longestName = 40
	longestTip  = 400
)

// quoted returns a string of Graphviz with printable lines. Each ends in the escape: \n for centred lines, \l for lines
// aligned to the left.
func quoted(lines []string, end string) string {
	text := escapes.Replace(strings.Join(lines, "\n"))
	if end == `\l` {
		text += "\n"
	}
	return `"` + strings.ReplaceAll(text, "\n", end) + `"`
}

// escapes escapes characters that Graphviz interprets: it has escapes and the entities of HTML.
var escapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, `&`, `&amp;`)
