package deadlock

// The most monitors that a thread holds at a time, and while it is blocked.
const (
	MostHeld   = mostHeld
	MostClaims = mostClaims
)

// Known is how many threads and monitors the Finder knows.
func (f *Finder) Known() (threads, monitors int) { return len(f.threads), len(f.monitors) }

// Most is how many monitors a thread is kept to hold at the most, and how many while it is blocked.
func (f *Finder) Most() (held, claims int) {
	for _, t := range f.threads {
		held, claims = max(held, len(t.held)), max(claims, len(t.block.beneath))
	}
	return held, claims
}
