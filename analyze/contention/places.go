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

// spotOf returns the owner's place in the record.
func (c *Collector) spotOf(r *trace.MonitorOwner) spot {
	if r.Stack == nil {
		return spot{}
	}
	return spot{c.ownMethods.positionOf(r.Stack.Place()), r.Probable}
}

// placesOfOwners returns the places of each owner, those where it blocked others longest first.
func (c *Collector) placesOfOwners() map[ownerKey][]OwnerPlace {
	all := map[ownerKey][]OwnerPlace{}
	for _, t := range c.holders.places.heaviest() {
		key := ownerKey{t.of.monitor, t.of.owner}
		all[key] = append(all[key], OwnerPlace{c.ownMethods.place(t.of.at.position), t.Total, t.of.at.probable})
	}
	return all
}
