package serve

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
)

// Only the server's own page, in a browser on this machine, gets answers. Any site can make a browser send requests to
// loopback, and even read the answers through a name that resolves to it (DNS rebinding). So the Host must be a name of
// loopback with the server's port, the Origin, if any, the server's own, and the address must contain a random token.

// newToken returns a token of 128 random bits, as text for an address.
func newToken() string {
	var bits [16]byte
	rand.Read(bits[:]) // never fails
	return base64.RawURLEncoding.EncodeToString(bits[:])
}

// loopback are the names of this machine that a Host may have.
var loopback = []string{"127.0.0.1", "localhost", "::1"}

// policy allows the page its own script and style, and requests to this server.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// headers are the headers of all answers.
var headers = map[string]string{
	"Content-Security-Policy":      policy,
	"X-Content-Type-Options":       "nosniff",
	"Referrer-Policy":              "no-referrer", // the token is in the address
	"Cross-Origin-Resource-Policy": "same-origin",
	"Cross-Origin-Opener-Policy":   "same-origin",
	"Cache-Control":                "no-store",
}

// guard passes allowed requests on, and removes the token from their path.
type guard struct {
	hosts       []string // the names of this server
	port, token string
	next        http.Handler
}

// ServeHTTP refuses a request or passes it on.
func (g *guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	for name, value := range headers {
		w.Header().Set(name, value)
	}
	switch {
	case !g.isHost(r.Host):
		turnAway(w, http.StatusMisdirectedRequest, "this server answers to the names of loopback only")
	case !g.isOrigin(r.Header.Values("Origin")) || r.Header.Get("Sec-Fetch-Site") == "cross-site":
		turnAway(w, http.StatusForbidden, "this server answers to its own pages only")
	case r.Method != http.MethodGet:
		w.Header().Set("Allow", http.MethodGet)
		turnAway(w, http.StatusMethodNotAllowed, "this server only answers GET")
	default:
		token, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		if subtle.ConstantTimeCompare([]byte(token), []byte(g.token)) != 1 {
			turnAway(w, http.StatusNotFound,
				"there is nothing here; use the address that trcx serve printed, with its token")
			return
		}
		if !welcome(r.Context()) {
			turnAway(w, http.StatusServiceUnavailable,
				fmt.Sprintf("%d connections show the page already; close some of its windows", mostClients))
			return
		}
		if r.URL.Path == "/"+token {
			http.Redirect(w, r, "/"+token+"/", http.StatusMovedPermanently)
			return
		}
		r.URL.Path = "/" + rest
		g.next.ServeHTTP(w, r)
	}
}

// isHost reports whether the Host names this server on loopback.
func (g *guard) isHost(host string) bool {
	name, port, err := net.SplitHostPort(host)
	if err != nil { // a Host without a port has the default one
		name, port = strings.Trim(host, "[]"), "80"
	}
	return port == g.port && slices.Contains(g.hosts, name)
}

// isOrigin reports whether the request comes from a page of this server, or from none.
func (g *guard) isOrigin(origins []string) bool {
	for _, origin := range origins {
		if host, ok := strings.CutPrefix(origin, "http://"); !ok || !g.isHost(host) {
			return false
		}
	}
	return true
}

func refuse(w http.ResponseWriter, status int, why string) { http.Error(w, why, status) }

// turnAway refuses a request and closes the connection.
func turnAway(w http.ResponseWriter, status int, why string) {
	w.Header().Set("Connection", "close")
	refuse(w, status, why)
}
