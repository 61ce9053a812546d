package validate_test

import (
	"strings"
	"testing"

	"github.com/trcx/trcx/validate"
)

// TestMaxFindings proves how many findings Read keeps: by default a limited number, and none only if that is asked for.
func TestMaxFindings(t *testing.T) {
	const defects = 1200
	document := "<TRACE>" + strings.Repeat("<monWiat/>", defects) + "</TRACE>"
	for limit, want := range map[int]int{0: validate.DefaultFindings, 7: 7, -1: 0} {
		result, err := validate.Read(t.Context(), strings.NewReader(document), validate.Options{MaxFindings: limit})
		if err != nil || len(result.Findings) != want || result.Counts["dtd-element"] != defects {
			t.Errorf("limit %d: %d of %v findings are kept, want %d; %v", limit, len(result.Findings), result.Counts, want,
				err)
		}
	}
}
