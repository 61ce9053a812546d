package hprof

import "slices"

// oddity is what HotSpot does to the objects of a class beside what the fields in the dump say. Which it does depends
// on the version, which the fields tell.
type oddity struct {
	with   string     // there is a field of this name; "" says that it holds without
	since  string     // there is a field of this name in java.lang.Class; likewise
	hidden []byte     // the kinds of fields that HotSpot adds
	apart  bool       // objects are kept apart from others
	longer bool       // objects have more behind their fields, which the dump does not have
	groups [][]string // fields that are kept apart from others, by names
}

// padding is how many bytes HotSpot keeps free before and behind what many threads write to.
const padding = 128

// oddities are those of HotSpot in JDKs 17 and 25 by classes, as its javaClasses.hpp and the annotations Contended of
// the JDK have them. The first of a class that holds counts.
var oddities = map[string][]oddity{
	"java/lang/Class": {
		{with: "protectionDomain", hidden: []byte{kindLong, kindLong, kindInt, kindInt, kindObject, kindObject}},
		{hidden: []byte{kindLong, kindLong, kindInt, kindInt, kindObject, kindObject, kindObject}},
	},
	"java/lang/ClassLoader":    {{hidden: []byte{kindLong}}},
	"java/lang/InternalError":  {{hidden: []byte{kindByte}}},
	"java/lang/Module":         {{hidden: []byte{kindLong}}},
	"java/lang/StackFrameInfo": {{hidden: []byte{kindShort}}},
	"java/lang/String":         {{with: "hashIsZero", hidden: []byte{kindByte}}},
	"java/lang/Thread": {
		{with: "holder", hidden: []byte{kindLong, kindInt, kindByte, kindShort}},
		{groups: [][]string{{"threadLocalRandomSeed", "threadLocalRandomProbe", "threadLocalRandomSecondarySeed"}}},
	},
	"java/lang/VirtualThread": {{with: "onWaitingList", hidden: []byte{kindLong}}},
	"java/lang/invoke/CallSite": {{with: "context"},
		{since: "classData", hidden: []byte{kindLong, kindLong}}},
	"java/lang/invoke/MemberName": {{with: "method", hidden: []byte{kindLong}},
		{hidden: []byte{kindLong, kindLong, kindObject}}},
	"java/lang/invoke/MethodHandleNatives$CallSiteContext": {{since: "classData", hidden: []byte{kindLong, kindLong}},
		{hidden: []byte{kindLong}}},
	"java/lang/invoke/ResolvedMethodName": {{with: "vmholder", hidden: []byte{kindLong}},
		{hidden: []byte{kindObject, kindLong}}},
	"java/lang/reflect/Field":                            {{since: "classFileAccessFlags", hidden: []byte{kindInt}}},
	"java/util/concurrent/ConcurrentHashMap$CounterCell": {{apart: true}},
	"java/util/concurrent/Exchanger$Node":                {{with: "bound", apart: true}},
	"java/util/concurrent/Exchanger$Slot":                {{apart: true}},
	"java/util/concurrent/ForkJoinPool":                  {{groups: [][]string{{"ctl", "parallelism"}}}},
	"java/util/concurrent/ForkJoinPool$WorkQueue": {
		{with: "parking", groups: [][]string{{"top", "phase", "stackPred", "source", "nsteals", "parking"}}},
		{groups: [][]string{{"top", "source", "nsteals"}}},
	},
	"java/util/concurrent/SubmissionPublisher$BufferedSubscription": {
		{apart: true, groups: [][]string{{"demand", "waiting"}}}},
	"java/util/concurrent/atomic/Striped64$Cell": {{apart: true}},
	"jdk/internal/vm/StackChunk":                 {{longer: true}},
}

// oddityOf is what is odd about the class; nil if nothing is.
func (b *binaryReader) oddityOf(c *class) *oddity {
	if len(c.fieldNames) != len(c.fields) {
		return nil
	}
	variants := oddities[b.nameOf(c)]
	for i := range variants {
		o := &variants[i]
		if (o.with == "" || slices.Contains(c.fieldNames, o.with)) && (o.since == "" || b.hasClassField(o.since)) {
			return o
		}
	}
	return nil
}

// hasClassField says whether java.lang.Class has a field of the name, which tells the version of the JDK.
func (b *binaryReader) hasClassField(name string) bool {
	c := b.classOfClasses()
	return c != nil && slices.Contains(c.fieldNames, name)
}

// addOdd lays out the fields of a class about which something is odd.
func (s *shape) addOdd(l *layout, o *oddity, c *class) {
	free := slices.Clone(o.hidden)
	groups := make([][]byte, len(o.groups))
	for i, kind := range c.fields {
		at := slices.IndexFunc(o.groups, func(names []string) bool { return slices.Contains(names, c.fieldNames[i]) })
		if at >= 0 {
			groups[at] = append(groups[at], kind)
		} else {
			free = append(free, kind)
		}
	}
	if o.apart {
		s.pad()
	}
	s.add(l, free)
	for _, kinds := range groups {
		if len(kinds) > 0 {
			s.pad()
			s.add(l, kinds)
		}
	}
	if s.sealed {
		s.pad()
	}
}

// pad keeps what comes apart from what is there.
func (s *shape) pad() { *s = shape{end: s.end + padding, sealed: true} }
