package enrichtest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// annotate adds call stacks to a recording, as an agent that knows them would, half of the time. A faithful one defines
// a name before its use; another one writes anything.
func annotate(seed uint64, records []record, faithful bool) []record {
	a := &annotator{dice: dice{rand.New(rand.NewPCG(seed, 3))}, defined: make(map[string]bool)}
	switch {
	case a.chance(2):
		return records
	case faithful:
		return a.faithful(records)
	}
	return a.careless(records)
}

type annotator struct {
	dice
	records []record
	defined map[string]bool
	names   int
	stacks  []string // written so far
}

func (a *annotator) faithful(records []record) []record {
	for _, r := range records {
		if located[r.name] != nil && !a.chance(4) {
			r.inside = append(r.inside, annotation("stack", a.frames(r.at)))
		}
		if r.name == "monContendedEnter" && !a.chance(3) {
			r.inside = append(r.inside, annotation("ownerStack", a.frames(r.at)))
		}
		a.records = append(a.records, r)
	}
	return a.records
}

// frames returns a stack of methods that are defined.
func (a *annotator) frames(at int64) string {
	var frames []string
	for range 1 + a.rand.IntN(8) {
		method := a.rand.IntN(12)
		a.define(method, at)
		frame := strconv.Itoa(200001 + method)
		if method%5 != 0 { // the others are native
			frame += ":" + strconv.Itoa(10+a.rand.IntN(90))
		}
		frames = append(frames, frame)
	}
	return strings.Join(frames, " ")
}

// define posts the definitions of a method and its class before the first
// mention.
func (a *annotator) define(method int, at int64) {
	class := method / 3
	classID, methodID := strconv.Itoa(100011+class), strconv.Itoa(200001+method)
	if !a.defined[classID] {
		a.defined[classID] = true
		a.records = append(a.records, newRecord("classDef", "", at,
			"name", fmt.Sprintf("%s/Class%d", []string{"app", "java/util", "app", "sun"}[class], class), "sourceName", fmt.Sprintf("Class%d.java", class), "classId",
			classID, "time", timeMark))
	}
	if !a.defined[methodID] {
		a.defined[methodID] = true
		name := []string{"-init-", "run", fmt.Sprintf("method%d", method)}[method%3]
		a.records = append(a.records, newRecord("methodDef", "", at, "name", name, "signature", "()V", "methodId",
			methodID, "classIdRef", classID))
	}
}

func annotation(name, value string) record {
	return newRecord("annotation", "", 0, "name", name, "value", value)
}

func (a *annotator) careless(records []record) []record {
	for _, r := range records {
		for a.chance(3) {
			a.records = append(a.records, a.definition(r.at))
		}
		if a.chance(60) {
			a.records = append(a.records, a.annotation())
		}
		if r.thread != "" && (located[r.name] != nil || a.chance(8)) {
			r.inside = slices.Clone(r.inside)
			for !a.chance(3) {
				r.inside = append(r.inside, a.annotation())
			}
		}
		if r.name == "monContendedEnter" && !a.chance(3) {
			r.inside = append(slices.Clone(r.inside), annotation("ownerStack", a.stack()))
		}
		a.records = append(a.records, r)
	}
	return a.records
}

// definition defines a class or a method, perhaps another time, or unloads a
// class.
func (a *annotator) definition(at int64) record {
	class := a.pick("7", "8", "07", `<c&"'>`)
	a.names++
	r := newRecord("classDef", "", at, "name", a.pick("", "", "", "java/")+fmt.Sprintf("app/Clasß%d", a.names), "sourceName",
		fmt.Sprintf(`"<%d>.java`, a.names), "classId", class)
	switch a.rand.IntN(6) {
	case 0:
		return newRecord("classUnload", "", at, "classIdRef", class)
	case 1:
	default:
		r = newRecord("methodDef", "", at, "name", fmt.Sprintf("run\u2028%d", a.names/2), "methodId", a.method(),
			"classIdRef", class)
		if a.chance(8) {
			r.remove("classIdRef")
		}
	}
	if a.chance(15) {
		r.remove(a.pick("name", "sourceName", "methodId", "classId"))
	}
	return r
}

// method returns the id of a method. A recording with few definitions never defines the first one.
func (a *annotator) method() string {
	return a.pick("4711", "1", "01", "2", "3", "-1", "0", "a\tb\n", `m<&"'>`, "\u00a0")
}

func (a *annotator) annotation() record {
	r := annotation("stack", a.stack())
	switch a.rand.IntN(12) {
	case 0:
		r.set("name", a.pick("Stack", "", "comment"))
	case 1:
		r.remove(a.pick("name", "value"))
	case 2: // only a child of the event counts
		r.set("name", "comment")
		r.inside = []record{annotation("stack", a.stack())}
	case 3:
		r.inside = []record{newRecord("more", "", 0)}
	}
	return r
}

// stack writes a stack, sometimes in a wrong way, mostly one that it has written before, as the meaning of its frames
// may have changed.
func (a *annotator) stack() string {
	if n := len(a.stacks); n > 5 && !a.chance(3) {
		return a.stacks[a.rand.IntN(n)]
	}
	var frames []string
	for range 1 + a.rand.IntN(5) {
		frames = append(frames, a.method()+a.pick("", "", ":0", ":12", ":007", ":2147483647"))
	}
	if a.chance(4) {
		wrong := a.pick("", ":5", "1:", "1:-1", "1:+5", "1:2147483648", "1:99999999999999999999", "1:x", "1:2:3",
			"1:1.5", ":")
		frames[a.rand.IntN(len(frames))] = wrong
	}
	a.stacks = append(a.stacks, strings.Join(frames, " "))
	return a.stacks[len(a.stacks)-1]
}
