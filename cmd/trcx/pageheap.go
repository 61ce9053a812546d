package main

import (
	"github.com/trcx/trcx/analyze/allocation"
	"github.com/trcx/trcx/analyze/heap"
	"github.com/trcx/trcx/convert/selection"
	"github.com/trcx/trcx/emit/answers"
	"github.com/trcx/trcx/emit/page"
)

// The limits of the heap in a page. trcx heap does not have them.
const (
	maxCollections = 10_000
	maxLiveObjects = 2 << 20
	maxDump        = 16 << 20 // objects and references
)

// newPageHeap returns the sink for the heap's part of a trace. Its enricher is set later.
func newPageHeap(window selection.Window) *heapSink {
	return &heapSink{
		Collector: &heap.Collector{Limit: maxDump},
		allocations: allocation.NewCollector(allocation.Options{Window: window, Curve: maxCollections,
			MaxLive: maxLiveObjects, NoThreads: true}),
	}
}

// has reports whether the trace has something for the page's Heap tab.
func (s *heapSink) has() bool {
	return s.Dumps > 0 && !s.Exceeded || s.allocations.HasAllocations() || s.allocations.HasCollections()
}

// notes returns notes on how the heap's part differs from the rest of the page.
func (s *heapSink) notes(part selection.Selection) (notes []string) {
	if s.Exceeded {
		notes = append(notes, "The heap dump is too large for a page; trcx heap shows it.")
	}
	part.Window = selection.Window{}
	if s.has() && !part.IsEverything() {
		notes = append(notes, "The heap belongs to all threads, selected or not.")
	}
	return notes
}

// heapJSON returns the heap for the page.
func (s *shownTrace) heapJSON() ([]byte, error) {
	allocations, err := answers.JSON(s.heap.allocations.Extract(page.MaxListed))
	if err != nil || s.heap.Dumps == 0 || s.heap.Exceeded {
		return page.HeapJSON(allocations, nil), err
	}
	graph, err := s.heap.Graph(false)
	if err != nil {
		return nil, err
	}
	report, err := heap.NewReport(graph, heap.Question{Dominators: true}, dumpRemarks(s.heap.Collector)...)
	if err != nil {
		return nil, err
	}
	dump, err := answers.JSON(report.Extract(page.MaxListed))
	return page.HeapJSON(allocations, dump), err
}
