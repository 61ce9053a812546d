package analyse_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/trcx/trcx/fleet/analyse"
	"github.com/trcx/trcx/fleet/rows"
)

// A file that cannot be read is no error: a row says why.
func ExampleAnalyser_File() {
	analyser, err := analyse.New(analyse.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, name := range []string{"../../testdata/recorded/deadlock-jdk17.trcxml", "missing.trcxml"} {
		all, err := analyser.File(context.Background(), name)
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, row := range all.Sorted() {
			if row.Table == rows.Trace && row.Time == "" || row.Table == rows.Deadlock {
				fmt.Println(row.Table+":", strings.TrimSpace(row.Status+row.Name+" "+row.Text))
			}
		}
	}
	// Output:
	// deadlock: Deadlock$Account > Deadlock$Account ../../testdata/recorded/deadlock-jdk17.trcxml
	// trace: complete
	// trace: dead no such file or directory
}
