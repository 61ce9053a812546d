package dot

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/trcx/trcx/internal/sanitize"
	"github.com/trcx/trcx/internal/table"
	"github.com/trcx/trcx/trace"
)

// The looks of edges, by their kind.
var looks = [...]struct{ color, style, legend string }{
	blocked:  {"#3b5a7a", "solid", "a full arrow: blocked on a monitor that the other thread held"},
	joining:  {"#7a7a7a", "dashed", "a dashed arrow: waited for the end of the other thread"},
	deadlock: {"#c00000", "bold", "a red arrow: a deadlock"},
}

const head = `digraph waits {
	graph [rankdir=LR, charset="UTF-8", fontname="Helvetica", fontsize=11, labeljust=l, labelloc=b, nodesep=0.35, ranksep=1.1, pad=0.3]
	node [shape=box, style="rounded,filled", fillcolor="#f7f9fc", color="#3b5a7a", fontname="Helvetica", fontsize=12, margin="0.15,0.08"]
	edge [fontname="Helvetica", fontsize=10, arrowsize=0.7]
`

// write writes the graph.
func (g *Graph) write(s *trace.Summary) error {
	if len(g.edges) > g.most {
		g.group()
	}
	left := g.dropped + g.keep(g.most)
	g.forget()
	g.place()
	var b strings.Builder
	b.WriteString(head)
	fmt.Fprintf(&b, "\tlabel=%s\n", quoted(g.legend(s, left), `\l`))
	for _, key := range sorted(g.nodes) {
		g.writeNode(&b, key)
	}
	widest := int64(1)
	for _, e := range g.edges {
		widest = max(widest, e.total)
	}
	for number, key := range g.ranked() {
		width := 1 + 4*float64(g.edges[key].total)/float64(widest)
		if key.kind == deadlock {
			width = max(width, 3)
		}
		g.writeEdge(&b, number, key, width)
	}
	b.WriteString("}\n")
	_, err := g.out.Write([]byte(b.String()))
	return err
}

func sorted(nodes map[trace.ThreadKey]*node) []trace.ThreadKey {
	return slices.Sorted(maps.Keys(nodes))
}

// legend is what stands below the graph, line by line.
func (g *Graph) legend(s *trace.Summary, left int) []string {
	lines := []string{
		"",
		fmt.Sprintf(
			"Who waited for whom, in %s: an arrow leads from the thread that waited, and is as wide as the wait "+
				"was long.",
			table.Duration(int64(s.Last-s.Start)))}
	var kinds [len(looks)]bool
	for key := range g.edges {
		kinds[key.kind] = true
	}
	for kind, has := range kinds {
		if has {
			lines = append(lines, looks[kind].legend)
		}
	}
	if len(g.edges) == 0 {
		lines = append(lines, "No thread waited for another one.")
	}
	if g.groups != nil {
		lines = append(lines,
			"Threads whose names differ in digits only are one box, since there are too many arrows to draw each.")
	}
	if g.path > 0 {
		here := percent(g.path-g.critical[0], g.path)
		lines = append(lines, fmt.Sprintf("yellow: on the critical path, of which %s is in threads that are shown here",
			here))
	}
	if left > 0 {
		arrows := "arrows"
		if left == 1 {
			arrows = "arrow"
		}
		lines = append(lines, fmt.Sprintf("left out: %d %s of shorter waits, together %s", left, arrows, waits(g.left)))
	}
	return lines
}

// percent is a part of the whole, which is above 0.
func percent(part, whole int64) string {
	return fmt.Sprintf("%.0f %%", 100*float64(part)/float64(whole))
}

const unknown = `	t0 [label="unknown", shape=ellipse, style=dashed, color="#7a7a7a", fontcolor="#7a7a7a", tooltip="the trace does not say who it was"]
`

func (g *Graph) writeNode(b *strings.Builder, key trace.ThreadKey) {
	if key == 0 {
		b.WriteString(unknown)
		return
	}
	lines, title := g.about(key)
	look := ""
	if g.critical[key] > 0 {
		look += `, fillcolor="#fff0b3"`
	}
	if _, stuck := g.steps[key]; stuck {
		look += `, color="` + looks[deadlock].color + `"`
	}
	if look != "" {
		look += ", penwidth=2"
	}
	fmt.Fprintf(b, "\tt%d [label=%s, tooltip=%s%s]\n", key, quoted(lines, `\n`),
		quoted([]string{sanitize.Short(title, longestTip)}, `\n`), look)
}

// about is what is said of a node, and the whole of its name.
func (g *Graph) about(key trace.ThreadKey) (lines []string, title string) {
	n := g.nodes[key]
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
	case n.blocked.count > 0 && g.dropped > 0: // it may have been more before this node was given up and came again
		lines = append(lines, "blocked at least "+waits(n.blocked))
	case n.blocked.count > 0:
		lines = append(lines, "blocked "+waits(n.blocked))
	}
	if share := g.critical[key]; share > 0 {
		lines = append(lines, fmt.Sprintf("critical path %s, %s", table.Duration(share), percent(share, g.path)))
	}
	return lines, title
}

// writeEdge writes the edge, which is the one with the number in the graph.
func (g *Graph) writeEdge(b *strings.Builder, number int, key edgeKey, width float64) {
	look := looks[key.kind]
	lines, tip := g.words(key)
	line := fmt.Sprintf(`color="%s", fontcolor="%[1]s", style=%[2]s, penwidth=%.1[3]f, tooltip=%[4]s`,
		look.color, look.style, width, quoted([]string{tip}, `\n`))
	if key.waiter != key.holder {
		fmt.Fprintf(b, "\tt%d -> t%d [label=%s, %s]\n", key.waiter, key.holder, quoted(append(lines, " "), `\n`), line)
		return
	}
	// Threads of one group have waited for each other. Loops would lie upon each other, so the words become a node that
	// the arrow runs through.
	fmt.Fprintf(b, "\tw%d [label=%s, shape=plaintext, style=\"\", fontcolor=\"%s\", fontsize=10]\n", number,
		quoted(lines, `\n`), look.color)
	fmt.Fprintf(b, "\tt%d -> w%d [dir=none, %s]\n\tw%[2]d -> t%[1]d [%[3]s]\n", key.waiter, number, line)
}

// words are what is said of an edge, and what is said besides when a pointer rests on it.
func (g *Graph) words(key edgeKey) (lines []string, tip string) {
	e := g.edges[key]
	if at := g.steps[key.waiter]; key.kind == deadlock {
		lines = append(lines, fmt.Sprintf("deadlock %d: %d of %d", at.loop, at.number, at.of))
	}
	if key.kind == joining {
		lines, tip = append(lines, "join"), "join"
	} else {
		class := sanitize.Text(strings.ReplaceAll(key.class, "/", "."))
		lines, tip = append(lines, e.monitor(class)), sanitize.Short(class, longestTip)
	}
	lines = append(lines, waits(e.sum))
	if e.count > 1 {
		lines = append(lines, "longest "+table.Duration(e.max))
	}
	return lines, tip
}

// monitor is what to call the monitors of the edge: the class without its packages, and the id if there is one monitor
// only.
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

// waits is how long and how often.
func waits(s sum) string {
	if s.count == 1 {
		return table.Duration(s.total)
	}
	return fmt.Sprintf("%s in %d waits", table.Duration(s.total), s.count)
}

// How many characters of a name are shown, and how many where a pointer rests on it.
const (
	longestName = 40
	longestTip  = 400
)

// quoted is a string of Graphviz with the lines, which are printable. Each ends in the escape: \n for lines that are
// centred, \l for lines that begin at the left.
func quoted(lines []string, end string) string {
	text := escapes.Replace(strings.Join(lines, "\n"))
	if end == `\l` {
		text += "\n"
	}
	return `"` + strings.ReplaceAll(text, "\n", end) + `"`
}

// escapes are for characters that Graphviz does not take as they are: it knows escapes, and the entities of HTML.
var escapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, `&`, `&amp;`)
