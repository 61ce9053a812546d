package listen

import (
	"sync"
	"time"

	"github.com/trcx/trcx/agent/output"
)

// refuse answers a connection with the reason for which it is closed, and logs it.
func (s *Server) refuse(r *reception, reason error) {
	s.fail("%s: refused: %v", peer(r.socket), reason)
	answer(r.socket, output.AnswerRefused+reason.Error())
}

// refuseStranger refuses a connection without a valid greeting. Any program can open any number of these, so only some
// are logged one by one.
func (s *Server) refuseStranger(r *reception, reason error) {
	logged, before := s.refusals.add(time.Now())
	s.sum(before)
	if logged {
		s.refuse(r, reason)
		return
	}
	answer(r.socket, output.AnswerRefused+reason.Error())
}

// sum logs the number of refusals that were not logged one by one.
func (s *Server) sum(refused int) {
	if refused > 0 {
		s.fail("%d more connections were refused, none with a valid greeting", refused)
	}
}

// refusals counts connections that were refused because they sent no valid greeting.
type refusals struct {
	mu    sync.Mutex
	since time.Time
	count int // since then
}

// The limit of refusals that are logged one by one, and the time for which it holds.
const (
	maxLogged     = 20
	refusalPeriod = time.Minute
)

// add counts a refusal and reports whether it is logged. before is the number of those that were not, if a new period
// begins.
func (r *refusals) add(now time.Time) (logged bool, before int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if now.Sub(r.since) >= refusalPeriod {
		before = r.restart(now)
	}
	r.count++
	return r.count <= maxLogged, before
}

// end returns the number of refusals that were not logged yet.
func (r *refusals) end() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.restart(time.Time{})
}

func (r *refusals) restart(now time.Time) (unlogged int) {
	unlogged = max(0, r.count-maxLogged)
	r.since, r.count = now, 0
	return unlogged
}
