// Package admission limits a server's connections, so that programs without its token cannot keep out those with it.
//
// Connections without the token and connections with it have separate limits. Above the first limit, the oldest
// connection is displaced; above the second, a new one is refused after it has shown the token.
package admission

import (
	"slices"
	"sync"
)

// Limit counts a server's connections.
type Limit struct {
	maxStrangers, maxKnown int

	mu        sync.Mutex
	left      sync.Cond // a displaced connection has left
	strangers []*Place  // without the token, the oldest first
	displaced int       // connections
	known     int       // connections with the token
}

// NewLimit returns a Limit for the numbers of connections without the token, and with it. Both are above 0.
func NewLimit(strangers, known int) *Limit {
	l := &Limit{maxStrangers: strangers, maxKnown: known}
	l.left.L = &l.mu
	return l
}

// Place is the place of one connection.
type Place struct {
	limit    *Limit
	displace func()
	state    state
}

type state uint8

const (
	stranger  state = iota // has not shown the token
	displaced              // likewise, and a newer connection has its place
	known                  // has shown the token
	left
)

// Enter returns the place of a new connection. displace is called when newer connections without the token displace
// this one, never after Welcome or Leave. It must neither block nor call the Limit.
//
// Displaced connections are expected to leave soon. Enter waits while there are as many of them as the limit.
func (l *Limit) Enter(displace func()) *Place {
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.displaced >= l.maxStrangers {
		l.left.Wait()
	}
	if len(l.strangers) >= l.maxStrangers {
		oldest := l.strangers[0]
		oldest.become(displaced)
		oldest.displace()
	}
	p := &Place{limit: l, displace: displace}
	l.strangers = append(l.strangers, p)
	return p
}

// Welcome notes that the connection has shown the token, and reports whether it is within the limit. A displaced
// connection has the same chance as others.
func (p *Place) Welcome() bool {
	p.limit.mu.Lock()
	defer p.limit.mu.Unlock()
	if p.state == stranger || p.state == displaced {
		if p.limit.known >= p.limit.maxKnown {
			return false
		}
		p.become(known)
	}
	return p.state == known
}

// Displaced reports whether the connection has lost its place to a newer one.
func (p *Place) Displaced() bool {
	p.limit.mu.Lock()
	defer p.limit.mu.Unlock()
	return p.state == displaced
}

// Leave gives the place up. A second call has no effect.
func (p *Place) Leave() {
	p.limit.mu.Lock()
	defer p.limit.mu.Unlock()
	p.become(left)
}

// become changes the state and counts.
func (p *Place) become(next state) {
	if at := slices.Index(p.limit.strangers, p); at >= 0 {
		p.limit.strangers = slices.Delete(p.limit.strangers, at, at+1)
	}
	switch p.state {
	case displaced:
		p.limit.displaced--
		p.limit.left.Broadcast() // more than one may enter: not every one displaces another
	case known:
		p.limit.known--
	}
	switch next {
	case displaced:
		p.limit.displaced++
	case known:
		p.limit.known++
	}
	p.state = next
}
