package synthetic

import (
	"strings"

	"github.com/trcx/trcx/trace"
)

const (
	firstClass      = 100_001
	firstMethod     = 200_001
	methodsPerClass = 8
)

// The platform's classes, which precede the program's, by index.
const (
	objectClass = iota
	threadClass
	bytesClass
	objectsClass
	platformClasses
)

// platform has the names of these classes and of their source files; arrays have no source file.
var platform = [platformClasses][2]string{
	objectClass: {"java/lang/Object", "Object.java"}, threadClass: {"java/lang/Thread", "Thread.java"},
	bytesClass: {"[B", ""}, objectsClass: {"[Ljava/lang/Object;", ""},
}

// The parts of names: the program's classes have a domain and a role, their methods an action and a subject.
var (
	domains = [...]string{"account", "audit", "basket", "billing", "catalog", "customer", "delivery", "invoice", "mail",
		"order", "payment", "price", "report", "search", "session", "stock"}
	roles = [...]string{"Cache", "Controller", "Factory", "Filter", "Handler", "Index", "Listener", "Mapper", "Pool",
		"Queue", "Repository", "Service", "Session$Key", "Validator", "View", "Worker$1"}
	actions    = [...]string{"get", "set", "find", "load", "store", "check", "apply", "lambda$run$"}
	subjects   = [...]string{"", "All", "Entry", "Next", "State", "0", "ById", "ForUpdate"}
	signatures = [...]string{"()V", "(I)V", "(Ljava/lang/String;)Ljava/lang/Object;", "(JLjava/util/List;)Z",
		"()Ljava/util/Map;", "([BII)I", "(Ljava/lang/Object;Ljava/lang/Object;)I", "()J"}
)

const programMethods = method(len(domains) * len(roles) * methodsPerClass)

// method is the index of a method of the program, in the order of definition.
type method int

func (m method) id() uint64      { return firstMethod + uint64(m) }
func (m method) class() int      { return platformClasses + int(m)/methodsPerClass }
func (m method) classID() uint64 { return classID(m.class()) }

func classID(class int) uint64 { return firstClass + uint64(class) }

func (m method) name() string {
	if int(m)%methodsPerClass == 0 {
		return "-init-"
	}
	return actions[int(m)%len(actions)] + subjects[int(m)/methodsPerClass%len(subjects)]
}

func (m method) signature() string {
	if int(m)%methodsPerClass == 0 {
		return "()V"
	}
	return signatures[int(m)*5/3%len(signatures)]
}

// className returns the name of a class and of its source file.
func className(class int) (name, source string) {
	if class < platformClasses {
		return platform[class][0], platform[class][1]
	}
	class -= platformClasses
	domain, role := domains[class%len(domains)], roles[class/len(domains)]
	simple := strings.ToUpper(domain[:1]) + domain[1:] + role
	outer, _, _ := strings.Cut(simple, "$")
	return "com/example/shop/" + domain + "/" + simple, outer + ".java"
}

// defineClass writes the classDef of the next class.
func (m *machine) defineClass() {
	name, source := className(m.classes)
	m.out.start(trace.ClassDef).text(trace.AttrName, name).text(trace.AttrSourceName, source).
		number(trace.AttrClassID, classID(m.classes)).moment(trace.AttrTime, m.tick()).finish()
	m.classes++
}

// defineMethod writes the methodDef of the program's next method, preceded by the classDef of its class if necessary.
// The method is called next, as agents define methods when they are first used.
func (m *machine) defineMethod() {
	next := m.methods
	if next.class() == m.classes {
		m.defineClass()
	}
	line := uint64(10 + int(next)%methodsPerClass*25)
	m.out.start(trace.MethodDef).text(trace.AttrName, next.name()).text(trace.AttrSignature, next.signature()).
		number(trace.AttrStartLineNumber, line).number(trace.AttrEndLineNumber, line+uint64(next)%23).
		number(trace.AttrMethodID, next.id()).number(trace.AttrClassIDRef, next.classID()).finish()
	m.methods++
	m.fresh = next
}

// anyMethod returns the method that was just defined, or a random earlier one. Low indexes are more frequent, because
// most calls of programs are to few methods.
func (m *machine) anyMethod() method {
	if m.fresh >= 0 {
		fresh := m.fresh
		m.fresh = -1
		return fresh
	}
	return method(min(m.random.IntN(int(m.methods)), m.random.IntN(int(m.methods))))
}

// callee returns the method that the innermost call of a stack calls. In a workload of calls a method calls few others,
// mostly the same one, as code does, so that the tree of calls is much smaller than their number.
func (m *machine) callee(stack []frame) method {
	if !m.workload.Calls || m.fresh >= 0 {
		return m.anyMethod()
	}
	choice, caller := 0, 0
	if len(stack) > 0 {
		caller = int(stack[len(stack)-1].method)
	}
	for choice < 3 && m.chance(10) {
		choice++
	}
	return method((caller*7 + 1 + choice*31) % int(m.methods))
}
