package serve

import (
	"context"
	"net"

	"github.com/trcx/trcx/internal/admission"
)

// clients limits the number of connections. Any program on the machine can open some, so a new connection displaces the
// oldest one that has not sent the token. This way programs without the token cannot block the page.
type clients struct {
	net.Listener
	limit *admission.Limit
}

// client is a connection.
type client struct {
	net.Conn
	place *admission.Place
}

// Accept waits for a connection.
func (c *clients) Accept() (net.Conn, error) {
	conn, err := c.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &client{conn, c.limit.Enter(func() { conn.Close() })}, nil
}

// Close closes the connection and frees its place.
func (c *client) Close() error {
	c.place.Leave()
	return c.Conn.Close()
}

// connectionKey is the key of the connection in a request's context.
type connectionKey struct{}

// withConnection returns the context for the requests of a connection.
func withConnection(ctx context.Context, conn net.Conn) context.Context {
	return context.WithValue(ctx, connectionKey{}, conn)
}

// welcome notes that a request's connection has sent the token, and reports whether the connection is within the limit.
func welcome(ctx context.Context) bool {
	return ctx.Value(connectionKey{}).(*client).place.Welcome()
}
