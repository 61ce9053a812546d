// Package javaname converts the names of Java's classes and methods between the forms of traces, the JVM and programs.
//
// It also names the classes of java.util.concurrent on which threads park.
package javaname

import "strings"

// HiddenClass returns the name that a trace has for a hidden class, such as a lambda's: the class's own name with
// slashes, a point, and the JVM's suffix, as JVMTI has it: app/Main$$Lambda.0x00007f0b08001000. For other names it
// returns the name itself and false. JVMs and their tools write a hidden class as:
//
//	app/Main$$Lambda.0x00007f0b08001000           JVMTI
//	app/Main$$Lambda+0x00007f0b08001000           inside of HotSpot, and in heap dumps
//	app.Main$$Lambda/0x00007f0b08001000           Class.getName, thread dumps, the Flight Recorder of JDK 25
//	app.Main$$Lambda$1+0x00007f0b08001000/937773  the Flight Recorder of JDK 17; the last number is the class's hash
//	app.Main$$Lambda$1/937773                     before JDK 15; also with slashes
//
// The name may be an array's, [Lapp/Main$$Lambda+0x00007f0b08001000;.
func HiddenClass(name string) (own string, ok bool) {
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

// ClassOfClasses is the class of the objects that represent classes.
const ClassOfClasses = "java/lang/Class"

// ClassObject returns the class of the java.lang.Class object that represents a class: java/lang/Class<shop/Config>.
// The declared class is java/lang/Class, or "" if the trace has not defined the object.
func ClassObject(declared, represented string) string { return declared + "<" + represented + ">" }

// SplitClassObject returns the parts of ClassObject, or the class itself and "" if it is another one.
func SplitClassObject(class string) (declared, represented string) {
	declared, rest, _ := strings.Cut(class, "<")
	represented, ok := strings.CutSuffix(rest, ">")
	if !ok || represented == "" || declared != "" && slashed(declared) != ClassOfClasses {
		return class, ""
	}
	return declared, represented
}

// DeclaredClass returns the class that the trace has declared for an object: java/lang/Class for
// java/lang/Class<shop/Config>.
func DeclaredClass(class string) string {
	declared, _ := SplitClassObject(class)
	return declared
}

// Class returns the name of a class as Java programs write it: java.lang.Object, int[], java.lang.String[][]. A
// java.lang.Class object of ClassObject is class shop.Config.
func Class(name string) string {
	if _, represented := SplitClassObject(name); represented != "" {
		return "class " + Class(represented)
	}
	element := strings.TrimLeft(name, "[")
	arrays := strings.Repeat("[]", len(name)-len(element))
	switch {
	case arrays == "":
	case len(element) == 1 && primitives[element[0]] != "":
		element = primitives[element[0]]
	case len(element) > 2 && element[0] == 'L' && element[len(element)-1] == ';':
		element = element[1 : len(element)-1]
	default:
		element, arrays = name, ""
	}
	return strings.ReplaceAll(element, "/", ".") + arrays
}

// PlainClass returns the name of a class as people know it: the one that Class returns, but
// java.util.concurrent.locks.ReentrantLock for its nested class NonfairSync, on which the lock parks threads.
func PlainClass(name string) string {
	if s, ok := SynchronizerOf(name); ok {
		return s.name
	}
	return Class(name)
}

// primitives are the names of the primitive types, by their letters in the names of arrays.
var primitives = [256]string{'B': "byte", 'C': "char", 'D': "double", 'F': "float", 'I': "int", 'J': "long", 'S': "short",
	'Z': "boolean"}

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

// InternalClass returns the JVM's internal name of a class that has Java's form, java.lang.String[], or the
// internal one already: [Ljava/lang/String;.
func InternalClass(name string) string {
	if !strings.HasSuffix(name, "[]") {
		return slashed(name)
	}
	element := strings.TrimRight(name, "[]")
	dimensions := strings.Repeat("[", (len(name)-len(element))/2)
	for letter, primitive := range primitives {
		if primitive == element && element != "" {
			return dimensions + string(rune(letter))
		}
	}
	return dimensions + "L" + slashed(element) + ";"
}

// slashed replaces the dots of a name without slashes; see HiddenClass for hidden classes.
func slashed(name string) string {
	if hidden, ok := HiddenClass(name); ok {
		return hidden
	}
	if strings.Contains(name, "/") {
		return name
	}
	return strings.ReplaceAll(name, ".", "/")
}
