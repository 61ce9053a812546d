package table

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/trcx/trcx/internal/sanitize"
)

// Histogram lists classes with their objects and bytes as jmap -histo prints them.
type Histogram struct{ rows []histogramRow }

type histogramRow struct {
	objects, bytes uint64
	class          string
}

// maxClass limits the name of a class.
const maxClass = 80

// Add adds a class.
func (h *Histogram) Add(objects, bytes uint64, class string) {
	h.rows = append(h.rows, histogramRow{objects, bytes, class})
}

// Write writes the classes, by descending bytes.
func (h *Histogram) Write(out io.Writer) error {
	slices.SortStableFunc(h.rows, func(a, b histogramRow) int {
		return cmp.Or(cmp.Compare(b.bytes, a.bytes), strings.Compare(a.class, b.class))
	})
	w := bufio.NewWriter(out)
	fmt.Fprintf(w, " num     #instances         #bytes  class name\n")
	fmt.Fprintf(w, "-------------------------------------------------------\n")
	objects, bytes := uint64(0), uint64(0)
	for i, row := range h.rows {
		fmt.Fprintf(w, "%4d: %13d %14d  %s\n", i+1, row.objects, row.bytes,
			sanitize.Short(sanitize.Text(row.class), maxClass))
		objects += row.objects
		bytes += row.bytes
	}
	fmt.Fprintf(w, "Total %13d %14d\n", objects, bytes)
	return w.Flush()
}
