package growth

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// table returns what was measured as two tables in Markdown: of the dimensions, and of the commands.
func table(all []growth) string {
	var out strings.Builder
	byDimension := func(g growth) string { return g.input }
	byCommand := func(g growth) string { return named(g.command) }
	write := func(title string, name, other func(growth) string) {
		fmt.Fprintf(&out, "| %s | times the statements | bytes of memory a unit | CPU time a unit |\n"+
			"|---|---|---|---|\n", title)
		for _, rows := range groups(all, name) {
			most := func(figure func(growth) float64, format string) string {
				worst := slices.MaxFunc(rows, func(a, b growth) int { return cmp.Compare(figure(a), figure(b)) })
				return fmt.Sprintf(format+" (%s)", figure(worst), other(worst))
			}
			fmt.Fprintf(&out, "| %s | %s | %s | %s |\n", name(rows[0]),
				most(func(g growth) float64 { return g.Times }, "%.1f"),
				most(func(g growth) float64 { return g.Bytes }, "%.0f"),
				most(func(g growth) float64 { return float64(g.CPU) / 1e3 }, "%.3g µs"))
		}
	}
	write("dimension", byDimension, byCommand)
	out.WriteByte('\n')
	write("command", byCommand, byDimension)
	return out.String()
}

// named returns a command without its files, but for the ending that decides the form.
func named(command string) string {
	var fields []string
	for _, field := range strings.Fields(command) {
		switch {
		case strings.HasPrefix(field, "%") && strings.Contains(field, "trace"):
			fields = append(fields, "-o "+strings.TrimPrefix(field, "%/"))
		case field != "-o" && field != "$" && !strings.HasPrefix(field, "%"):
			fields = append(fields, strings.ReplaceAll(field, "|", `\|`))
		}
	}
	return strings.Join(fields, " ")
}

// groups returns the measurements by their names, in the order of those.
func groups(all []growth, name func(growth) string) [][]growth {
	byName := map[string][]growth{}
	for _, g := range all {
		byName[name(g)] = append(byName[name(g)], g)
	}
	var grouped [][]growth
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		grouped = append(grouped, byName[name])
	}
	return grouped
}
