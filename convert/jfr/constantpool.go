package jfr

import (
	"fmt"
	"math"
	"strings"

	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// poolFields are the fields that are decoded, by type of constant. Other constants are skipped.
var poolFields = map[string]fieldSlots{
	"java.lang.Thread": {"osName": slotOSName, "osThreadId": slotOSThread, "javaName": slotName,
		"javaThreadId": slotID, "group": slotGroup, "virtual": slotVirtual, "name": slotName},
	poolJavaThread:          {"thread": slotOSThread, "group": slotGroup},
	"jdk.types.ThreadGroup": {"parent": slotGroup, "name": slotName},
	"java.lang.Class":       {"name": slotName},
	"jdk.types.Symbol":      {"string": slotName, "utf8": slotName},
	"jdk.types.Method": {"type": slotClass, "name": slotName, "descriptor": slotSignature,
		"class": slotClass, "signature": slotSignature},
	"jdk.types.StackTrace": {"frames": slotStack},
	"jdk.types.GCWhen":     {"when": slotName},
	"java.lang.String":     {},

	"jdk.types.InflateCause": {"cause": slotName},
	"jdk.types.ThreadState":  {"name": slotName},

	"jdk.types.VMOperationType": {"type": slotName},
}

const (
	poolThread     = "java.lang.Thread"
	poolJavaThread = "0.9 JavaThread" // in old chunks, whose pool poolThread has threads of the operating system
	poolGroup      = "jdk.types.ThreadGroup"
	poolClass      = "java.lang.Class"
	poolMethod     = "jdk.types.Method"
	poolStack      = "jdk.types.StackTrace"
	poolString     = "java.lang.String"
	typeFrame      = "jdk.types.StackFrame"
)

// constantPool has the constants of one type.
type constantPool struct {
	*typeDecoder
	offsets map[uint64]uint32 // into constantPools.bytes, by key
}

// constantPools are the constant pools of a chunk. Their constants refer to each other by keys.
type constantPools struct {
	types  *typeTable
	fixed  bool // integers are not compressed
	old    bool // of an old chunk
	bytes  []byte
	size   int // of bytes, and of the index
	pools  map[string]*constantPool
	frames *typeDecoder // of a stack frame; nil if it is not described
	jvm    uint32
	reader *reader // to which wrong constants are reported
	values values

	missing map[constantKey]int64      // the offsets of the events that first refer to them
	unknown threadConstant             // the thread of a missing key
	javaIDs map[uint64]uint64          // of old chunks, by keys of the operating system's threads
	reused  map[uint64]*threadConstant // by Java id, if its native thread served another Java thread, too
	scratch []byte
	resolved
}

// resolved has constants already resolved, by key.
type resolved struct {
	symbols *symbols
	strings map[constantKey]string
	threads map[uint64]*threadConstant
	classes map[uint64]uint32
	methods map[uint64]uint32
	stacks  map[uint64]uint32
	groups  map[uint64]threadGroup
}

// threadGroup has the symbols of the names of a thread group and of its parent.
type threadGroup struct{ name, parent uint32 }

type constantKey struct {
	pool string
	key  uint64
}

// newConstantPools returns the constant pools of the reader's chunk, still without constants.
func newConstantPools(r *reader) (*constantPools, error) {
	t := r.types
	c := &constantPools{types: t, fixed: !r.chunk.compressed, old: r.chunk.isOld(), jvm: r.jvms.current, reader: r,
		pools: map[string]*constantPool{}, missing: map[constantKey]int64{}, javaIDs: map[uint64]uint64{},
		reused: map[uint64]*threadConstant{},
		resolved: resolved{symbols: r.symbols, strings: map[constantKey]string{}, groups: map[uint64]threadGroup{},
			threads: map[uint64]*threadConstant{}, classes: map[uint64]uint32{}, methods: map[uint64]uint32{},
			stacks: map[uint64]uint32{}}}
	for name, fields := range poolFields {
		class := t.named(name)
		if class == nil {
			continue
		}
		p, err := t.decoder(class, fields)
		if err != nil {
			return nil, err
		}
		c.pools[name] = &constantPool{typeDecoder: p, offsets: map[uint64]uint32{}}
	}
	if frame := t.named(typeFrame); frame != nil {
		p, err := t.decoder(frame, fieldSlots{"method": slotMethod, "lineNumber": slotLine, "line": slotLine})
		if err != nil {
			return nil, err
		}
		c.frames = p
	}
	return c, nil
}

// readCheckpoint reads the constants of a checkpoint event after its size and type. It returns the distance to the
// previous checkpoint. After an error, the constants read before it are kept.
func (c *constantPools) readCheckpoint(body []byte) (delta int64, _ error) {
	in := cursor{data: body, fixed: c.fixed}
	if c.old {
		return 0, c.readOldCheckpoint(&in)
	}
	in.uint64() // start time
	in.uint64() // duration
	delta = int64(in.uint64())
	in.byte() // checkpoint type
	for range in.count(2) {
		id := in.uint64()
		class := c.types.classes[id]
		if class == nil {
			if in.short {
				break
			}
			return delta, fmt.Errorf("it has constants of type %d, which is not described", id)
		}
		if err := c.readPool(&in, class); err != nil {
			return delta, err
		}
	}
	if in.short {
		return delta, errEndsEarly
	}
	return delta, nil
}

// readPool reads the constants of one type.
func (c *constantPools) readPool(in *cursor, class *class) error {
	skip, err := c.types.skip(class)
	if err != nil {
		return err
	}
	p := c.pools[class.known]
	for range in.count(1) {
		var key uint64
		if c.old {
			key = in.oldKey(class.key)
		} else {
			key = in.uint64()
		}
		begin := in.at
		skip.decode(in, &c.values)
		switch {
		case in.short:
			return errEndsEarly
		case p == nil:
		case c.size+in.at-begin+constantOverhead > maxConstants:
			return fmt.Errorf("the constants of this chunk exceed %d bytes", maxConstants)
		default:
			c.size += in.at - begin + constantOverhead
			p.offsets[key] = uint32(len(c.bytes))
			c.bytes = append(c.bytes, in.data[begin:in.at]...)
			if class.known == poolJavaThread {
				c.noteJavaThread(p, key)
			}
		}
	}
	return nil
}

// constantOverhead is the size of a constant's index entry in bytes.
const constantOverhead = 32

// decode decodes the fields of a constant. It returns nil for an undefined key. The values are valid until the next
// call.
func (c *constantPools) decode(name string, key uint64) (*constantPool, *values) {
	p := c.pools[name]
	if p == nil {
		return nil, nil
	}
	at, ok := p.offsets[key]
	if !ok {
		if _, seen := c.missing[constantKey{name, key}]; key != 0 && !seen && len(c.missing) < maxMissing {
			c.missing[constantKey{name, key}] = c.reader.at
		}
		return nil, nil
	}
	in := cursor{data: c.bytes, at: int(at), fixed: c.fixed}
	if name == poolString {
		c.values.strings[slotName] = in.string()
	} else {
		p.steps.decode(&in, &c.values)
	}
	return p, &c.values
}

// isOfDestroyJavaVM reports whether a thread that starts is the one that ends the JVM: HotSpot describes all threads
// but this one. Where other events refer to that thread, its description will not be reported as missing.
func (c *constantPools) isOfDestroyJavaVM(pool string, key uint64) bool {
	p := c.pools[pool]
	if p == nil || c.old {
		return false
	}
	_, described := p.offsets[key]
	if !described && len(c.missing) < maxMissing {
		c.missing[constantKey{pool, key}] = noOffset
	}
	return !described
}

// noOffset is the offset of a missing constant that is not reported.
const noOffset = -1

// maxMissing limits the missing constants that are reported for a chunk.
const maxMissing = 20

// string returns the string in a slot. The slot has the text, a key of the pool of strings, or one of such a constant.
func (c *constantPools) string(p *typeDecoder, v *values, at slot) string {
	if !p.has[at] {
		return ""
	}
	if pool := p.pools[at]; pool != "" {
		return c.pooledString(constantKey{pool, v.numbers[at]})
	}
	if s := v.strings[at]; s.pooled {
		return c.pooledString(constantKey{poolString, s.key})
	}
	return truncate(v.strings[at].text)
}

// pooledString returns the string of a constant, resolved once.
func (c *constantPools) pooledString(key constantKey) string {
	if found, ok := c.strings[key]; ok {
		return found
	}
	s := stringValue{key: key.key, pooled: true}
	for depth, pool := 0, key.pool; s.pooled; depth, pool = depth+1, poolString {
		if depth == maxDepth {
			c.reader.constantCycle(poolString, s.key)
			return ""
		}
		p, inner := c.decode(pool, s.key)
		if p == nil {
			return ""
		}
		s = inner.strings[slotName]
	}
	c.strings[key] = truncate(s.text)
	return c.strings[key]
}

// maxString limits names in bytes. No class, method or signature has more.
const maxString = 1<<16 - 1

func truncate(text string) string {
	if len(text) <= maxString {
		return text
	}
	return strings.Clone(strings.ToValidUTF8(text[:maxString], ""))
}

// thread returns the thread of a key, or nil for key 0. The thread of an undefined key is valid until the next call.
func (c *constantPools) thread(key uint64) *threadConstant {
	if key == 0 {
		return nil
	}
	if t, ok := c.threads[key]; ok {
		return t
	}
	if c.old && c.hasNoThreads() {
		c.threads[key] = &threadConstant{id: threadID{c.jvm, key & math.MaxUint32}}
		return c.threads[key]
	}
	p, v := c.decode(poolThread, key)
	if p == nil {
		c.unknown = threadConstant{id: threadID{c.jvm, unknownThread | key&idMask}}
		return &c.unknown
	}
	t := &threadConstant{id: threadID{jvm: c.jvm}}
	c.threads[key] = t
	own := *v
	if java := own.numbers[slotID]; c.old {
		c.setOldThread(t, key)
	} else if p.has[slotID] && int64(java) > 0 {
		t.id.number = java & idMask
	} else {
		t.id.number = nativeThread | own.numbers[slotOSThread]&idMask
	}
	t.virtual = p.has[slotVirtual] && own.numbers[slotVirtual] != 0
	if t.name = c.string(p.typeDecoder, &own, slotName); t.name == "" && t.id.number&nativeThread != 0 {
		t.name = c.string(p.typeDecoder, &own, slotOSName)
	}
	if p.has[slotGroup] {
		t.group = c.group(own.numbers[slotGroup])
	}
	return t
}

// group returns the thread group of a key.
func (c *constantPools) group(key uint64) threadGroup {
	if g, ok := c.groups[key]; ok {
		return g
	}
	names := [2]uint32{}
	first := key
	for depth := 0; key != 0; depth++ {
		if depth == maxDepth {
			c.reader.constantCycle(poolGroup, first)
			break
		}
		p, v := c.decode(poolGroup, key)
		if p == nil {
			break
		}
		own := *v
		if depth < len(names) {
			names[depth] = c.symbols.internName(c.string(p.typeDecoder, &own, slotName))
		}
		if key = own.numbers[slotGroup]; !p.has[slotGroup] {
			break
		}
	}
	g := threadGroup{names[0], names[1]}
	if g.name != 0 {
		c.groups[first] = g
	}
	return g
}

// symbol returns the symbol of a constant, or 0. It looks among the resolved ones first, else it interns the fields.
func (c *constantPools) symbol(pool string, resolved map[uint64]uint32, key uint64,
	intern func(*typeDecoder, *values) uint32) uint32 {
	if id, ok := resolved[key]; ok || key == 0 {
		return id
	}
	p, v := c.decode(pool, key)
	if p == nil {
		return 0
	}
	own := *v
	id := intern(p.typeDecoder, &own)
	resolved[key] = id
	return id
}

// class returns the symbol of a class's name, or 0.
func (c *constantPools) class(key uint64) uint32 {
	return c.symbol(poolClass, c.classes, key, func(p *typeDecoder, v *values) uint32 {
		name, _ := javaname.HiddenClass(c.string(p, v, slotName))
		return c.symbols.internName(name)
	})
}

// method returns the symbol of a method, or 0.
func (c *constantPools) method(key uint64) uint32 {
	return c.symbol(poolMethod, c.methods, key, func(p *typeDecoder, v *values) uint32 {
		var m method
		if p.has[slotClass] {
			m.class = c.class(v.numbers[slotClass])
		}
		m.name, m.signature = c.string(p, v, slotName), c.string(p, v, slotSignature)
		return c.symbols.internMethod(m)
	})
}

// stack returns the symbol of a stack trace, or 0. Frames of unknown methods are left out.
func (c *constantPools) stack(key uint64) uint32 {
	return c.symbol(poolStack, c.stacks, key, func(p *typeDecoder, v *values) uint32 {
		if !p.has[slotStack] || c.frames == nil {
			return 0
		}
		return c.symbols.internStack(c.readFrames(int(v.numbers[slotStack])))
	})
}

// readFrames returns the frames of the stack trace at a position of the constants, encoded as in stackTrace.
func (c *constantPools) readFrames(at int) []byte {
	in := cursor{data: c.bytes, at: at, fixed: c.fixed}
	c.scratch = c.scratch[:0]
	for range in.count(1) {
		c.frames.steps.decode(&in, &c.values)
		line := int32(c.values.numbers[slotLine])
		if !c.frames.has[slotLine] || line <= 0 {
			line = trace.NoLine
		}
		c.scratch = appendFrame(c.scratch, c.method(c.values.numbers[slotMethod]), line)
	}
	return c.scratch
}
