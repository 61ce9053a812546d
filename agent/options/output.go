package options

import (
	"fmt"
	"strings"
	"time"
)

// Output is where a trace goes.
type Output struct {
	Kind OutputKind
	// Address is the name of a file, not yet expanded (FileName does that); HOST:PORT; or the path of a socket. It is
	// empty for Stdout.
	Address string
	// Token is what a listener wants to be told, empty for nothing. ReadFiles reads that of a TokenFile.
	Token, TokenFile string
}

// OutputKind is a kind of Output.
type OutputKind uint8

// The kinds of outlets.
const (
	File OutputKind = iota
	Stdout
	TCP
	Unix
)

func (o Output) hasToken() bool { return o.Token != "" || o.TokenFile != "" }

// option is how the short form names the outlet.
func (o Output) option() (name, value string) {
	switch o.Kind {
	case Stdout:
		return "file", stdout
	case TCP:
		return "tcp", o.Address
	case Unix:
		return "unix", o.Address
	}
	return "file", o.Address
}

// FileName is the Address of a File with %p, %t, %h and %% replaced: by the process id, the time in UTC as
// yyyymmdd-hhmmss, the host's name, and a percent sign.
func (o Output) FileName(pid int, now time.Time, host string) string {
	return strings.NewReplacer(
		"%p", fmt.Sprint(pid),
		"%t", now.UTC().Format("20060102-150405"),
		"%h", strings.ReplaceAll(host, "/", "_"),
		"%%", "%",
	).Replace(o.Address)
}

// unknownVerb finds a % that FileName would leave as it is.
func unknownVerb(name string) (verb string, found bool) {
	for {
		at := strings.IndexByte(name, '%')
		if at < 0 {
			return "", false
		}
		if at+1 == len(name) || !strings.Contains("pth%", name[at+1:at+2]) {
			return name[at:min(at+2, len(name))], true
		}
		name = name[at+2:]
	}
}
