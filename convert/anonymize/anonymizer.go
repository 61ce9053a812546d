package anonymize

import (
	"bytes"
	"slices"
	"strings"

	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// anonymizer is a sink that passes elements to another sink, without names that could reveal the trace's origin.
type anonymizer struct {
	convert.Sink
	names names
	jdk   map[string]bool // the ids of the JDK's classes in the current recording
	event trace.EventBuilder
	extra trace.Extra
	inner []byte
	count [1]trace.ElementCount
}

// counting is an anonymizer before a sink that counts elements of heap dumps.
type counting struct {
	*anonymizer
	counter convert.Counter
}

// Count passes the number on.
func (c *counting) Count(kind trace.Kind, n uint64) error { return c.counter.Count(kind, n) }

// New returns a sink that passes elements on without names that could reveal the trace's origin. With the same key,
// equal names have equal replacements; without the key, nobody can compute the replacement of a name.
func New(sink convert.Sink, key []byte) convert.Sink {
	a := &anonymizer{Sink: sink, names: newNames(key)}
	if counter, ok := sink.(convert.Counter); ok {
		return &counting{a, counter}
	}
	return a
}

// Begin begins a recording.
func (a *anonymizer) Begin(session int) error {
	a.jdk = map[string]bool{}
	return a.Sink.Begin(session)
}

// Put replaces the names of the element and passes it on. It skips elements that can have any content.
func (a *anonymizer) Put(e *trace.Event) error {
	switch e.Kind {
	case trace.Annotation:
		return a.putAnnotation(e)
	case trace.Foreign, trace.MethodBody, trace.Method, trace.Value, trace.Code, trace.Tag:
		return nil
	}
	replace, copied := a.replacement(e), e.Extra != nil
	if copied {
		a.event.Copy(e)
		a.strip(e)
	}
	row := e.Kind.Element().Attributes
	for position := range row {
		if e.Positions()>>position&1 == 0 || len(e.At(position)) == 0 {
			continue
		}
		var before, after string
		switch attribute := &row[position]; {
		case attribute.Type == trace.Identifier:
			before = e.Text(attribute.Attr)
			after = a.id(before)
		case attribute.Type == trace.Text && replace != nil:
			before = e.Text(attribute.Attr)
			after = replace(attribute.Attr, before)
		}
		if after == before {
			continue
		}
		if !copied {
			a.event.Copy(e)
			copied = true
		}
		a.event.SetText(row[position].Attr, after)
	}
	if copied {
		e = &a.event.Event
	}
	return a.Sink.Put(e)
}

// replacement returns the function that replaces the values of the element's attributes; nil if none is a name.
func (a *anonymizer) replacement(e *trace.Event) func(attr trace.Attr, value string) string {
	switch e.Kind {
	case trace.Node, trace.AgentCreate, trace.Filter:
		return a.origin
	case trace.Option:
		return a.option(e)
	case trace.ThreadStart:
		return a.thread(e)
	case trace.ClassDef:
		return a.class(e)
	case trace.MethodDef:
		return a.method(e)
	}
	return nil
}

// origin replaces attributes of the machine, of the agent and of its filters.
func (a *anonymizer) origin(attr trace.Attr, value string) string {
	switch attr {
	case trace.AttrHostname:
		return a.names.replace("host-", value)
	case trace.AttrIPAddress:
		return a.names.replace("address-", value)
	case trace.AttrAgentParameters:
		return ""
	case trace.AttrPattern:
		return a.names.class(value)
	case trace.AttrMethodPattern:
		if value == "*" {
			return value
		}
		return a.names.replace("m", value)
	}
	return value
}

// option returns the function for an option. Values of keys that the agent or TPTP defines stay: numbers and flags.
func (a *anonymizer) option(e *trace.Event) func(trace.Attr, string) string {
	known := trace.IsKnownOption(e.Text(trace.AttrKey))
	return func(attr trace.Attr, value string) string {
		if known && (attr == trace.AttrKey || isWord(value)) {
			return value
		}
		if strings.HasPrefix(e.Text(trace.AttrKey), trace.OptionTrouble) {
			return a.trouble(value)
		}
		return a.names.replace("option-", value)
	}
}

// trouble returns the value of a trouble: its first numbers and the replaced name of its thread, without the place.
func (a *anonymizer) trouble(value string) string {
	numbers := strings.Fields(value)
	if i := slices.IndexFunc(numbers, func(word string) bool { return !isNumbers(word) }); i >= 0 {
		numbers = numbers[:i]
	}
	text := strings.Join(numbers, " ")
	if _, who, found := strings.Cut(value, " by "); found {
		name, _, _ := strings.Cut(who, " at ")
		text += " by " + a.names.thread(name)
	}
	return text
}

// thread returns the function for a thread and its groups.
func (a *anonymizer) thread(e *trace.Event) func(trace.Attr, string) string {
	described := trace.ModelThread{Group: e.Text(trace.AttrGroupName), Name: e.Text(trace.AttrThreadName)}
	ofJVM := described.OfJVM()
	return func(attr trace.Attr, value string) string {
		switch attr {
		case trace.AttrThreadName:
			if ofJVM {
				return value
			}
			return a.names.thread(value)
		case trace.AttrGroupName, trace.AttrParentName:
			return a.names.group(value)
		}
		return value
	}
}

// class returns the function for the definition of a class, and notes whether it is a class of the JDK.
func (a *anonymizer) class(e *trace.Event) func(trace.Attr, string) string {
	ofJDK := isOfJDK(e.Text(trace.AttrName))
	if id := string(e.Value(trace.AttrClassID)); ofJDK {
		a.jdk[id] = true
	} else {
		delete(a.jdk, id)
	}
	return func(attr trace.Attr, value string) string {
		switch {
		case attr == trace.AttrName:
			return a.names.class(value)
		case attr == trace.AttrSourceName && !ofJDK:
			return a.names.replace("F", value) + ".java"
		}
		return value
	}
}

// method returns the function for the definition of a method.
func (a *anonymizer) method(e *trace.Event) func(trace.Attr, string) string {
	ofJDK := a.jdk[string(e.Value(trace.AttrClassIDRef))]
	return func(attr trace.Attr, value string) string {
		switch {
		case attr == trace.AttrName && !ofJDK && !strings.HasPrefix(javaname.Method(value), "<"):
			return a.names.replace("m", value)
		case attr == trace.AttrSignature:
			return a.names.signature(value)
		}
		return value
	}
}

// strip removes attributes that the table of elements lacks, and all content except annotations.
func (a *anonymizer) strip(e *trace.Event) {
	a.extra, a.inner = *e.Extra, a.inner[:0]
	a.event.Extra = &a.extra
	kept := uint64(0)
	if e.Kind.Element().Content == trace.AnnotationsOf {
		for name, value := range e.Extra.AllAnnotations() {
			row := trace.AnnotationInside(name, e.Kind)
			if row == nil {
				continue
			}
			if value, ok := a.annotation(row, value); ok {
				a.inner = builder.AppendAnnotation(a.inner, name, trace.EscapeJava(nil, value))
				kept++
			}
		}
	}
	if by := a.extra.By.String(); by != "" {
		a.extra.By = trace.ThreadFrom([]byte(a.id(by)))
	}
	if from := a.extra.LockFrom.String(); from != "" {
		a.extra.LockFrom = trace.ThreadFrom([]byte(a.id(from)))
	}
	if lock := a.extra.Lock.String(); lock != "" {
		a.extra.Lock = trace.ObjectFrom([]byte(a.id(lock)))
	}
	if a.extra.Wakes != nil {
		a.extra.Wakes = []byte(a.ids(string(a.extra.Wakes)))
	}
	a.extra.Stacks = nil
	for _, stack := range e.Extra.Stacks {
		a.extra.Stacks = append(a.extra.Stacks, []byte(a.frames(string(stack))))
	}
	a.extra.Name, a.extra.Attributes, a.extra.Inner, a.extra.Elements = "", nil, a.inner, nil
	if kept > 0 {
		a.count[0] = trace.ElementCount{Name: trace.Annotation.String(), Count: kept}
		a.extra.Elements = a.count[:]
	}
}

// putAnnotation puts an annotation among the events if trcx knows its meaning and can replace the names in its value.
func (a *anonymizer) putAnnotation(e *trace.Event) error {
	name := e.Text(trace.AttrName)
	row := trace.AnnotationInside(name, trace.Annotation)
	if row == nil {
		return nil
	}
	value, ok := a.annotation(row, e.Text(trace.AttrValue))
	if !ok {
		return nil
	}
	a.event.Copy(e)
	a.event.Extra = nil
	a.event.SetText(trace.AttrValue, value)
	return a.Sink.Put(&a.event.Event)
}

// annotation returns the value of an annotation with its names replaced. ok is false if it must be left out, because it
// can be any text.
func (a *anonymizer) annotation(row *trace.AnnotationRow, value string) (replaced string, ok bool) {
	switch row.Value {
	case trace.NoteWord, trace.NoteCount:
		if slices.Contains(row.Words, value) || row.Value == trace.NoteCount && isNumbers(value) {
			return value, true
		}
		return a.names.replace("value-", value), true // the annotation has a meaning with any value
	case trace.NoteThreadIDs:
		return a.ids(value), true
	case trace.NoteObjectID:
		return a.id(value), true
	case trace.NoteFrames:
		return a.frames(value), true
	case trace.NoteThreadCPU:
		thread, rest, _ := strings.Cut(value, " ")
		return a.id(thread) + " " + rest, isNumbers(rest)
	case trace.NoteThreadSample:
		var sample trace.Sample
		thread, frames, ok := sample.Parse([]byte(value))
		return string(sample.AppendTo(nil, []byte(a.id(string(thread))), []byte(a.frames(string(frames))))), ok
	case trace.NoteObjectState:
		var state trace.ObjectState
		ok := state.Parse([]byte(value))
		state.Object = trace.ObjectFrom([]byte(a.id(state.Object.String())))
		if peer := state.Peer(); peer != "" {
			state.Text = strings.Replace(state.Text, "="+peer, "="+a.names.replace("peer-", peer), 1)
		}
		return string(state.AppendTo(nil)), ok
	case trace.NoteJVMText:
		return value, isPlain(value)
	case trace.NoteClasses:
		return a.classes(value), true
	}
	return "", false
}

// id returns the id, or its replacement if it is a name.
func (a *anonymizer) id(id string) string {
	if isNumber([]byte(id)) {
		return id
	}
	return a.names.replace("id-", id)
}

// ids returns ids with blanks between them, or their replacements.
func (a *anonymizer) ids(value string) string {
	all := strings.Fields(value)
	for i, id := range all {
		all[i] = a.id(id)
	}
	return strings.Join(all, " ")
}

// frames returns the frames of a stack: ids of methods, with or without lines.
func (a *anonymizer) frames(value string) string {
	all := strings.Fields(value)
	for i, frame := range all {
		id, line, lined := strings.Cut(frame, ":")
		if all[i] = a.id(id); lined && !isNumbers(line) {
			line = "?" // so that it is still not a frame
		}
		if lined {
			all[i] += ":" + line
		}
	}
	return strings.Join(all, " ")
}

// classes returns the value of a NoteClasses with the names of classes replaced. Numbers and words of tables stay; the
// name of a class cannot begin with a digit.
func (a *anonymizer) classes(value string) string {
	all := strings.Fields(value)
	for i, text := range all {
		class := strings.TrimSuffix(text, ":")
		isNumber := isNumbers(class) && strings.Contains(digits, class[:min(1, len(class))])
		if !isNumber && !tableWords[strings.Trim(text, "(),:;")] {
			all[i] = a.names.class(class) + text[len(class):]
		}
	}
	return strings.Join(all, " ")
}

// tableWords are the words in the tables MONITOR TIME and SITES.
var tableWords = map[string]bool{"": true, "total": true, "ms": true, "=": true, "live": true, "allocated": true, "objects": true,
	"bytes": true, "sites": true, "trace": true, "Java": true, "ordered": true, "by": true}

// isNumber reports whether an id is a decimal or hexadecimal number or a UUID, and not a name.
func isNumber(id []byte) bool { return len(bytes.Trim(id, "0123456789abcdefABCDEFx-")) == 0 }

// isWord reports whether the text is a flag, a number or a length of time.
func isWord(text string) bool {
	return strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.") == ""
}

// isNumbers reports whether the text has only decimal or hexadecimal numbers, separated by blanks, colons and the like.
func isNumbers(text string) bool { return strings.Trim(text, "0123456789abcdefABCDEFx :.,%-") == "" }

// isPlain reports whether the text has only letters, numbers, blanks and the punctuation of the JVM's own names.
func isPlain(text string) bool {
	return strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 :.,()_/-") == ""
}
