package hprof

import "slices"

// specialClass describes a class whose objects HotSpot lays out differently from the fields in the dump. The version of
// the JDK decides; its fields tell the version.
type specialClass struct {
	ifField         string     // applies if the class has this field; "" always applies
	ifClassField    string     // applies if java.lang.Class has this field; "" always applies
	injected        []byte     // kinds of the fields that HotSpot injects
	contended       bool       // the class is @Contended
	variable        bool       // objects have data after their fields that the dump lacks
	contendedGroups [][]string // names of @Contended fields, by group
}

// padding is the number of bytes before and after @Contended fields.
const padding = 128

// specialClasses are the special classes of JDKs 17 and 25, from HotSpot's javaClasses.hpp and the JDK's annotations
// @Contended. The first entry of a class that applies counts.
var specialClasses = map[string][]specialClass{
	"java/lang/Class": {
		{ifField: "protectionDomain", injected: []byte{kindLong, kindLong, kindInt, kindInt, kindObject, kindObject}},
		{injected: []byte{kindLong, kindLong, kindInt, kindInt, kindObject, kindObject, kindObject}},
	},
	"java/lang/ClassLoader":    {{injected: []byte{kindLong}}},
	"java/lang/InternalError":  {{injected: []byte{kindByte}}},
	"java/lang/Module":         {{injected: []byte{kindLong}}},
	"java/lang/StackFrameInfo": {{injected: []byte{kindShort}}},
	"java/lang/String":         {{ifField: "hashIsZero", injected: []byte{kindByte}}},
	"java/lang/Thread": {
		{ifField: "holder", injected: []byte{kindLong, kindInt, kindByte, kindShort}},
		{contendedGroups: [][]string{{"threadLocalRandomSeed", "threadLocalRandomProbe",
			"threadLocalRandomSecondarySeed"}}},
	},
	"java/lang/VirtualThread": {{ifField: "onWaitingList", injected: []byte{kindLong}}},
	"java/lang/invoke/CallSite": {{ifField: "context"},
		{ifClassField: "classData", injected: []byte{kindLong, kindLong}}},
	"java/lang/invoke/MemberName": {{ifField: "method", injected: []byte{kindLong}},
		{injected: []byte{kindLong, kindLong, kindObject}}},
	"java/lang/invoke/MethodHandleNatives$CallSiteContext": {
		{ifClassField: "classData", injected: []byte{kindLong, kindLong}},
		{injected: []byte{kindLong}}},
	"java/lang/invoke/ResolvedMethodName": {{ifField: "vmholder", injected: []byte{kindLong}},
		{injected: []byte{kindObject, kindLong}}},
	"java/lang/reflect/Field": {{ifClassField: "classFileAccessFlags",
		injected: []byte{kindInt}}},
	"java/util/concurrent/ConcurrentHashMap$CounterCell": {{contended: true}},
	"java/util/concurrent/Exchanger$Node":                {{ifField: "bound", contended: true}},
	"java/util/concurrent/Exchanger$Slot":                {{contended: true}},
	"java/util/concurrent/ForkJoinPool":                  {{contendedGroups: [][]string{{"ctl", "parallelism"}}}},
	"java/util/concurrent/ForkJoinPool$WorkQueue": {
		{ifField: "parking", contendedGroups: [][]string{{"top", "phase", "stackPred", "source", "nsteals",
			"parking"}}},
		{contendedGroups: [][]string{{"top", "source", "nsteals"}}},
	},
	"java/util/concurrent/SubmissionPublisher$BufferedSubscription": {
		{contended: true, contendedGroups: [][]string{{"demand", "waiting"}}}},
	"java/util/concurrent/atomic/Striped64$Cell": {{contended: true}},
	"jdk/internal/vm/StackChunk":                 {{variable: true}},
}

// special returns the entry of the class that applies, or nil.
func (b *binaryReader) special(c *class) *specialClass {
	if len(c.fieldNames) != len(c.fields) {
		return nil
	}
	variants := specialClasses[b.nameOf(c)]
	for i := range variants {
		o := &variants[i]
		if (o.ifField == "" || slices.Contains(c.fieldNames, o.ifField)) &&
			(o.ifClassField == "" || b.hasClassField(o.ifClassField)) {
			return o
		}
	}
	return nil
}

// hasClassField reports whether java.lang.Class has a field, which tells the version of the JDK.
func (b *binaryReader) hasClassField(name string) bool {
	c := b.classOfClasses()
	return c != nil && slices.Contains(c.fieldNames, name)
}

// addSpecial lays out the fields of a special class.
func (s *fieldLayout) addSpecial(l *layout, o *specialClass, c *class) {
	free := slices.Clone(o.injected)
	groups := make([][]byte, len(o.contendedGroups))
	for i, kind := range c.fields {
		at := slices.IndexFunc(o.contendedGroups, func(names []string) bool {
			return slices.Contains(names, c.fieldNames[i])
		})
		if at >= 0 {
			groups[at] = append(groups[at], kind)
		} else {
			free = append(free, kind)
		}
	}
	if o.contended {
		s.pad()
	}
	s.add(l, free)
	for _, kinds := range groups {
		if len(kinds) > 0 {
			s.pad()
			s.add(l, kinds)
		}
	}
	if s.noFill {
		s.pad()
	}
}

// pad adds the padding of @Contended.
func (s *fieldLayout) pad() { *s = fieldLayout{end: s.end + padding, noFill: true} }
