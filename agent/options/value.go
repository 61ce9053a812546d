package options

import (
	"errors"
	"fmt"
	"math"
	"net"
	"strconv"
	"strings"
	"time"
)

// number sets a field to a whole number within bounds.
func number(least, most int, field func(*Options) *int) setter {
	return func(o *Options, value string) error {
		n, err := strconv.Atoi(value)
		if err != nil || n < least || n > most || strings.HasPrefix(value, "+") {
			if most == math.MaxInt32 {
				return fmt.Errorf("a whole number from %d is needed", least)
			}
			return fmt.Errorf("a whole number from %d to %d is needed", least, most)
		}
		*field(o) = n
		return nil
	}
}

// text sets a field to any text.
func text(field func(*Options) *string) setter {
	return func(o *Options, value string) error {
		*field(o) = value
		return nil
	}
}

// turn makes a switch that sets a field.
func turn(to bool, field func(*Options) *bool) setter {
	return func(o *Options, _ string) error {
		*field(o) = to
		return nil
	}
}

// truth sets a field to what a value says, true or false.
func truth(field func(*Options) *bool) setter {
	return func(o *Options, value string) error {
		if value != "true" && value != "false" {
			return errors.New("true or false is needed")
		}
		*field(o) = value == "true"
		return nil
	}
}

// span sets a field to a length of time.
func span(least time.Duration, field func(*Options) *time.Duration) setter {
	return func(o *Options, value string) error {
		given := value
		if strings.Trim(value, "0123456789.") == "" {
			value += "s"
		}
		d, err := time.ParseDuration(value)
		switch {
		case err != nil:
			return errors.New("a time is needed, such as 500ms, 90s, 1m30s, or seconds: 90")
		case d < 0:
			return errors.New("a time cannot be negative")
		case d < least:
			return fmt.Errorf("%s is too short", given)
		}
		*field(o) = d
		return nil
	}
}

// units are what sizes may be given in, largest first.
var units = []struct {
	name  string
	bytes int64
}{{"T", 1 << 40}, {"G", 1 << 30}, {"M", 1 << 20}, {"K", 1 << 10}, {"", 1}}

// size sets a field to a number of bytes above 0.
func size(field func(*Options) *int64) setter {
	return func(o *Options, value string) error {
		for _, unit := range units {
			digits, ok := strings.CutSuffix(strings.ToUpper(value), unit.name)
			if !ok {
				continue
			}
			n, err := strconv.ParseUint(digits, 10, 63)
			if err != nil || n == 0 || int64(n) > math.MaxInt64/unit.bytes {
				break
			}
			*field(o) = int64(n) * unit.bytes
			return nil
		}
		return errors.New("a size above 0 is needed: bytes, or a whole number with K, M, G or T, such as 500M")
	}
}

// sizeText is a size as size reads it.
func sizeText(bytes int64) string {
	for _, unit := range units {
		if bytes%unit.bytes == 0 {
			return fmt.Sprint(bytes/unit.bytes) + unit.name
		}
	}
	return ""
}

// stdout is the file name that means the standard output.
const stdout = "-"

func toFile(o *Options, value string) error {
	if value == stdout {
		o.Output.Kind, o.Output.Address = Stdout, ""
		return nil
	}
	if verb, found := unknownVerb(value); found {
		return fmt.Errorf(
			"%q means nothing: there are %%p (the process), %%t (the time), %%h (the host) and %%%% (a percent sign)",
			verb)
	}
	o.Output.Kind, o.Output.Address = File, value
	return nil
}

func toTCP(o *Options, value string) error {
	host, port, err := net.SplitHostPort(value)
	if n, bad := strconv.ParseUint(port, 10, 16); err != nil || bad != nil || n == 0 || host == "" {
		return errors.New("a host and a port from 1 to 65535 are needed, such as localhost:10006 or [::1]:10006")
	}
	o.Output.Kind, o.Output.Address = TCP, value
	return nil
}

// longestSocketPath is how many bytes the path of a socket may have: Linux has room for 108, with a zero byte behind
// it.
const longestSocketPath = 107

func toUnix(o *Options, value string) error {
	if len(value) > longestSocketPath {
		return fmt.Errorf("the path of a socket may have %d bytes, this one has %d", longestSocketPath, len(value))
	}
	o.Output.Kind, o.Output.Address = Unix, value
	return nil
}

// setToken takes what can be sent as a line.
func setToken(o *Options, value string) error {
	if strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r == 0x7F }) {
		return errors.New("it must be one line, without control characters")
	}
	o.Output.Token = value
	return nil
}
