package javaname

// The JVM's names of constructors and static initialisers have angle brackets. TPTP writes hyphens in their place.
const (
	javaConstructor, constructor = "<init>", "-init-"
	javaInitialiser, initialiser = "<clinit>", "-clinit-"
)

// TraceMethod is the name that a trace has for a method which the JVM calls so.
func TraceMethod(java string) string {
	switch java {
	case javaConstructor:
		return constructor
	case javaInitialiser:
		return initialiser
	}
	return java
}

// Method is the JVM's name of a method which a trace calls so.
func Method(name string) string {
	switch name {
	case constructor:
		return javaConstructor
	case initialiser:
		return javaInitialiser
	}
	return name
}
