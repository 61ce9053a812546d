package deadlock

// The limits of the monitors that a thread holds, and of those that it holds while it is blocked.
const (
	MaxHeld   = maxHeld
	MaxClaims = maxClaims
)

// Known counts the threads and monitors that the Finder keeps.
func (f *Finder) Known() (threads, monitors int) { return len(f.threads), len(f.monitors) }

// Most returns the largest number of monitors that a thread holds, and of those that it holds while it is blocked.
func (f *Finder) Most() (held, claims int) {
	for _, t := range f.threads {
		held = max(held, len(t.held))
		if t.blocked() {
			claims = max(claims, len(t.block.claims))
		}
	}
	return held, claims
}

// Supposed returns the inversions that were not seen.
func (r *Report) Supposed() []Inversion { return r.supposed() }
