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

// mostWanted is the share of which most is missing: choosing it again and again keeps the mix at every point of the
// trace, and not only on the whole.
func mostWanted(counts [shares]int64) share {
	wanted := calls
	for s := range shares {
		if counts[s]*percent[wanted] < counts[wanted]*percent[s] {
			wanted = s
		}
	}
	return wanted
}
