package serve

import (
	"context"
	"net"
	"slices"
	"sync"
)

// clients limits the number of connections. Any program of the machine can open some: a new connection replaces the
// oldest one that has not sent the token, so that programs without the token cannot block the page.
type clients struct {
	net.Listener
	most      int
	mu        sync.Mutex
	left      sync.Cond            // a connection was closed
	strangers []*client            // the oldest first
	known     map[*client]struct{} // those that have shown the token
}

func newClients(listener net.Listener, most int) *clients {
	c := &clients{Listener: listener, most: most, known: map[*client]struct{}{}}
	c.left.L = &c.mu
	return c
}

// client is a connection.
type client struct {
	net.Conn
	among *clients
}

// Accept waits for a connection, and until it is within the limit.
func (c *clients) Accept() (net.Conn, error) {
	conn, err := c.Listener.Accept()
	if err != nil {
		return nil, err
	}
	newest := &client{conn, c}
	if oldest := c.admit(newest); oldest != nil {
		oldest.Conn.Close()
	}
	return newest, nil
}

// admit adds a connection, and returns the one that has to be closed for it, or nil.
func (c *clients) admit(newest *client) (oldest *client) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.known) >= c.most {
		c.left.Wait()
	}
	if len(c.known)+len(c.strangers) >= c.most {
		oldest = c.strangers[0]
		c.strangers = slices.Delete(c.strangers, 0, 1)
	}
	c.strangers = append(c.strangers, newest)
	return oldest
}

// welcome marks a connection that has sent the token. One that was replaced before is closed.
func (c *clients) welcome(one *client) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if at := slices.Index(c.strangers, one); at >= 0 {
		c.strangers = slices.Delete(c.strangers, at, at+1)
		c.known[one] = struct{}{}
	}
}

// Close closes the connection, so that another one is within the limit.
func (c *client) Close() error {
	c.among.leave(c)
	return c.Conn.Close()
}

func (c *clients) leave(one *client) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if at := slices.Index(c.strangers, one); at >= 0 {
		c.strangers = slices.Delete(c.strangers, at, at+1)
	}
	if _, is := c.known[one]; is {
		delete(c.known, one)
		c.left.Signal()
	}
}

// connectionKey is the key of the connection in a request's context.
type connectionKey struct{}

// withConnection is the context of the requests of a connection.
func withConnection(ctx context.Context, conn net.Conn) context.Context {
	return context.WithValue(ctx, connectionKey{}, conn)
}

// welcome notes that the connection of a request has shown the token.
func welcome(ctx context.Context) {
	if one, is := ctx.Value(connectionKey{}).(*client); is {
		one.among.welcome(one)
	}
}
