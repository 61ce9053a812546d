package answers

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/trcx/trcx/analyze/answer"
	"github.com/trcx/trcx/internal/sanitize"
)

// WriteHistogram writes the classes by descending bytes, as jmap -histo prints them.
func WriteHistogram(out io.Writer, classes []answer.Class) error {
	slices.SortStableFunc(classes, func(a, b answer.Class) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), strings.Compare(a.Name, b.Name))
	})
	w := bufio.NewWriter(out)
	fmt.Fprintf(w, " num     #instances         #bytes  class name\n")
	fmt.Fprintf(w, "-------------------------------------------------------\n")
	objects, bytes := uint64(0), uint64(0)
	for i, class := range classes {
		fmt.Fprintf(w, "%4d: %13d %14d  %s\n", i+1, class.Objects, class.Bytes,
			shortened(sanitize.Text(class.Name), maxCell))
		objects += class.Objects
		bytes += class.Bytes
	}
	fmt.Fprintf(w, "Total %13d %14d\n", objects, bytes)
	return w.Flush()
}
