package bci

import (
	"bytes"
	"runtime"
	"slices"
	"strings"
	"testing"
)

var (
	onRun    = []Hook{{Method: Method{"", "run", ""}, Before: reportSlept}}
	onReturn = []Hook{{Method: Method{"", "run", ""}, After: reportJoined}}
)

// TestRewrite compares the instructions, exception tables and attributes of rewritten methods with expected ones; see
// words for their notation.
func TestRewrite(t *testing.T) {
	for _, test := range []struct {
		name       string
		class      built
		hooks      []Hook
		stack      int // expected additional words
		code       string
		handlers   string
		attributes []string
	}{
		{
			name:  "a return",
			class: built{stack: 1, locals: 1, code: "2a b1 00 00 bf"}, hooks: onReturn, stack: 1,
			code: "2a 2a b8 #joined b1 00 00 bf",
		}, {
			name:  "a class of a Java to come",
			class: built{version: 90, stack: 1, locals: 1, code: "2a b1 00 00 bf"}, hooks: onReturn,
			stack: 1,
			code:  "2a 2a b8 #joined b1 00 00 bf",
		}, {
			name:  "two hooks at one return",
			class: built{stack: 1, locals: 1, code: "2a b1 00 00 bf"}, hooks: append(onReturn,
				Hook{Method: Method{"", "run", ""}, Before: reportSlept, After: reportSlept}), stack: 1,
			code: "b8 #slept 2a 2a b8 #joined b8 #slept b1 00 00 bf",
		}, {
			name:  "the entry, and returns that are jumped to",
			class: built{method: "joinNanos(J)Z", stack: 1, locals: 3, code: "2a c6 00 05 04 ac 03 ac"},
			hooks: []Hook{{Method: Method{"Example", "joinNanos", "(J)Z"}, Before: reportJoins, After: reportJoined}},
			stack: 3,
			code:  "2a 1f b8 #joins 2a c6 00 09 04 2a b8 #joined ac 03 2a b8 #joined ac",
		}, {
			name:  "the entry of a static method with a long",
			class: built{access: accStatic, method: "sleepNanos(J)V", locals: 2, code: "b1"},
			hooks: []Hook{{Method: Method{"Example", "sleepNanos", "(J)V"}, Before: reportSleepsNanos,
				After: reportSlept}}, stack: 2,
			code: "1e b8 #sleepsNanos b8 #slept b1",
		}, {
			name:  "the entry of a method that begins with a loop is run once",
			class: built{stack: 1, locals: 1, code: "2a c7 ff ff b1", attributes: []string{"StackMapTable", "0001 00"}},
			hooks: onRun,
			code:  "b8 #slept 2a c7 ff ff b1", attributes: []string{"StackMapTable", "0001 03"},
		}, {
			name: "a jump to a return runs what is inserted, and so does a frame",
			class: built{stack: 1, locals: 2, code: "2a c6 00 07 2a a7 00 04 2b b1 00 00 bf",
				attributes: []string{"StackMapTable", "0002 08 00"}},
			hooks: onReturn, stack: 1,
			code: "2a c6 00 07 2a a7 00 04 2b 2a b8 #joined b1 00 00 bf", attributes: []string{"StackMapTable",
				"0002 08 00"},
		}, {
			name: "a jump backwards over a return",
			class: built{stack: 1, locals: 1, code: "2a b1 00 00 a7 ff fc", attributes: []string{
				"StackMapTable", "0001 00"}},
			hooks: onReturn, stack: 1,
			code: "2a 2a b8 #joined b1 00 00 a7 ff f8", attributes: []string{"StackMapTable", "0001 00"},
		}, {
			name: "goto_w, jsr, jsr_w and ret of old classes",
			class: built{version: 48, stack: 1, locals: 2,
				code: "c8 00 00 00 0a c9 00 00 00 0e a8 00 09 00 2a b1 00 00 bf 4c a9 01"},
			hooks: onReturn, stack: 1,
			code: "c8 00 00 00 0a c9 00 00 00 12 a8 00 0d 00 2a 2a b8 #joined b1 00 00 bf 4c a9 01",
		}, {
			name: "a tableswitch is aligned anew",
			class: built{stack: 1, locals: 1,
				code: "2a b1 00 00 03 aa 00 00 00000017 00000000 00000001 00000018 fffffffb bf bf"},
			hooks: append(onReturn, onRun...), stack: 1,
			code: "b8 #slept 2a 2a b8 #joined b1 00 00 03 aa 00 00 00 00000018 00000000 00000001 " +
				"00000019 fffffff7 bf bf",
		}, {
			name: "a lookupswitch is aligned anew",
			class: built{stack: 1, locals: 1,
				code: "03 ab 00 00 00000013 00000001 00000007 00000014 b1 b1"},
			hooks: onRun,
			code:  "b8 #slept 03 ab 00 00 00 00000014 00000001 00000007 00000015 b1 b1",
		}, {
			name:  "wide instructions",
			class: built{stack: 1, locals: 300, code: "c4 84 01 00 00 01 c4 19 00 00 57 b1"}, hooks: onRun,
			code: "b8 #slept c4 84 01 00 00 01 c4 19 00 00 57 b1",
		}, {
			name: "a handler that covers a return covers what is inserted",
			class: built{stack: 1, locals: 1, code: "2a b1 00 00 bf 57 bf",
				handlers: "0001 0004 0005 0000"},
			hooks: onReturn, stack: 1,
			code: "2a 2a b8 #joined b1 00 00 bf 57 bf", handlers: "0001 0008 0009 0000",
		}, {
			name: "a handler that ends before a return",
			class: built{stack: 1, locals: 1, code: "2a b1 00 00 bf 57 bf",
				handlers: "0000 0001 0005 0000"},
			hooks: onReturn, stack: 1,
			code: "2a 2a b8 #joined b1 00 00 bf 57 bf", handlers: "0000 0001 0009 0000",
		}, {
			name: "lines, variables and their types",
			class: built{stack: 1, locals: 1, code: "00 2a b1 00 00 00 bf", attributes: []string{
				"LineNumberTable", "0003 0000 000a 0002 000b 0005 000c",
				"LocalVariableTable", "0002 0000 0007 0001 0002 0000 0002 0003 0001 0002 0001",
				"LocalVariableTypeTable", "0001 0005 0002 0001 0002 0000"}},
			hooks: append(onReturn, onRun...), stack: 1,
			code: "b8 #slept 00 2a 2a b8 #joined b1 00 00 00 bf",
			attributes: []string{
				"LineNumberTable", "0003 0000 000a 0005 000b 000c 000c",
				"LocalVariableTable", "0002 0000 000e 0001 0002 0000 0005 0007 0001 0002 0001",
				"LocalVariableTypeTable", "0001 000c 0002 0001 0002 0000"},
		}, {
			name: "all kinds of frames",
			class: built{stack: 1, locals: 1, code: "2a b1 00 00 00*20 bb 0001 00*240 bf",
				attributes: []string{"StackMapTable",
					"0009 06 47 01 f7 0001 070001 fa 0000 fb 0000 fd 0000 01 070001 ff 0001 0003 00 01 080018 0001 " +
						"080018 3f 7e 00"}},
			hooks: append(onReturn, onRun...), stack: 1,
			code: "b8 #slept 2a 2a b8 #joined b1 00 00 00*20 bb 0001 00*240 bf",
			attributes: []string{"StackMapTable",
				"0009 0d 47 01 41 070001 fa 0000 00 fd 0000 01 070001 ff 0001 0003 00 01 08001f 0001 08001f 3f 7e 00"},
		}, {
			name: "small frames that become too far for their form",
			class: built{stack: 1, locals: 1, code: "00*60 2a b1 00 00 2a b1 00 00 00*70 bf",
				attributes: []string{"StackMapTable", "0002 3c 7f 06"}},
			hooks: append(onReturn, onRun...), stack: 1,
			code:       "b8 #slept 00*60 2a 2a b8 #joined b1 00 00 2a 2a b8 #joined b1 00 00 00*70 bf",
			attributes: []string{"StackMapTable", "0002 3f f7 0047 06"},
		}, {
			name: "type annotations",
			class: built{stack: 1, locals: 1, code: "00 2a b1 00 00 bb 0001 c0 0001 57 bf",
				attributes: []string{
					"RuntimeVisibleTypeAnnotations", "0004" +
						" 40 0001 0001 0004 0000 00 0001 0000" + // localvar_target
						" 44 0005 01 0300 0001 0001 0001 5b 0002 42 0001 65 0001 0001" + // new, with values
						" 47 0008 00 00 0001 0001 0001 40 0001 0000" + // a cast, with an annotation in it
						" 48 0002 00 00 0001 0000", // a type argument
					"RuntimeInvisibleTypeAnnotations", "0001 42 0000 00 0001 0000"}},
			hooks: onReturn, stack: 1,
			code: "00 2a 2a b8 #joined b1 00 00 bb 0001 c0 0001 57 bf",
			attributes: []string{
				"RuntimeVisibleTypeAnnotations", "0004" +
					" 40 0001 0001 0008 0000 00 0001 0000" +
					" 44 0009 01 0300 0001 0001 0001 5b 0002 42 0001 65 0001 0001" +
					" 47 000c 00 00 0001 0001 0001 40 0001 0000" +
					" 48 0006 00 00 0001 0000",
				"RuntimeInvisibleTypeAnnotations", "0001 42 0000 00 0001 0000"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			before := test.class.bytes(t)
			result, err := Rewrite(before, test.hooks)
			if err != nil || result.Class == nil || result.Methods != 1 || result.LeftAlone != nil {
				t.Fatalf("%v, %d methods, left alone %v", err, result.Methods, result.LeftAlone)
			}
			cl, code := only(t, result.Class)
			compare(t, "instructions", code.text, words(t, result.Class, test.code))
			wantHandlers := words(t, result.Class, or(test.handlers, test.class.handlers))
			compare(t, "handlers", code.handlers, wantHandlers)
			if code.stack != test.class.stack+test.stack || code.locals != test.class.locals {
				t.Errorf("stack %d and locals %d, want %d and %d", code.stack, code.locals, test.class.stack+test.stack,
					test.class.locals)
			}
			for i := 0; i < len(test.attributes); i += 2 {
				compare(t, test.attributes[i], code.attribute(cl, test.attributes[i]),
					words(t, result.Class, test.attributes[i+1]))
			}
			if again, err := Rewrite(result.Class, test.hooks); err != nil || again.Class != nil ||
				again.LeftAlone != nil {
				t.Errorf("rewritten a second time: %v, %d methods, left alone %v", err, again.Methods, again.LeftAlone)
			}
		})
	}
}

func compare(t *testing.T, what string, got, want []byte) {
	t.Helper()
	if !bytes.Equal(got, want) {
		t.Errorf("%s:\n% x, want\n% x", what, got, want)
	}
}

// TestUnchanged proves that classes without a matching hook are not changed, though the names are similar.
func TestUnchanged(t *testing.T) {
	for _, test := range []struct {
		name  string
		class built
		hooks []Hook
	}{
		{"another name", built{method: "running()V", code: "b1"}, onReturn},
		{"another descriptor", built{method: "run(I)V", code: "b1"},
			[]Hook{{Method: Method{"", "run", "()V"}, After: reportJoined}}},
		{"another class", built{code: "b1"}, []Hook{{Method: Method{"Other", "run", "()V"}, After: reportJoined}}},
		{"this of a static method", built{access: accStatic, code: "b1"}, []Hook{{Before: reportStarted}}},
		{"this at a constructor's entry", built{method: "<init>()V", code: "b1"}, []Hook{{Before: reportStarted}}},
		{"a long that is none", built{method: "run(I)V", code: "b1"}, []Hook{{Before: reportSleepsNanos}}},
		{"nothing to report", built{code: "b1"}, []Hook{{}}},
		{"no hooks", built{code: "b1"}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			result, err := Rewrite(test.class.bytes(t), test.hooks)
			if err != nil || result.Class != nil || result.Methods != 0 || result.LeftAlone != nil {
				t.Errorf("%v, %d methods, left alone %v", err, result.Methods, result.LeftAlone)
			}
		})
	}
}

// TestLeftAlone proves that methods that cannot be rewritten are left alone, with a reason.
func TestLeftAlone(t *testing.T) {
	ends := "2a b1 00 00 "
	for _, test := range []struct {
		name, reason string
		class        built
		hooks        []Hook
	}{
		{"an unknown attribute", `an unknown attribute "CharacterRangeTable"`,
			built{code: ends + "bf", attributes: []string{"CharacterRangeTable", ""}}, nil},
		{"too long", "the limit is 65535", built{code: ends + "00*65530 bf"}, nil},
		{"a jump that gets too far", "the branch at offset 0 would be 32770 bytes long",
			built{code: "a7 7f fe " + ends + "00*32759 bf"}, nil},
		{"a jump backwards that gets too far", "the branch at offset 32765 would be -32769 bytes long",
			built{code: ends + "00*32761 a7 80 03 bf"}, nil},
		{"the operand stack", "65538 words of operand stack", built{method: "run(J)V", stack: 65535, code: "b1"},
			[]Hook{{Method: Method{Name: "run"}, Before: reportJoins}}},
		{"this is another", "assigns to a parameter", built{code: "01 4b b1"},
			[]Hook{{After: reportJoined}}},
		{"the long is another", "assigns to a parameter", built{method: "run(J)V", code: "09 40 b1"},
			[]Hook{{After: Report{"joins", ObjectAndLong}}}},
		{"the long is counted down", "assigns to a parameter", built{method: "run(J)V", code: "84 01 ff b1"},
			[]Hook{{After: reportSleepsNanos}}},
		{"a wide count", "assigns to a parameter", built{method: "run(J)V", code: "c4 84 00 01 ff ff b1"},
			[]Hook{{After: reportSleepsNanos}}},
		{"the end of the long is another", "assigns to a parameter",
			built{method: "run(J)V", code: "03 c4 36 00 02 b1"},
			[]Hook{{After: reportSleepsNanos}}},
		{"no instruction", "unknown opcode 0xfe", built{code: ends + "fe"}, nil},
		{"half an instruction", "incomplete or invalid", built{code: ends + "b6 00"}, nil},
		{"half a switch", "incomplete or invalid", built{code: ends + "aa 00 00 00 00 00 00 00"}, nil},
		{"an endless switch", "incomplete or invalid",
			built{code: ends + "aa 00 00 00 00000010 80000000 7fffffff bf"}, nil},
		{"half a wide", "incomplete or invalid", built{code: ends + "c4"}, nil},
		{"a wide nothing", "incomplete or invalid", built{code: ends + "c4 00 00 00"}, nil},
		{"no instructions", "0 bytes of instructions", built{code: ""}, onRun},
		{"a jump into an instruction", "offset 5, which is not an instruction's",
			built{code: ends + "11 00 00 a7 ff fe"}, nil},
		{"a jump to the end", "branches to its end", built{code: ends + "a7 00 03"}, nil},
		{"a jump to nowhere", "offset -32764", built{code: ends + "a7 80 00"}, nil},
		{"a handler of nothing", "exception table: it refers to offset 9",
			built{code: ends + "bf", handlers: "0000 0009 0000 0000"}, nil},
		{"a frame of nothing", "StackMapTable: it refers to offset 5",
			built{code: ends + "11 00 00 bf", attributes: []string{"StackMapTable", "0001 05"}}, nil},
		{"an unknown frame", "frame_type 128", built{code: ends + "bf", attributes: []string{"StackMapTable",
			"0001 80 00"}}, nil},
		{"an unknown type", "verification type 9", built{code: ends + "bf", attributes: []string{"StackMapTable",
			"0001 44 09"}}, nil},
		{"too few frames", "ends too early", built{code: ends + "bf", attributes: []string{"StackMapTable", "0002 00"}},
			nil},
		{"too many frames", "data follows its end",
			built{code: ends + "bf", attributes: []string{"StackMapTable", "0000 00"}},
			nil},
		{"too few lines", "length does not match its number of rows",
			built{code: ends + "bf", attributes: []string{"LineNumberTable", "0002 0000 0001"}}, nil},
		{"a line of nothing", "beyond its end", built{code: ends + "bf", attributes: []string{"LineNumberTable",
			"0001 0006 0001"}}, nil},
		{"an unknown target", "target_type 0x13",
			built{code: ends + "bf", attributes: []string{"RuntimeVisibleTypeAnnotations", "0001 13 00 0001 0000"}},
			nil},
		{"an unknown value", "tag 'x'", built{code: ends + "bf",
			attributes: []string{"RuntimeVisibleTypeAnnotations", "0001 42 0000 00 0001 0001 0001 78 0000"}}, nil},
		{"endless annotations", "101 deep", built{code: ends + "bf",
			attributes: []string{"RuntimeVisibleTypeAnnotations", "0001 42 0000 00 0001 0001 0001 5b0001*200 42 0000"}},
			nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			hooks := test.hooks
			if hooks == nil {
				hooks = onReturn
			}
			result, err := Rewrite(test.class.bytes(t), hooks)
			if err != nil || result.Class != nil || len(result.LeftAlone) != 1 {
				t.Fatalf("%v, %d methods rewritten, left alone %v", err, result.Methods, result.LeftAlone)
			}
			if left := result.LeftAlone[0]; !strings.Contains(left.Reason.Error(), test.reason) ||
				!strings.HasPrefix(left.Method, "run(") {
				t.Errorf("%s was left alone because %q, want %q", left.Method, left.Reason, test.reason)
			}
		})
	}
}

const constantsOfReport = constantsAtOnce + 2 // the Recorder's Class with its Utf8

// TestNearLimits proves that classes at the limits are rewritten.
func TestNearLimits(t *testing.T) {
	ends := "2a b1 00 00 "
	for _, test := range []struct {
		name  string
		class built
	}{
		{"65535 bytes", built{code: ends + "00*65526 bf"}},
		{"a jump of 32767 bytes", built{code: "a7 7f fb " + ends + "00*32756 bf"}},
		{"a jump of -32768 bytes", built{code: ends + "00*32760 a7 80 04 bf"}},
		{"a constant pool that is full afterwards",
			built{code: ends + "bf", fill: maxConstants - constantsOfReport - 8}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if result, err := Rewrite(test.class.bytes(t), onReturn); err != nil || result.Methods != 1 {
				t.Errorf("%v, %d methods rewritten, left alone %v", err, result.Methods, result.LeftAlone)
			}
		})
	}
}

// TestErrors proves that invalid classes are left alone as a whole, with an error.
func TestErrors(t *testing.T) {
	whole := built{code: "2a b1 00 00 bf"}.bytes(t)
	for _, test := range []struct {
		name, reason string
		class        []byte
	}{
		{"nothing", "CAFEBABE", nil},
		{"text", "CAFEBABE", []byte("public class Example {}")},
		{"more than a class", "data follows its end", append(whole[:len(whole):len(whole)], 0)},
		{"half a class", "ends too early", whole[:len(whole)-3]},
		{"half its constants", "ends in its constant pool", whole[:40]},
		{"an unknown constant", "unknown tag 2", append(append([]byte(nil), whole[:poolAt+2]...), 2)},
		{"a class of the first Java", "45.2", built{version: 2<<16 | 45, code: "2a b1 00 00 bf"}.bytes(
			t)},
		{"a full constant pool", "constant pool is full", built{code: "2a b1 00 00 bf",
			fill: maxConstants - constantsOfReport - 7}.bytes(t)},
	} {
		t.Run(test.name, func(t *testing.T) {
			result, err := Rewrite(test.class, onReturn)
			if err == nil || !strings.Contains(err.Error(), test.reason) || result.Class != nil {
				t.Errorf("%v, want %q", err, test.reason)
			}
		})
	}
}

// TestCandidate proves that candidate is true for every class that Rewrite changes.
func TestCandidate(t *testing.T) {
	for _, test := range []struct {
		name  string
		class built
		hooks []Hook
		want  bool
	}{
		{"all names", built{}, onReturn, true},
		{"no such method", built{method: "other()V"}, onReturn, false},
		{"another class", built{method: "unpark()V"}, VirtualParks, false},
		{"that class", built{name: virtualThreadClass, method: "unpark()V"}, VirtualParks, true},
		{"one that names the Recorder", built{name: recorderClass}, onReturn, false},
		{"no hooks", built{}, nil, false},
		{"so many hooks that it does not look", built{}, make([]Hook, maxHooks+1), true},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := candidate(test.class.bytes(t), test.hooks); got != test.want {
				t.Errorf("%v, want %v", got, test.want)
			}
		})
	}
	if class := Recorder(); candidate(class, []Hook{{Before: reportSlept}}) {
		t.Error("the Recorder itself is a candidate")
	}
	class := built{}.bytes(t)
	if n := testing.AllocsPerRun(100, func() { candidate(class, onReturn) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestRecorder proves that the Recorder has the method of each report, and run.
func TestRecorder(t *testing.T) {
	cl, err := readClass(Recorder())
	if err != nil {
		t.Fatal(err)
	}
	if cl.name != recorderClass || len(cl.methods) != len(reports)+3 {
		t.Errorf("class %s with %d methods", cl.name, len(cl.methods))
	}
	for _, r := range append(reports[:len(reports):len(reports)], replace, replacement) {
		if !slices.ContainsFunc(cl.methods, func(m method) bool {
			return m.name == r.Name && m.descriptor == arguments[r.With].descriptor
		}) {
			t.Errorf("it lacks %s%s", r.Name, arguments[r.With].descriptor)
		}
	}
}

// TestHostileNames proves that thousands of methods that cannot be rewritten, with the same name of the largest length,
// do not need thousands of copies of it.
func TestHostileNames(t *testing.T) {
	name := strings.Repeat("x", 1<<16-1)
	class := built{method: name + "()V", code: "fe"}.bytes(t)
	const methods = 20000
	const methodSize = 27 // with one byte of code, without the two bytes after it
	head, method := class[:len(class)-2-methodSize], class[len(class)-2-methodSize:len(class)-2]
	many := append2(append([]byte(nil), head[:len(head)-2]...), methods)
	many = append(append(many, bytes.Repeat(method, methods)...), 0, 0)
	before := new(runtime.MemStats)
	runtime.ReadMemStats(before)
	result, err := Rewrite(many, []Hook{{Before: reportSlept}})
	after := new(runtime.MemStats)
	runtime.ReadMemStats(after)
	if err != nil || len(result.LeftAlone) != methods || result.Class != nil {
		t.Errorf("%v, %d methods left alone, want %d", err, len(result.LeftAlone), methods)
	}
	if taken := after.TotalAlloc - before.TotalAlloc; taken > 100<<20 {
		t.Errorf("it took %d MiB", taken>>20)
	}
}
