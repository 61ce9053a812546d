package enrichtest

import (
	"slices"
	"strconv"
	"strings"
)

// located lists the elements that say where their thread was, each with the types of its events that get the stack.
var located = map[string][]string{
	"threadStart":         {Running},
	"monContendedEnter":   {WaitingForLock},
	"monContendedEntered": {Running},
	"monWait":             {WaitingForObject, WaitingForJoin, Sleeping},
	"monWaited":           {Running},
	"callStart":           {StartsThread},
	"callInterrupt":       {InterruptThread},
	"callNotify":          {Notify, NotifyAll},
	"threadInterrupted":   {Running},
}

// placeStack sets the call stack of an element in the event that it has appended to its own thread's sequence, if any.
func (o *oracle) placeStack(e element, appended []*Event) {
	stack := o.stack(e)
	if stack == nil {
		return
	}
	for _, event := range appended {
		if slices.Contains(located[e.name], event.Type) {
			o.applied("stack")
			event.Stack = stack
			o.seeSelf(o.thread(e.threadID()), event, stack)
			return
		}
	}
	o.applied("stack without an event")
}

// stack returns the call stack of an element: "the first annotation named
// stack that is well-formed", unless "none of its methods is defined".
func (o *oracle) stack(e element) []Frame {
	if located[e.name] == nil {
		return nil
	}
	passed := false
	for _, annotation := range e.annotations {
		if annotation.attr("name") != "stack" {
			continue
		}
		frames, ok := parseStack(annotation.attr("value"))
		if !ok {
			o.applied("stack passed over")
			passed = true
			continue
		}
		if passed {
			o.applied("second stack")
		}
		return o.frames(frames)
	}
	return nil
}

// rawFrame is a frame as it is in the trace.
type rawFrame struct {
	method string
	line   *int
}

// parseStack reads frames "separated by one blank, each the id of a method
// and, where the line is known, a colon and the line": a decimal number that
// is a Java int.
func parseStack(value string) (frames []rawFrame, ok bool) {
	for _, word := range strings.Split(value, " ") {
		parts := strings.Split(word, ":")
		frame := rawFrame{method: parts[0]}
		if frame.method == "" || len(parts) > 2 {
			return nil, false
		}
		if len(parts) == 2 {
			line, err := strconv.ParseInt(parts[1], 10, 32)
			if err != nil || !isDigits(parts[1]) {
				return nil, false
			}
			number := int(line)
			frame.line = &number
		}
		frames = append(frames, frame)
	}
	return frames, true
}

func (o *oracle) frames(raw []rawFrame) []Frame {
	var frames []Frame
	anyDefined := false
	for _, r := range raw {
		frame, defined := o.method(r.method)
		anyDefined = anyDefined || defined
		if frame.Line = r.line; frame.Line == nil {
			o.applied("frame without line")
		}
		frames = append(frames, frame)
	}
	if !anyDefined {
		o.applied("stack of unknown methods")
		return nil
	}
	return frames
}

// method looks up in the history what an id means now: "that of the last methodDef, unless its class has been unloaded
// since".
func (o *oracle) method(id string) (frame Frame, defined bool) {
	at := o.last(len(o.history), "methodDef", "methodId", id)
	if at < 0 {
		o.applied("frame of an unknown method")
		return Frame{}, false
	}
	method := o.history[at]
	class := method.attr("classIdRef")
	if class == "" {
		o.applied("frame of a method of no class")
		return Frame{Method: method.attr("name")}, true
	}
	if o.last(len(o.history), "classUnload", "classIdRef", class) > at {
		o.applied("frame of an unloaded method")
		return Frame{}, false
	}
	o.applied("frame")
	definition := o.class(class, at)
	return Frame{Class: definition.attr("name"), Method: method.attr("name"), File: definition.attr("sourceName")}, true
}

// class returns the classDef of an id to which a methodDef at this index of the history refers: "the one before it, or
// else the next one".
func (o *oracle) class(id string, at int) element {
	before := o.last(at, "classDef", "classId", id)
	if before > o.last(at, "classUnload", "classIdRef", id) {
		return o.history[before]
	}
	for _, e := range o.history[at:] {
		if e.name == "classDef" && e.attr("classId") == id {
			o.applied("frame of a method whose class was named later")
			return e
		}
	}
	o.applied("frame of a method of an unknown class")
	return element{}
}

// last returns the index of the last element of the name, before the given index, that has the id in the attribute; -1
// for none.
func (o *oracle) last(before int, name, attribute, id string) int {
	for i := before - 1; i >= 0; i-- {
		if e := o.history[i]; e.name == name && e.has(attribute) && e.attr(attribute) == id {
			return i
		}
	}
	return -1
}
