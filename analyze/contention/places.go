package contention

import "github.com/trcx/trcx/trace"

// OwnerPlace is a place of an owner of a monitor, and the time that it blocked others there.
type OwnerPlace struct {
	Place
	Total uint64 `json:"total"` // nanoseconds
	// Probable reports that the place is a guess: the owner was seen there before it got the monitor.
	Probable bool `json:"probable,omitempty"`
}

// spot is a place of an owner; the zero spot is unknown.
type spot struct {
	position
	probable bool
}

type (
	// ownerSpot is an owner at a place.
	ownerSpot struct {
		owner trace.ThreadKey
		at    spot
	}
	// ownerPlaceKey is an owner of a monitor at a place.
	ownerPlaceKey struct {
		monitor trace.ObjectKey
		ownerSpot
	}
)
