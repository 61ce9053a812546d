package analyse

import (
	"fmt"
	"iter"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/trcx/trcx/fleet/rows"
	"github.com/trcx/trcx/trace"
)

// HourLabel is the label for the hour, in UTC.
const HourLabel = "hour"

// Pattern reads labels from the end of a path, as {service}/{release}/{host}-* does: * matches what has no slash.
type Pattern struct {
	re    *regexp.Regexp // nil if there is no pattern
	names []string
}

// ParsePattern parses a pattern; "" has no labels.
func ParsePattern(text string) (*Pattern, error) {
	p := &Pattern{}
	if text == "" {
		return p, nil
	}
	var re strings.Builder
	for rest := text; rest != ""; {
		switch name, after, closed := strings.Cut(rest, "}"); {
		case rest[0] == '{' && closed:
			if err := rows.CheckLabel(name[1:]); err != nil {
				return nil, err
			}
			if name = name[1:]; name == HourLabel || slices.Contains(p.names, name) {
				return nil, fmt.Errorf("the label {%s} is there twice, or is of the trace itself", name)
			}
			p.names = append(p.names, name)
			re.WriteString(`([^/]*?)`)
			rest = after
		case rest[0] == '{':
			return nil, fmt.Errorf("the pattern %s lacks a }", text)
		case rest[0] == '*':
			re.WriteString(`[^/]*`)
			rest = rest[1:]
		default:
			re.WriteString(regexp.QuoteMeta(rest[:1]))
			rest = rest[1:]
		}
	}
	if len(p.names) == 0 {
		return nil, fmt.Errorf("the pattern %s has no label, such as {service}", text)
	}
	p.re = regexp.MustCompile(`(?:^|/)` + re.String() + `$`)
	return p, nil
}

// Labels returns the labels of a path: by the pattern, and those of folders that are named as key=value.
func (p *Pattern) Labels(name string) map[string]string {
	labels := maps.Collect(ofFolders(name))
	if p.re != nil {
		if found := p.re.FindStringSubmatch(name); found != nil {
			for i, label := range p.names {
				labels[label] = found[i+1]
			}
		}
	}
	return labels
}

// Names returns the names of the labels that paths have, in the order in which they come first.
func (p *Pattern) Names(paths []string) (names []string) {
	names = slices.Clone(p.names)
	for _, name := range paths {
		for key := range ofFolders(name) {
			if !slices.Contains(names, key) {
				names = append(names, key)
			}
		}
	}
	return names
}

// ofFolders returns the labels of folders that are named as key=value.
func ofFolders(name string) iter.Seq2[string, string] {
	return func(yield func(key, value string) bool) {
		for folder := range strings.SplitSeq(path.Dir(strings.ReplaceAll(name, `\`, "/")), "/") {
			key, value, ok := strings.Cut(folder, "=")
			if ok && rows.CheckLabel(key) == nil && key != HourLabel && !yield(key, value) {
				return
			}
		}
	}
}

// ofTrace are the labels that a trace itself can have, by the attributes of its preamble.
type ofTrace map[string]string

// put keeps what the recording says of itself; the first recording of a trace decides.
func (o ofTrace) put(s *trace.Session) {
	for _, of := range []struct {
		values           []trace.NamedValue
		attribute, label string
	}{{s.Node, "hostname", "host"}, {s.Process, "pid", "pid"}, {s.Agent, "agentName", "agent"}} {
		for _, value := range of.values {
			if value.Name == of.attribute && o[of.label] == "" {
				o[of.label] = value.Value
			}
		}
	}
}

// hourOf returns the number of the hour since 1970 in which the time is.
func hourOf(t trace.Time) int64 {
	hour := int64(t) / int64(time.Hour)
	if int64(t) < 0 && int64(t)%int64(time.Hour) != 0 {
		hour--
	}
	return hour
}

// hourText returns the hour as a label has it: 2026-11-27T04. It is "" in 1970 and before: the times of such a trace
// begin at 0.
func hourText(hour int64) string {
	if hour < 365*24 {
		return ""
	}
	return time.Unix(hour*3600, 0).UTC().Format("2006-01-02T15")
}
