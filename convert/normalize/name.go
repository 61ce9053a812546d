package normalize

import (
	"bytes"
	"strings"

	"github.com/trcx/trcx/trace/javaname"
)

// className returns the internal form of a class name, java/lang/Object or [Ljava/lang/Object;, from any form that
// programs write.
func className(name string) string {
	elements := strings.TrimLeft(name, "[")
	dimensions := name[:len(name)-len(elements)]
	switch described, ok := described(elements); {
	case ok && dimensions == "":
		return javaname.InternalClass(described)
	case ok:
		return dimensions + "L" + javaname.InternalClass(described) + ";"
	}
	return dimensions + javaname.InternalClass(elements)
}

// described returns the class name of a descriptor such as Ljava/lang/Object;.
func described(descriptor string) (name string, ok bool) {
	name, ok = strings.CutPrefix(descriptor, "L")
	name, ended := strings.CutSuffix(name, ";")
	return name, ok && ended && !strings.ContainsAny(name, ";[]")
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
