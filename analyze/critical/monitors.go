package critical

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trcx/trcx/internal/glob"
	"github.com/trcx/trcx/trace/javaname"
)

// Monitors selects monitors by id, class, or both, or one monitor.
type Monitors struct {
	name string
	one  *Object
}

// MonitorOf selects the object.
func MonitorOf(o Object) Monitors { return Monitors{o.ID.String(), &o} }

// sentence lists the words before a monitor in the sentences and tables of answers.
var sentence = []string{"monitor=", "the ", "lock of ", "notification of "}

// ParseMonitors parses the id of a monitor, a pattern of classes with / or . in it, or both: 1013, java.util.*,
// java/util/Vector@1013. It accepts a monitor as any output names it: the lock of shop.Cache 900, lock ReentrantLock
// 901, object 902, condition of ReentrantLock 901 (903).
func ParseMonitors(text string) (Monitors, error) {
	name := strings.TrimSpace(text)
	for _, words := range sentence {
		name = strings.TrimPrefix(name, words)
	}
	if name == "" {
		return Monitors{}, fmt.Errorf("the monitor is missing")
	}
	if class, id, both := glob.CutLast(name, "@"); both && (class == "" || id == "") {
		return Monitors{}, fmt.Errorf("invalid monitor %q: want an id, a class, or both as CLASS@ID", name)
	}
	return Monitors{name: name}, nil
}

// String returns the text that was parsed, without the words of sentences.
func (m Monitors) String() string { return m.name }

// Match reports whether the object is one of the monitors.
func (m *Monitors) Match(o Object) bool {
	if m.one != nil {
		return m.one.ID == o.ID && m.one.Session == o.Session
	}
	id := o.ID.String()
	if m.name == id || strings.HasPrefix(m.name, "condition of ") && strings.HasSuffix(m.name, "("+id+")") {
		return true
	}
	for _, separator := range []string{"@", " "} {
		if class, ok := strings.CutSuffix(m.name, separator+id); ok {
			return glob.Classes(class).MatchClass(namesOf(o.Class)...)
		}
	}
	return o.Class != "" && glob.Classes(m.name).MatchClass(namesOf(o.Class)...)
}

// namesOf returns the names that answers use for the class of a monitor.
func namesOf(class string) []string {
	if class == "" {
		return []string{"object"}
	}
	names := append(javaname.OfMonitor(class), class, javaname.Class(class))
	if s, ok := javaname.SynchronizerOf(class); ok {
		names = append(names, s.String())
		if s.Fair {
			names = append(names, javaname.PlainClass(class)+" (fair)")
		}
	}
	return names
}

// Any reports whether threads waited for one of the monitors in the records so far.
func (r *Recorder) Any(monitors []Monitors) bool { return slices.Contains(r.matching(monitors), true) }

// matching reports which objects are one of the monitors, by the objects' numbers.
func (r *Recorder) matching(monitors []Monitors) []bool {
	match := make([]bool, r.objects.Len()+1)
	for i := range r.objects.Len() {
		o := r.objectAt(uint32(i + 1))
		match[i+1] = slices.ContainsFunc(monitors, func(m Monitors) bool { return m.Match(o) })
	}
	return match
}
