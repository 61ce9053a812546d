package trace

import "strings"

// HiddenClassName is the name that a trace has for a hidden class, such as that of a lambda, in any of the ways in
// which JVMs and their tools write it: the class's own name with slashes, a point, and what the JVM tells it by, as the
// agent has it from JVMTI: app/Main$$Lambda.0x00007f0b08001000. Other names come back as they are, and are not ok.
// These are the ways:
//
//	app/Main$$Lambda.0x00007f0b08001000           JVMTI
//	app/Main$$Lambda+0x00007f0b08001000           inside of HotSpot, and in heap dumps
//	app.Main$$Lambda/0x00007f0b08001000           Class.getName, thread dumps, the Flight Recorder of JDK 25
//	app.Main$$Lambda$1+0x00007f0b08001000/937773  the Flight Recorder of JDK 17; the last number is the class's hash
//	app.Main$$Lambda$1/937773                     before JDK 15; also with slashes
//
// It may be that of an array, [Lapp/Main$$Lambda+0x00007f0b08001000;.
func HiddenClassName(name string) (own string, ok bool) {
	element := strings.TrimLeft(name, "[")
	begin, end := name[:len(name)-len(element)], ""
	if begin != "" && strings.HasPrefix(element, "L") && strings.HasSuffix(element, ";") {
		begin, element, end = begin+"L", element[1:len(element)-1], ";"
	}
	base, mark := element, ""
	if b, hash, ok := cutLast(base, "/"); ok && isDecimal(hash) && strings.Contains(b, "$") {
		base, mark = b, hash
	}
	if b, address, ok := cutLast(base, "/+."); ok && isAddress(address) {
		base, mark = b, address
	}
	if base == "" || mark == "" {
		return name, false
	}
	return begin + strings.ReplaceAll(base, ".", "/") + "." + mark + end, true
}

// cutLast cuts at the last of the characters.
func cutLast(text, characters string) (before, after string, found bool) {
	at := strings.LastIndexAny(text, characters)
	if at < 0 {
		return text, "", false
	}
	return text[:at], text[at+1:], true
}

func isDecimal(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// isAddress reports whether the text is a number such as 0x00007f0b08001000.
func isAddress(text string) bool {
	digits, ok := strings.CutPrefix(text, "0x")
	return ok && digits != "" && strings.Trim(digits, "0123456789abcdef") == ""
}
