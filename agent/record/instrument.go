package record

import (
	"encoding/binary"
	"slices"
	"strings"

	"github.com/trcx/trcx/agent/bci"
	"github.com/trcx/trcx/agent/options"
)

// jdkPackages are packages of the JDK's own classes that the loader of applications loads, such as javac's.
var jdkPackages = []string{"java/", "jdk/", "sun/", "com/sun/"}

// Selection returns the methods whose calls are recorded. From the JDK's own classes it selects only methods that match
// a filter that includes them.
func Selection(o *options.Options) *bci.Selection {
	filters := o.ActiveFilters()
	s := &bci.Selection{Kind: bci.CallKind(o.Exec), MinSize: o.LeastSize(), Synthetic: o.Exec != options.Coverage}
	s.Matches = func(class, method string) bool {
		include, matched := filters.Decide(class, method)
		return include && (matched || !isJDK(class))
	}
	return s
}

// IncludesJDK reports whether a filter may include classes that the JDK's own loaders load.
func IncludesJDK(o *options.Options) bool {
	for _, f := range o.ActiveFilters() {
		if !f.Include {
			continue
		}
		for _, begin := range []string{"java", "jdk.", "sun.", "com.sun.", "org.", "netscape."} {
			if f.Class.Wildcard == options.Prefix || strings.HasPrefix(f.Class.Text, begin) ||
				f.Class.Wildcard == options.Suffix && strings.HasPrefix(begin, f.Class.Text) {
				return true
			}
		}
	}
	return false
}

func isJDK(class string) bool {
	return slices.ContainsFunc(jdkPackages, func(begin string) bool { return strings.HasPrefix(class, begin) })
}

// Definitions returns the payloads of the definitions of a class and its instrumented methods, each after its size.
func Definitions(i *bci.Instrumented) []byte {
	out := appendDefinition(nil, i.Name, i.Source)
	for _, m := range i.Methods {
		out = appendDefinition(out, m.Name, m.Descriptor)
	}
	return out
}

// longestText is the limit of a name's bytes, as native/id.c has it.
const longestText = 8192

func appendDefinition(out []byte, texts ...string) []byte {
	at := len(out)
	out = binary.LittleEndian.AppendUint32(out, 0)
	for _, text := range texts {
		text = text[:min(len(text), longestText)]
		out = append(binary.LittleEndian.AppendUint32(out, uint32(len(text))), text...)
	}
	binary.LittleEndian.PutUint32(out[at:], uint32(len(out)-at-4))
	return out
}
