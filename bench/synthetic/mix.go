package synthetic

import "github.com/trcx/trcx/trace"

// share is a part of the mix.
type share uint8

const (
	calls  share = iota // method entries and exits
	locks               // monitor events
	others              // definitions, heap and thread events, preamble
	shares
)

// percent is how many of a hundred elements belong to each share.
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

// percentOfWaits is percent for a story of waits.
var percentOfWaits = [shares]int64{calls: 4, locks: 92, others: 4}

// mostWanted is the share of which most is missing: choosing it again and again keeps the mix at every point of the
// trace, and not only on the whole.
func (s Story) mostWanted(counts [shares]int64) share {
	percent := percent
	if s.Waits {
		percent = percentOfWaits
	}
	wanted := calls
	for s := range shares {
		if counts[s]*percent[wanted] < counts[wanted]*percent[s] {
			wanted = s
		}
	}
	return wanted
}
