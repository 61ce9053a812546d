package page

import (
	"fmt"

	"github.com/trcx/trcx/internal/phrase"
)

// FewNote returns the note that some threads, as many as left, are omitted.
func FewNote(left int) string {
	return phrase.Number(left) +
		" threads of the trace are not in this page. It has threads that are deadlocked, on the critical path, or " +
		"were blocked longest. trcx serve shows all."
}

// PartNote returns the note that the page is about a selected part of the trace.
func PartNote(selection string) string {
	return "This is a part of the trace, selected by " + selection +
		"; what is shorter, earlier, later or of others is not here."
}

// PathLeftOut is the reason why a page about a part of the trace has no critical path.
const PathLeftOut = "The critical path leads through all threads, and this page shows only some: pieces in these " +
	"are drawn. trcx path prints the whole."

// BlameWider is the note on a page about a part of the trace that was selected by more than threads and time.
const BlameWider = "The blame is of all waits of the chosen threads that ended in the window: " +
	"a choice by group, class or length does not narrow it."

// MethodsWider is the same note on the methods.
const MethodsWider = "Likewise, the methods are of all calls of the chosen threads in the window."

// CoarseNote returns the note that intervals shorter than the resolution are only in sums.
func CoarseNote(resolution int64) string {
	return fmt.Sprintf(
		"The trace is too large for a page: what is shorter than %s is summed up here. trcx serve shows "+
			"every detail.", phrase.Duration(resolution))
}
