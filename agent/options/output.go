package options

import (
	"fmt"
	"strings"
	"time"
)

// Output is the destination of a trace.
type Output struct {
	Kind OutputKind
	// Address is the pattern of a file name (see FileName), HOST:PORT, or the path of a socket. It is "" for Stdout.
	Address string
	// Token is the receiver's token, "" for none. ReadFiles sets it to the content of TokenFile.
	Token, TokenFile string
}

// OutputKind is the kind of an Output.
type OutputKind uint8

// The kinds of outputs.
const (
	File OutputKind = iota
	Stdout
	TCP
	Unix
)

func (o Output) hasToken() bool { return o.Token != "" || o.TokenFile != "" }

// option returns the output as an option of the short form.
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

// FileName returns the Address of a File with %p, %t, %h and %% replaced: by the process id, the time in UTC as
// yyyymmdd-hhmmss, the host's name, and a percent sign.
func (o Output) FileName(pid int, now time.Time, host string) string {
	return strings.NewReplacer(
		"%p", fmt.Sprint(pid),
		"%t", now.UTC().Format("20060102-150405"),
		"%h", strings.ReplaceAll(host, "/", "_"),
		"%%", "%",
	).Replace(o.Address)
}

// Glob returns a pattern for filepath.Glob that matches every FileName of the Address.
func (o Output) Glob() string {
	return strings.NewReplacer("%p", "*", "%t", "*", "%h", "*", "%%", "%",
		"*", `\*`, "?", `\?`, "[", `\[`, `\`, `\\`).Replace(o.Address)
}

// unknownPlaceholder finds a % that FileName would not replace.
func unknownPlaceholder(name string) (placeholder string, found bool) {
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
