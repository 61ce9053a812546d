package synthetic

import "github.com/trcx/trcx/trace"

// share is a part of the mix of elements.
type share uint8

const (
	calls  share = iota // method entries and exits
	locks               // monitor events
	others              // definitions, heap and thread events, preamble
	shares
)

// percent is the wanted percentage of elements of each share.
var percent = [shares]int64{calls: 60, locks: 25, others: 15}

func shareOf(kind trace.Kind) share {
	switch kind {
	case trace.MethodEntry, trace.MethodExit:
		return calls
	case trace.MonContendedEnter, trace.MonContendedEntered, trace.MonWait, trace.MonWaited, trace.CallNotify:
		return locks
	default:
		return others
	}
}

// percentOfWaits is percent for a workload of waits.
var percentOfWaits = [shares]int64{calls: 4, locks: 92, others: 4}

// percentOfCalls is percent for a workload of calls.
var percentOfCalls = [shares]int64{calls: 94, locks: 3, others: 3}

// nextShare returns the share that is furthest below its percentage. Choosing it each time keeps the mix constant
// throughout the trace.
func (s Workload) nextShare(counts [shares]int64) share {
	percent := percent
	switch {
	case s.Waits:
		percent = percentOfWaits
	case s.Calls:
		percent = percentOfCalls
	}
	wanted := calls
	for s := range shares {
		if counts[s]*percent[wanted] < counts[wanted]*percent[s] {
			wanted = s
		}
	}
	return wanted
}
