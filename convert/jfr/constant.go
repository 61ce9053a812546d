package jfr

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/trcx/trcx/trace"
)

// slot is where a program puts a value.
type slot uint8

// The slots. Those of nowhere are never looked at.
const (
	nowhere slot = iota
	slotStart
	slotDuration
	slotThread
	slotStack
	slotClass
	slotAddress
	slotOther // another thread
	slotOwn   // the thread that an event is about
	slotTimeout
	slotUntil
	slotTimedOut
	slotCount
	slotText
	slotSize
	slotLow
	slotHigh
	slotTotal
	slotID
	slotValue
	slotName
	slotOSName
	slotOSThread
	slotGroup
	slotVirtual
	slotSignature
	slotMethod
	slotLine
	slots
)

// pools are the constants that matter, with their fields that do.
var poolFields = map[string]wanted{
	"java.lang.Thread": {"osName": slotOSName, "osThreadId": slotOSThread, "javaName": slotName,
		"javaThreadId": slotID, "group": slotGroup, "virtual": slotVirtual},
	"jdk.types.ThreadGroup": {"parent": slotGroup, "name": slotName},
	"java.lang.Class":       {"name": slotName},
	"jdk.types.Symbol":      {"string": slotName},
	"jdk.types.Method":      {"type": slotClass, "name": slotName, "descriptor": slotSignature},
	"jdk.types.StackTrace":  {"frames": slotStack},
	"jdk.types.GCWhen":      {"when": slotName},
	"java.lang.String":      {},

	"jdk.types.InflateCause": {"cause": slotName},
}

const (
	poolThread = "java.lang.Thread"
	poolGroup  = "jdk.types.ThreadGroup"
	poolClass  = "java.lang.Class"
	poolMethod = "jdk.types.Method"
	poolStack  = "jdk.types.StackTrace"
	poolString = "java.lang.String"
)

// layout is a program with what it has to know of the fields that it takes.
type layout struct {
	program program
	has     [slots]bool
	pools   [slots]string // the names of the types of those that are keys
	units   [slots]unit
}

// layout makes the program that takes the fields of a type.
func (t *types) layout(c *class, fields wanted) (*layout, error) {
	p, err := t.compile(c, fields)
	if err != nil {
		return nil, err
	}
	l := &layout{program: p}
	for path, at := range fields {
		if f := t.find(c, path); f != nil {
			l.has[at], l.units[at] = true, f.unit
			if pool := t.classes[f.class]; f.pooled && pool != nil {
				l.pools[at] = pool.name
			}
		}
	}
	return l, nil
}

// find is the field at the path, or nil.
func (t *types) find(c *class, path string) *field {
	for depth := 0; c != nil && depth < maxDepth; depth++ {
		name, rest, more := strings.Cut(path, ".")
		i := slices.IndexFunc(c.fields, func(f field) bool { return f.name == name })
		if i < 0 {
			return nil
		}
		if !more {
			return &c.fields[i]
		}
		c, path = t.classes[c.fields[i].class], rest
	}
	return nil
}

// pool are the constants of a type.
type pool struct {
	*layout
	at   map[uint64]uint32 // where they lie in the constants' bytes, by their keys
	last uint64            // the greatest key
}

// constants are those of a chunk.
type constants struct {
	types  *types
	fixed  bool
	bytes  []byte
	size   int // of the bytes, and of what is kept of each constant besides
	pools  map[string]*pool
	frames *layout // of a frame of a stack; nil if the recording has none
	names  *names
	scope  uint32
	// is told of keys that nothing is known of, and of the greatest that is known
	unknown func(pool string, key, last uint64)
	cycle   func(pool string, key uint64)
	values  values
	missing map[constantKey]bool
	texts   map[constantKey]string
	nobody  thread // one of which nothing is known
	threads map[uint64]*thread
	classes map[uint64]uint32
	methods map[uint64]uint32
	stacks  map[uint64]uint32
	groups  map[uint64]group
	text    []byte
}

// group has the numbers of the names of a thread group and of its parent.
type group struct{ name, parent uint32 }

type constantKey struct {
	pool string
	key  uint64
}

func newConstants(t *types, fixed bool, n *names) (*constants, error) {
	c := &constants{types: t, fixed: fixed, names: n, pools: map[string]*pool{}, missing: map[constantKey]bool{},
		texts: map[constantKey]string{}, groups: map[uint64]group{},
		threads: map[uint64]*thread{}, classes: map[uint64]uint32{}, methods: map[uint64]uint32{},
		stacks: map[uint64]uint32{}}
	for name, fields := range poolFields {
		class := t.named(name)
		if class == nil {
			continue
		}
		l, err := t.layout(class, fields)
		if err != nil {
			return nil, err
		}
		c.pools[name] = &pool{layout: l, at: map[uint64]uint32{}}
	}
	if frame := t.named("jdk.types.StackFrame"); frame != nil {
		l, err := t.layout(frame, wanted{"method": slotMethod, "lineNumber": slotLine})
		if err != nil {
			return nil, err
		}
		c.frames = l
	}
	return c, nil
}

// checkpoint takes the constants of a checkpoint event, behind its size and type, and says how far back the one before
// it lies. The error says what is wrong; what comes before that is taken.
func (c *constants) checkpoint(body []byte) (delta int64, _ error) {
	in := cursor{data: body, fixed: c.fixed}
	in.uint64() // when it was written
	in.uint64() // its duration
	delta = int64(in.uint64())
	in.byte() // its kind
	for range in.count(2) {
		id := in.uint64()
		class := c.types.classes[id]
		if class == nil {
			if in.short {
				break
			}
			return delta, fmt.Errorf("it has constants of type %d, which is not described", id)
		}
		if err := c.take(&in, class); err != nil {
			return delta, err
		}
	}
	if in.short {
		return delta, fmt.Errorf("it ends too early")
	}
	return delta, nil
}

// take takes the constants of one type.
func (c *constants) take(in *cursor, class *class) error {
	pass, err := c.types.pass(class)
	if err != nil {
		return err
	}
	p := c.pools[class.name]
	for range in.count(1) {
		key := in.uint64()
		begin := in.at
		pass.run(in, &c.values)
		switch {
		case in.short:
			return fmt.Errorf("it ends too early")
		case p == nil:
		case c.size+in.at-begin+aroundConstant > maxConstants:
			return fmt.Errorf("the constants of this chunk have more than %d bytes", maxConstants)
		default:
			c.size += in.at - begin + aroundConstant
			p.at[key], p.last = uint32(len(c.bytes)), max(p.last, key)
			c.bytes = append(c.bytes, in.data[begin:in.at]...)
		}
	}
	return nil
}

// aroundConstant is how many bytes are kept of each constant besides its own.
const aroundConstant = 32

// get takes the fields of a constant. It returns nil if there is none of the key; the values are good until the next
// call.
func (c *constants) get(name string, key uint64) (*pool, *values) {
	p := c.pools[name]
	if p == nil {
		return nil, nil
	}
	at, ok := p.at[key]
	if !ok {
		if key != 0 && !c.missing[constantKey{name, key}] && len(c.missing) < maxMissing {
			c.missing[constantKey{name, key}] = true
			c.unknown(name, key, p.last)
		}
		return nil, nil
	}
	in := cursor{data: c.bytes, at: int(at), fixed: c.fixed}
	if name == poolString {
		c.values.texts[slotName] = in.string()
	} else {
		p.program.run(&in, &c.values)
	}
	return p, &c.values
}

// maxMissing is how many missing constants of a chunk are reported.
const maxMissing = 20

// string is the text of a slot, whether it stands there, in the pool of strings, or in a constant with one string in
// it.
func (c *constants) string(l *layout, v *values, at slot) string {
	if !l.has[at] {
		return ""
	}
	if pool := l.pools[at]; pool != "" {
		return c.pooled(constantKey{pool, v.numbers[at]})
	}
	if t := v.texts[at]; t.keyed {
		return c.pooled(constantKey{poolString, t.key})
	}
	return short(v.texts[at].value)
}

// pooled is the text of a constant. Each is looked at once, however many others name it.
func (c *constants) pooled(key constantKey) string {
	if found, known := c.texts[key]; known {
		return found
	}
	t := text{key: key.key, keyed: true}
	for depth, pool := 0, key.pool; t.keyed; depth, pool = depth+1, poolString {
		if depth == maxDepth {
			c.cycle(poolString, t.key)
			return ""
		}
		p, inner := c.get(pool, t.key)
		if p == nil {
			return ""
		}
		t = inner.texts[slotName]
	}
	c.texts[key] = short(t.value)
	return c.texts[key]
}

// longestText is how many bytes of a name are kept. No class, method or signature has more.
const longestText = 1<<16 - 1

func short(text string) string {
	if len(text) <= longestText {
		return text
	}
	return strings.Clone(strings.ToValidUTF8(text[:longestText], ""))
}

// thread is the thread of the key; nil if the key is 0. One of which nothing is known is good until the next call.
func (c *constants) thread(key uint64) *thread {
	if key == 0 {
		return nil
	}
	if t, known := c.threads[key]; known {
		return t
	}
	p, v := c.get(poolThread, key)
	if p == nil {
		c.nobody = thread{id: threadID{c.scope, unknownThread | key&idMask}}
		return &c.nobody
	}
	t := &thread{id: threadID{scope: c.scope}}
	c.threads[key] = t
	own := *v
	if java := own.numbers[slotID]; p.has[slotID] && int64(java) > 0 {
		t.id.number = java & idMask
	} else {
		t.id.number = nativeThread | own.numbers[slotOSThread]&idMask
	}
	t.virtual = p.has[slotVirtual] && own.numbers[slotVirtual] != 0
	if t.name = c.string(p.layout, &own, slotName); t.name == "" && t.id.number&nativeThread != 0 {
		t.name = c.string(p.layout, &own, slotOSName)
	}
	if p.has[slotGroup] {
		g := c.group(own.numbers[slotGroup])
		t.group, t.parent = g.name, g.parent
	}
	return t
}

// group is a thread group.
func (c *constants) group(key uint64) group {
	if g, known := c.groups[key]; known {
		return g
	}
	names := [2]uint32{}
	first := key
	for depth := 0; key != 0; depth++ {
		if depth == maxDepth {
			c.cycle(poolGroup, first)
			break
		}
		p, v := c.get(poolGroup, key)
		if p == nil {
			break
		}
		own := *v
		if depth < len(names) {
			names[depth] = c.names.classNumber(c.string(p.layout, &own, slotName))
		}
		if key = own.numbers[slotGroup]; !p.has[slotGroup] {
			break
		}
	}
	g := group{names[0], names[1]}
	if g.name != 0 {
		c.groups[first] = g
	}
	return g
}

// class is the number of a class's name; 0 if it is not known.
func (c *constants) class(key uint64) uint32 {
	if number, known := c.classes[key]; known || key == 0 {
		return number
	}
	number := uint32(0)
	if p, v := c.get(poolClass, key); p != nil {
		own := *v
		name, _ := trace.HiddenClassName(c.string(p.layout, &own, slotName))
		number = c.names.classNumber(name)
		c.classes[key] = number
	}
	return number
}

// method is the number of a method; 0 if it is not known.
func (c *constants) method(key uint64) uint32 {
	if number, known := c.methods[key]; known || key == 0 {
		return number
	}
	number := uint32(0)
	if p, v := c.get(poolMethod, key); p != nil {
		own, m := *v, method{}
		if p.has[slotClass] {
			m.class = c.class(own.numbers[slotClass])
		}
		m.name, m.signature = c.string(p.layout, &own, slotName), c.string(p.layout, &own, slotSignature)
		number = c.names.methodNumber(m)
		c.methods[key] = number
	}
	return number
}

// stack is the number of a call stack; 0 if it is not known. Frames of unknown methods are left out.
func (c *constants) stack(key uint64) uint32 {
	if number, known := c.stacks[key]; known || key == 0 {
		return number
	}
	number := uint32(0)
	if p, v := c.get(poolStack, key); p != nil && p.has[slotStack] && c.frames != nil {
		number = c.names.stackNumber(c.readFrames(int(v.numbers[slotStack])))
		c.stacks[key] = number
	}
	return number
}

// readFrames reads the frames of a stack that lies at the place.
func (c *constants) readFrames(at int) []byte {
	in := cursor{data: c.bytes, at: at, fixed: c.fixed}
	c.text = c.text[:0]
	for range in.count(1) {
		c.frames.program.run(&in, &c.values)
		line := int32(c.values.numbers[slotLine])
		if !c.frames.has[slotLine] || line <= 0 {
			line = trace.NoLine
		}
		if number := c.method(c.values.numbers[slotMethod]); number != 0 {
			c.text = binary.AppendUvarint(c.text, uint64(number))
			c.text = binary.AppendVarint(c.text, int64(line))
		}
	}
	return c.text
}
