package javaname

import "strings"

// The JVM's names of constructors and static initialisers have angle brackets. TPTP writes hyphens in their place.
const (
	javaConstructor, constructor = "<init>", "-init-"
	javaInitialiser, initialiser = "<clinit>", "-clinit-"
)

// TraceMethod returns the name that traces have for the JVM's name of a method.
func TraceMethod(java string) string {
	switch java {
	case javaConstructor:
		return constructor
	case javaInitialiser:
		return initialiser
	}
	return java
}

// Method returns the JVM's name for a trace's name of a method.
func Method(name string) string {
	switch name {
	case constructor:
		return javaConstructor
	case initialiser:
		return javaInitialiser
	}
	return name
}

// Signature returns the types of a method as people read them: (int, java.lang.String): long for the JVM's descriptor
// (ILjava/lang/String;)J. ok is false if the text is not a method's descriptor.
func Signature(descriptor string) (text string, ok bool) {
	rest, ok := strings.CutPrefix(descriptor, "(")
	var parameters []string
	for ok && !strings.HasPrefix(rest, ")") {
		var parameter string
		parameter, rest, ok = nextType(rest)
		parameters = append(parameters, parameter)
	}
	if !ok {
		return "", false
	}
	if rest == ")V" {
		return "(" + strings.Join(parameters, ", ") + "): void", true
	}
	result, rest, ok := nextType(rest[1:])
	return "(" + strings.Join(parameters, ", ") + "): " + result, ok && rest == ""
}

// nextType returns the first type of a descriptor, and the text after it.
func nextType(descriptor string) (name, rest string, ok bool) {
	element := strings.TrimLeft(descriptor, "[")
	dimensions := len(descriptor) - len(element)
	if element == "" {
		return "", "", false
	}
	if name, rest = primitives[element[0]], element[1:]; element[0] == 'L' {
		name, rest, ok = strings.Cut(rest, ";")
		name = strings.ReplaceAll(name, "/", ".")
		ok = ok && name != ""
	} else {
		ok = name != ""
	}
	return name + strings.Repeat("[]", dimensions), rest, ok && dimensions <= 255
}
