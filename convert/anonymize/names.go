package anonymize

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"hash"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/trcx/trcx/threads"
)

// names computes the replacements of names.
type names struct {
	code hash.Hash // keyed
}

func newNames(key []byte) names { return names{hmac.New(sha256.New, key)} }

// letters encodes 50 bits of a code: among a million names two codes collide with a probability of 1 to 2,000. It has
// no digits, because the names of a pool's threads may differ in digits.
var letters = base32.NewEncoding("abcdefghijklmnopqrstuvwxyzABCDEF").WithPadding(base32.NoPadding)

const codeLength = 10

// replace returns the replacement of the name: a prefix for its kind, and a code.
func (n *names) replace(prefix, name string) string {
	n.code.Reset()
	n.code.Write([]byte(prefix))
	n.code.Write([]byte(name))
	return prefix + letters.EncodeToString(n.code.Sum(nil))[:codeLength]
}

// thread returns the replacement of a thread's name. The number at its end stays. Threads of a pool stay recognizable:
// they share the code of the pool's name. Other numbers in the name, such as ports, get codes in digits.
func (n *names) thread(name string) string {
	pool := threads.PoolOf(name)
	switch {
	case threadsOfJVM[pool]:
		return name
	case pool == name || pool == "*":
		return n.replace("thread-", name)
	}
	replaced, base := n.replace("thread-", pool), strings.TrimRight(name, digits)
	if strings.ContainsAny(base, digits) {
		replaced += "-" + n.number(base)
	}
	if base != name {
		replaced += "-" + name[len(base):]
	}
	return replaced
}

const digits = "0123456789"

// number returns a code in digits.
func (n *names) number(text string) string {
	n.code.Reset()
	n.code.Write([]byte(text))
	return strconv.FormatUint(uint64(binary.BigEndian.Uint32(n.code.Sum(nil))), 10)
}

// threadsOfJVM are pools of threads that the JVM starts itself, for formats without thread groups.
var threadsOfJVM = map[string]bool{"main": true, "Reference Handler": true, "Finalizer": true,
	"Signal Dispatcher": true, "Common-Cleaner": true, "Attach Listener": true, "Service Thread": true,
	"Notification Thread": true, "Monitor Deflation Thread": true, "VM Thread": true, "VM Periodic Task Thread": true,
	"C* CompilerThread*": true, "DestroyJavaVM": true, "HPROF gc_finish watcher": true}

// group returns the replacement of a thread group's name.
func (n *names) group(name string) string {
	switch name {
	case "main", "system", "InnocuousThreadGroup", "CarrierThreads", "VirtualThreads":
		return name
	}
	return n.replace("group-", name)
}

// lambda is in the names of the classes that the JDK generates for lambdas, which are not places in the program.
const lambda = "$$Lambda"

// class returns the replacement of the name of a class, with . or /, of an array, or of a pattern for them. Names of
// the JDK's classes and of primitive types stay.
func (n *names) class(name string) string {
	if open := strings.IndexByte(name, '<'); open > 0 && strings.HasSuffix(name, ">") { // java.lang.Class<app.One>
		return n.class(name[:open]) + "<" + n.class(name[open+1:len(name)-1]) + ">"
	}
	inner := strings.TrimLeft(name, "[")
	dimensions := name[:len(name)-len(inner)]
	if element, ok := strings.CutSuffix(inner, ";"); ok && strings.HasPrefix(inner, "L") {
		return dimensions + "L" + n.class(element[1:]) + ";"
	}
	plain := strings.TrimRight(inner, "[]*")
	switch {
	case plain == "" || primitives[plain] || dimensions != "" && len(plain) == 1 || isOfJDK(plain):
		return name
	}
	separator := "."
	if strings.Contains(plain, "/") || !strings.Contains(plain, ".") {
		separator = "/"
	}
	code := n.replace("C", strings.ReplaceAll(plain, "/", "."))
	if strings.Contains(plain, lambda) {
		code += lambda
	}
	return dimensions + "anonymous" + separator + code + inner[len(plain):]
}

var primitives = map[string]bool{"boolean": true, "byte": true, "char": true, "short": true, "int": true, "long": true,
	"float": true, "double": true, "void": true}

// isOfJDK reports whether a class, or the element class of an array, is the JDK's.
func isOfJDK(class string) bool {
	class = strings.TrimLeft(class, "[")
	if strings.HasSuffix(class, ";") {
		class = strings.TrimPrefix(class, "L")
	}
	root, _, qualified := strings.Cut(strings.ReplaceAll(class, "/", "."), ".")
	return qualified && (root == "java" || root == "javax" || root == "jdk" || root == "sun")
}

// inSignature matches a type in a method's signature: L and the class's name in the JVM's form, or a name for people.
var inSignature = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`L[^;()\s,]+;|[^;()\[\]\s,<>?&]+`)
})

// signature returns the signature with the replacements of its classes.
func (n *names) signature(text string) string {
	asJVM := isDescriptor().MatchString(text)
	return inSignature().ReplaceAllStringFunc(text, func(part string) string {
		if asJVM && !strings.HasSuffix(part, ";") {
			// primitive types, and the class after them
			at := strings.IndexByte(part, 'L')
			if at < 0 {
				return part
			}
			return part[:at] + "L" + n.class(part[at+1:])
		}
		return n.class(part)
	})
}

// isDescriptor matches a signature in the JVM's form.
var isDescriptor = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\((\[*([BCDFIJSZ]|L[^;]+;))*\)\[*([BCDFIJSZV]|L[^;]+;)$`)
})
