package bci

import (
	"bytes"
	"runtime"
	"strings"
	"testing"
)

var (
	onNotify = []Hook{{Method: Method{"", "notify", "()V"}, Before: reportNotified}}
	onRun    = []Hook{{Site: InBody, Method: Method{"", "run", ""}, Before: reportInterruption}}
	notify   = "java/lang/Object.notify()V"
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
			name:  "a call",
			class: built{calls: notify, stack: 1, locals: 1, code: "2a b6 #notify b1"}, hooks: onNotify, stack: 1,
			code: "2a 59 b8 #notified b6 #notify b1",
		}, {
			name:  "a class of a Java to come",
			class: built{version: 90, calls: notify, stack: 1, locals: 1, code: "2a b6 #notify b1"}, hooks: onNotify,
			stack: 1,
			code:  "2a 59 b8 #notified b6 #notify b1",
		}, {
			name:  "before and after a call with a long",
			class: built{calls: "java/lang/Thread.sleep(J)V", stack: 2, code: "09 b8 #sleep b1"},
			hooks: []Hook{{Method: Method{"java/lang/Thread", "sleep", "(J)V"}, Before: reportSleeps, After: reportSlept}},
			stack: 2,
			code:  "09 5c b8 #sleeps b8 #sleep b8 #slept b1",
		}, {
			name:  "two hooks at one call",
			class: built{calls: notify, stack: 1, locals: 1, code: "2a b6 #notify b1"}, hooks: append(onNotify,
				Hook{Method: Method{"", "notify", "()V"}, Before: reportInterruption, After: reportSlept}), stack: 1,
			code: "2a 59 b8 #notified b8 #interruption b6 #notify b8 #slept b1",
		}, {
			name:  "a call of an interface's method",
			class: built{calls: "I:Lock.notify()V", stack: 1, locals: 1, code: "2a b9 #notify 01 00 b1"},
			hooks: onNotify, stack: 1,
			code: "2a 59 b8 #notified b9 #notify 01 00 b1",
		}, {
			name:  "the entry, and returns that are jumped to",
			class: built{method: "joinNanos(J)Z", stack: 1, locals: 3, code: "2a c6 00 05 04 ac 03 ac"},
			hooks: []Hook{{Site: InBody, Method: Method{"Example", "joinNanos", "(J)Z"}, Before: reportJoins, After: reportJoined}},
			stack: 3,
			code:  "2a 1f b8 #joins 2a c6 00 09 04 2a b8 #joined ac 03 2a b8 #joined ac",
		}, {
			name:  "the entry of a static method with a long",
			class: built{access: accStatic, method: "sleepNanos(J)V", locals: 2, code: "b1"},
			hooks: []Hook{{Site: InBody, Method: Method{"Example", "sleepNanos", "(J)V"}, Before: reportSleepsNanos,
				After: reportSlept}}, stack: 2,
			code: "1e b8 #sleepsNanos b8 #slept b1",
		}, {
			name:  "the entry of a method that begins with a loop is run once",
			class: built{stack: 1, locals: 1, code: "2a c7 ff ff b1", attributes: []string{"StackMapTable", "0001 00"}},
			hooks: onRun,
			code:  "b8 #interruption 2a c7 ff ff b1", attributes: []string{"StackMapTable", "0001 03"},
		}, {
			name: "a jump to a call runs what is inserted, and so does a frame",
			class: built{calls: notify, stack: 1, locals: 2, code: "2a c6 00 07 2a a7 00 04 2b b6 #notify b1",
				attributes: []string{"StackMapTable", "0002 08 00"}},
			hooks: onNotify, stack: 1,
			code: "2a c6 00 07 2a a7 00 04 2b 59 b8 #notified b6 #notify b1", attributes: []string{"StackMapTable",
				"0002 08 00"},
		}, {
			name: "a jump backwards over a call",
			class: built{calls: notify, stack: 1, locals: 1, code: "2a b6 #notify a7 ff fc", attributes: []string{
				"StackMapTable", "0001 00"}},
			hooks: onNotify, stack: 1,
			code: "2a 59 b8 #notified b6 #notify a7 ff f8", attributes: []string{"StackMapTable", "0001 00"},
		}, {
			name: "goto_w, jsr, jsr_w and ret of old classes",
			class: built{version: 48, calls: notify, stack: 1, locals: 2,
				code: "c8 00 00 00 0a c9 00 00 00 0e a8 00 09 00 2a b6 #notify b1 4c a9 01"},
			hooks: onNotify, stack: 1,
			code: "c8 00 00 00 0a c9 00 00 00 12 a8 00 0d 00 2a 59 b8 #notified b6 #notify b1 4c a9 01",
		}, {
			name: "a tableswitch is aligned anew",
			class: built{calls: notify, stack: 1, locals: 1,
				code: "2a b6 #notify 03 aa 00 00 00000017 00000000 00000001 00000018 fffffffb b1 b1"},
			hooks: append(onNotify, onRun...), stack: 1,
			code: "b8 #interruption 2a 59 b8 #notified b6 #notify 03 aa 00 00 00 00000018 00000000 00000001 " +
				"00000019 fffffff7 b1 b1",
		}, {
			name: "a lookupswitch is aligned anew",
			class: built{stack: 1, locals: 1,
				code: "03 ab 00 00 00000013 00000001 00000007 00000014 b1 b1"},
			hooks: onRun,
			code:  "b8 #interruption 03 ab 00 00 00 00000014 00000001 00000007 00000015 b1 b1",
		}, {
			name:  "wide instructions",
			class: built{stack: 1, locals: 300, code: "c4 84 01 00 00 01 c4 19 00 00 57 b1"}, hooks: onRun,
			code: "b8 #interruption c4 84 01 00 00 01 c4 19 00 00 57 b1",
		}, {
			name: "a handler that covers a call covers what is inserted, before and after",
			class: built{calls: notify, stack: 1, locals: 1, code: "2a b6 #notify b1 57 b1",
				handlers: "0001 0004 0005 0000"},
			hooks: []Hook{{Method: Method{"", "notify", ""}, Before: reportNotified, After: reportSlept}}, stack: 1,
			code: "2a 59 b8 #notified b6 #notify b8 #slept b1 57 b1", handlers: "0001 000b 000c 0000",
		}, {
			name: "a handler that ends before a call",
			class: built{calls: notify, stack: 1, locals: 1, code: "2a b6 #notify b1 57 b1",
				handlers: "0000 0001 0005 0000"},
			hooks: onNotify, stack: 1,
			code: "2a 59 b8 #notified b6 #notify b1 57 b1", handlers: "0000 0001 0009 0000",
		}, {
			name: "lines, variables and their types",
			class: built{calls: notify, stack: 1, locals: 1, code: "00 2a b6 #notify 00 b1", attributes: []string{
				"LineNumberTable", "0003 0000 000a 0002 000b 0005 000c",
				"LocalVariableTable", "0002 0000 0007 0001 0002 0000 0002 0003 0001 0002 0001",
				"LocalVariableTypeTable", "0001 0005 0002 0001 0002 0000"}},
			hooks: append(onNotify, onRun...), stack: 1,
			code: "b8 #interruption 00 2a 59 b8 #notified b6 #notify 00 b1",
			attributes: []string{
				"LineNumberTable", "0003 0000 000a 0005 000b 000c 000c",
				"LocalVariableTable", "0002 0000 000e 0001 0002 0000 0005 0007 0001 0002 0001",
				"LocalVariableTypeTable", "0001 000c 0002 0001 0002 0000"},
		}, {
			name: "all kinds of frames",
			class: built{calls: notify, stack: 1, locals: 1, code: "2a b6 #notify 00*20 bb 0001 00*240 b1",
				attributes: []string{"StackMapTable",
					"0009 06 47 01 f7 0001 070001 fa 0000 fb 0000 fd 0000 01 070001 ff 0001 0003 00 01 080018 0001 " +
						"080018 3f 7e 00"}},
			hooks: append(onNotify, onRun...), stack: 1,
			code: "b8 #interruption 2a 59 b8 #notified b6 #notify 00*20 bb 0001 00*240 b1",
			attributes: []string{"StackMapTable",
				"0009 0d 47 01 41 070001 fa 0000 00 fd 0000 01 070001 ff 0001 0003 00 01 08001f 0001 08001f 3f 7e 00"},
		}, {
			name: "small frames that become too far for their form",
			class: built{calls: notify, stack: 1, locals: 1, code: "00*60 2a b6 #notify 2a b6 #notify 00*70 b1",
				attributes: []string{"StackMapTable", "0002 3c 7f 06"}},
			hooks: append(onNotify, onRun...), stack: 1,
			code:       "b8 #interruption 00*60 2a 59 b8 #notified b6 #notify 2a 59 b8 #notified b6 #notify 00*70 b1",
			attributes: []string{"StackMapTable", "0002 3f f7 0047 06"},
		}, {
			name: "type annotations",
			class: built{calls: notify, stack: 1, locals: 1, code: "00 2a b6 #notify bb 0001 c0 0001 57 b1",
				attributes: []string{
					"RuntimeVisibleTypeAnnotations", "0004" +
						" 40 0001 0001 0004 0000 00 0001 0000" + // localvar_target
						" 44 0005 01 0300 0001 0001 0001 5b 0002 42 0001 65 0001 0001" + // new, with values
						" 47 0008 00 00 0001 0001 0001 40 0001 0000" + // a cast, with an annotation in it
						" 48 0002 00 00 0001 0000", // the type argument of the call
					"RuntimeInvisibleTypeAnnotations", "0001 42 0000 00 0001 0000"}},
			hooks: onNotify, stack: 1,
			code: "00 2a 59 b8 #notified b6 #notify bb 0001 c0 0001 57 b1",
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
	sleep := []Hook{{Method: Method{"java/lang/Thread", "sleep", "(J)V"}, Before: reportSleeps, After: reportSlept}}
	for _, test := range []struct {
		name  string
		class built
		hooks []Hook
	}{
		{"another descriptor", built{calls: "A.notify(I)V", code: "2a 03 b6 #notify b1"}, onNotify},
		{"a static method of the name has no receiver", built{calls: "A.notify()V", code: "b8 #notify b1"}, onNotify},
		{"a constructor's object is none yet", built{calls: "A.<init>()V", code: "2a b7 #<init> b1"},
			[]Hook{{Before: reportStarted}}},
		{"another owner", built{calls: "A.sleep(J)V", code: "09 b8 #sleep b1"}, sleep},
		{"another owner, in a thread", built{super: "java/lang/Thread", calls: "A.sleep(J)V", code: "09 b8 #sleep b1"},
			sleep},
		{"its own method", built{super: "java/lang/Thread", method: "sleep(J)V", calls: "Example.sleep(J)V",
			code: "09 b8 #sleep b1"}, sleep},
		{"another class is around", built{calls: notify + " Other.other()V", code: "2a b6 #notify b1"},
			[]Hook{{Method: Method{"", "notify", "()V"}, Within: Method{Class: "Other"}, Before: reportNotified}}},
		{"another method is around", built{calls: notify + " Other.other()V", code: "2a b6 #notify b1"},
			[]Hook{{Method: Method{"", "notify", "()V"}, Within: Method{Name: "other"}, Before: reportNotified}}},
		{"this of a static method", built{access: accStatic, code: "b1"}, []Hook{{Site: InBody, Before: reportStarted}}},
		{"this at a constructor's entry", built{method: "<init>()V", code: "b1"},
			[]Hook{{Site: InBody, Before: reportStarted}}},
		{"a long that is none", built{method: "run(I)V", code: "b1"}, []Hook{{Site: InBody, Before: reportSleeps}}},
		{"nothing to report", built{calls: notify, code: "2a b6 #notify b1"}, []Hook{{}, {Site: InBody}}},
		{"no hooks", built{calls: notify, code: "2a b6 #notify b1"}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			result, err := Rewrite(test.class.bytes(t), test.hooks)
			if err != nil || result.Class != nil || result.Methods != 0 || result.LeftAlone != nil {
				t.Errorf("%v, %d methods, left alone %v", err, result.Methods, result.LeftAlone)
			}
		})
	}
}

// TestInherited proves that calls of an inherited method match, which compilers write as calls of the class itself.
func TestInherited(t *testing.T) {
	class := built{super: "java/lang/Thread", calls: "Example.sleep(J)V", stack: 2, code: "09 b8 #sleep b1"}.bytes(t)
	if result, err := Rewrite(class, callHooks(17)); err != nil || result.Methods != 1 {
		t.Errorf("%v, %d methods rewritten, want 1", err, result.Methods)
	}
}

// TestLeftAlone proves that methods that cannot be rewritten are left alone, with a reason.
func TestLeftAlone(t *testing.T) {
	call := "2a b6 #notify "
	for _, test := range []struct {
		name, reason string
		class        built
		hooks        []Hook
	}{
		{"an unknown attribute", `an unknown attribute "CharacterRangeTable"`,
			built{code: call + "b1", attributes: []string{"CharacterRangeTable", ""}}, nil},
		{"too long", "the limit is 65535", built{code: call + "00*65530 b1"}, nil},
		{"a jump that gets too far", "the branch at offset 0 would be 32770 bytes long",
			built{code: "a7 7f fe " + call + "00*32759 b1"}, nil},
		{"a jump backwards that gets too far", "the branch at offset 32765 would be -32769 bytes long",
			built{code: call + "00*32761 a7 80 03 b1"}, nil},
		{"the operand stack", "65538 words of operand stack", built{method: "run(J)V", stack: 65535, code: "b1"},
			[]Hook{{Site: InBody, Method: Method{Name: "run"}, Before: reportJoins}}},
		{"this is another", "assigns to a parameter", built{code: "01 4b b1"},
			[]Hook{{Site: InBody, After: reportJoined}}},
		{"the long is another", "assigns to a parameter", built{method: "run(J)V", code: "09 40 b1"},
			[]Hook{{Site: InBody, After: Report{"joins", ObjectAndLong}}}},
		{"the long is counted down", "assigns to a parameter", built{method: "run(J)V", code: "84 01 ff b1"},
			[]Hook{{Site: InBody, After: reportSleeps}}},
		{"a wide count", "assigns to a parameter", built{method: "run(J)V", code: "c4 84 00 01 ff ff b1"},
			[]Hook{{Site: InBody, After: reportSleeps}}},
		{"the end of the long is another", "assigns to a parameter",
			built{method: "run(J)V", code: "03 c4 36 00 02 b1"},
			[]Hook{{Site: InBody, After: reportSleeps}}},
		{"no instruction", "unknown opcode 0xfe", built{code: call + "fe"}, nil},
		{"half an instruction", "incomplete or invalid", built{code: call + "b6 00"}, nil},
		{"half a switch", "incomplete or invalid", built{code: call + "aa 00 00 00 00 00 00 00"}, nil},
		{"an endless switch", "incomplete or invalid",
			built{code: call + "aa 00 00 00 00000010 80000000 7fffffff b1"}, nil},
		{"half a wide", "incomplete or invalid", built{code: call + "c4"}, nil},
		{"a wide nothing", "incomplete or invalid", built{code: call + "c4 00 00 00"}, nil},
		{"no instructions", "0 bytes of instructions", built{code: ""}, onRun},
		{"a jump into an instruction", "offset 2, which is not an instruction's", built{code: call + "a7 ff fe"}, nil},
		{"a jump to the end", "branches to its end", built{code: call + "a7 00 03"}, nil},
		{"a jump to nowhere", "offset -32764", built{code: call + "a7 80 00"}, nil},
		{"a handler of nothing", "exception table: it refers to offset 9",
			built{code: call + "b1", handlers: "0000 0009 0000 0000"}, nil},
		{"a frame of nothing", "StackMapTable: it refers to offset 3",
			built{code: call + "b1", attributes: []string{"StackMapTable", "0001 03"}}, nil},
		{"an unknown frame", "frame_type 128", built{code: call + "b1", attributes: []string{"StackMapTable",
			"0001 80 00"}}, nil},
		{"an unknown type", "verification type 9", built{code: call + "b1", attributes: []string{"StackMapTable",
			"0001 44 09"}}, nil},
		{"too few frames", "ends too early", built{code: call + "b1", attributes: []string{"StackMapTable", "0002 00"}},
			nil},
		{"too many frames", "data follows its end",
			built{code: call + "b1", attributes: []string{"StackMapTable", "0000 00"}},
			nil},
		{"too few lines", "length does not match its number of rows",
			built{code: call + "b1", attributes: []string{"LineNumberTable", "0002 0000 0001"}}, nil},
		{"a line of nothing", "beyond its end", built{code: call + "b1", attributes: []string{"LineNumberTable",
			"0001 0006 0001"}}, nil},
		{"an unknown target", "target_type 0x13",
			built{code: call + "b1", attributes: []string{"RuntimeVisibleTypeAnnotations", "0001 13 00 0001 0000"}},
			nil},
		{"an unknown value", "tag 'x'", built{code: call + "b1",
			attributes: []string{"RuntimeVisibleTypeAnnotations", "0001 42 0000 00 0001 0001 0001 78 0000"}}, nil},
		{"endless annotations", "101 deep", built{code: call + "b1",
			attributes: []string{"RuntimeVisibleTypeAnnotations", "0001 42 0000 00 0001 0001 0001 5b0001*200 42 0000"}},
			nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.class.calls = notify
			hooks := test.hooks
			if hooks == nil {
				hooks = onNotify
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

// TestNearLimits proves that classes at the limits are rewritten.
func TestNearLimits(t *testing.T) {
	call := "2a b6 #notify "
	for _, test := range []struct {
		name  string
		class built
	}{
		{"65535 bytes", built{code: call + "00*65526 b1"}},
		{"a jump of 32767 bytes", built{code: "a7 7f fb " + call + "00*32756 b1"}},
		{"a jump of -32768 bytes", built{code: call + "00*32760 a7 80 04 b1"}},
		{"a constant pool that is full afterwards",
			built{code: call + "b1", fill: maxConstants - constantsPerReport - 14}},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.class.calls = notify
			if result, err := Rewrite(test.class.bytes(t), onNotify); err != nil || result.Methods != 1 {
				t.Errorf("%v, %d methods rewritten, left alone %v", err, result.Methods, result.LeftAlone)
			}
		})
	}
}

// TestErrors proves that invalid classes are left alone as a whole, with an error.
func TestErrors(t *testing.T) {
	whole := built{calls: notify, code: "2a b6 #notify b1"}.bytes(t)
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
		{"a class of the first Java", "45.2", built{version: 2<<16 | 45, calls: notify, code: "2a b6 #notify b1"}.bytes(
			t)},
		{"a full constant pool", "constant pool is full", built{calls: notify, code: "2a b6 #notify b1",
			fill: maxConstants - 19}.bytes(t)},
	} {
		t.Run(test.name, func(t *testing.T) {
			result, err := Rewrite(test.class, onNotify)
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
		{"all names", built{calls: notify}, onNotify, true},
		{"no such call", built{calls: "A.run(I)V"}, onNotify, false},
		{"the name only", built{calls: "A.notify(I)V", method: "run(I)V"}, onNotify, false},
		{"another class", built{calls: "A.start0()V"}, callHooks(17), false},
		{"that class", built{name: "java/lang/Thread", calls: "java/lang/Thread.start0()V"}, callHooks(17), true},
		{"one that names the Recorder", built{calls: notify + " " + recorderClass + ".started()V"}, onNotify, false},
		{"no hooks", built{calls: notify}, nil, false},
		{"so many hooks that it does not look", built{}, make([]Hook, maxHooks+1), true},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := candidate(test.class.bytes(t), test.hooks); got != test.want {
				t.Errorf("%v, want %v", got, test.want)
			}
		})
	}
	if class := Recorder(); candidate(class, []Hook{{Site: InBody, Before: reportSlept}}) {
		t.Error("the Recorder itself is a candidate")
	}
	class := built{calls: notify}.bytes(t)
	if n := testing.AllocsPerRun(100, func() { candidate(class, onNotify) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestCalls proves that the hooks depend on the JDK's version.
func TestCalls(t *testing.T) {
	for _, test := range []struct {
		feature int
		want    string
	}{
		{8, "sleep sleeps"}, {17, "sleep sleeps"}, {18, "sleep sleeps"}, {19, "sleep0 sleeps"}, {20, "sleep0 sleeps"},
		{21, "sleep0 sleepsNanos sleepNanos0 sleepsNanos"}, {25, "sleep0 sleepsNanos sleepNanos0 sleepsNanos"},
	} {
		var got []string
		for _, h := range callHooks(test.feature)[len(calls):] {
			got = append(got, h.Method.Name, h.Before.Name)
		}
		if text := strings.Join(got, " "); text != test.want {
			t.Errorf("JDK %d: %s, want %s", test.feature, text, test.want)
		}
	}
}

// TestRecorder proves that the Recorder has the method of each report.
func TestRecorder(t *testing.T) {
	cl, err := readClass(Recorder())
	if err != nil {
		t.Fatal(err)
	}
	if cl.name != recorderClass || cl.super != "java/lang/Object" || len(cl.methods) != len(reports)+2 {
		t.Errorf("class %s of %s with %d methods", cl.name, cl.super, len(cl.methods))
	}
	for _, r := range append(reports[:len(reports):len(reports)], replace, replacement) {
		if !cl.declares(r.Name, arguments[r.With].descriptor) {
			t.Errorf("it lacks %s%s", r.Name, arguments[r.With].descriptor)
		}
	}
}

// TestHostileNames proves that thousands of methods with a name of the largest length, none of which can be rewritten,
// do not need as many copies of it.
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
	result, err := Rewrite(many, []Hook{{Site: InBody, Before: reportSlept}})
	after := new(runtime.MemStats)
	runtime.ReadMemStats(after)
	if err != nil || len(result.LeftAlone) != methods || result.Class != nil {
		t.Errorf("%v, %d methods left alone, want %d", err, len(result.LeftAlone), methods)
	}
	if taken := after.TotalAlloc - before.TotalAlloc; taken > 100<<20 {
		t.Errorf("it took %d MiB", taken>>20)
	}
}
