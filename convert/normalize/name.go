package normalize

import (
	"bytes"
	"strings"

	"github.com/trcx/trcx/trace/javaname"
)

// primitives maps the primitive types to their descriptors.
var primitives = map[string]string{"boolean": "Z", "byte": "B", "char": "C", "short": "S", "int": "I", "long": "J",
	"float": "F", "double": "D"}

// className returns the internal form of a class name, java/lang/Object or [Ljava/lang/Object;, from any form that
// programs write.
func className(name string) string {
	elements := strings.TrimLeft(name, "[")
	dimensions := name[:len(name)-len(elements)]
	switch described, ok := described(elements); {
	case ok && dimensions == "":
		return slashed(described)
	case ok:
		return dimensions + "L" + slashed(described) + ";"
	case dimensions == "" && strings.HasSuffix(name, "[]"):
		return "[" + descriptor(strings.TrimSuffix(name, "[]"))
	}
	return dimensions + slashed(elements)
}

// described returns the class name of a descriptor such as Ljava/lang/Object;.
func described(descriptor string) (name string, ok bool) {
	name, ok = strings.CutPrefix(descriptor, "L")
	name, ended := strings.CutSuffix(name, ";")
	return name, ok && ended && !strings.ContainsAny(name, ";[]")
}

// slashed returns a class name with slashes. A name that has a slash is returned as it is: its dots mark a hidden
// class.
func slashed(name string) string {
	if own, hidden := javaname.HiddenClass(name); hidden {
		return own
	}
	if strings.Contains(name, "/") {
		return name
	}
	return strings.ReplaceAll(name, ".", "/")
}

// descriptor returns the descriptor of an array's element type.
func descriptor(name string) string {
	if letter, ok := primitives[name]; ok {
		return letter
	}
	if name = className(name); strings.HasPrefix(name, "[") {
		return name
	}
	return "L" + name + ";"
}

// signature returns a method's signature with slashes.
func signature(text string) string { return strings.ReplaceAll(text, ".", "/") }

// names returns the names of the attributes of a start tag, in their order. The tag may be cut off.
func names(tag []byte) (names [][]byte) {
	_, rest, _ := bytes.Cut(tag, []byte{' '})
	for {
		name, value, found := bytes.Cut(rest, []byte{'='})
		if value = bytes.TrimLeft(value, blanks); !found || len(value) < 2 || value[0] != '"' && value[0] != '\'' {
			return names
		}
		names = append(names, bytes.Trim(name, blanks))
		end := bytes.IndexByte(value[1:], value[0])
		if end < 0 {
			return names
		}
		rest = value[end+2:]
	}
}

const blanks = " \t\r\n"
