package bci

import (
	"bytes"
	"encoding/hex"
	"slices"
	"testing"
)

// FuzzRewrite proves for any bytes that they are not changed, that nothing is rewritten without hooks, and that a
// rewritten class is valid, has the same number of methods, and is not rewritten again.
func FuzzRewrite(f *testing.F) {
	ends := "2a b1 00 00 "
	for _, seed := range []built{
		{code: ends + "b1"},
		{version: 48, code: ends + "a8 00 04 b1 4c a9 01"},
		{code: ends + "03 aa 00 00 00000017 00000000 00000001 00000018 fffffffb b1 b1",
			handlers: "0000 0004 001c 0000"},
		{code: "03 ab 00 00 00000013 00000001 00000007 00000014 b1 b1"},
		{code: ends + "00*20 bb 0001 00*240 b1", attributes: []string{"StackMapTable",
			"0009 06 47 01 f7 0001 070001 fa 0000 fb 0000 fd 0000 01 070001 ff 0001 0003 00 01 080018 0001 " +
				"080018 3f 7e 00"}},
		{code: ends + "b1", attributes: []string{"LineNumberTable", "0001 0000 000a",
			"LocalVariableTable", "0001 0000 0005 0001 0002 0000"}},
		{code: ends + "b1", attributes: []string{"RuntimeVisibleTypeAnnotations",
			"0002 40 0001 0001 0004 0000 00 0001 0000 44 0001 01 0300 0001 0001 0001 5b 0002 42 0001 65 0001 0001"}},
		{method: "run(J)V", locals: 300, code: "c4 84 01 00 00 01 c4 19 00 00 57 b1"},
	} {
		f.Add(seed.bytes(f))
	}
	f.Add(Recorder())
	f.Add(stub)
	f.Fuzz(func(t *testing.T, data []byte) {
		before := bytes.Clone(data)
		if result, _ := Rewrite(data, nil); result.Class != nil {
			t.Error("rewritten without hooks")
		}
		result, err := Rewrite(data, everywhere)
		if !bytes.Equal(data, before) {
			t.Error("the class was changed")
		}
		if err != nil && (result.Class != nil || result.LeftAlone != nil) {
			t.Errorf("%v, and a result too", err)
		}
		if (result.Class != nil) != (result.Methods > 0) {
			t.Errorf("%d methods rewritten, and %d bytes", result.Methods, len(result.Class))
		}
		if result.Class != nil {
			checkRewritten(t, data, result.Class)
		}
	})
}

// checkRewritten compares a rewritten class with the original.
func checkRewritten(t *testing.T, before, after []byte) {
	t.Helper()
	was, err := readClass(before)
	if err != nil {
		t.Fatalf("rewritten, though %v", err)
	}
	is, err := readClass(after)
	if err != nil {
		t.Fatalf("what was written cannot be read: %v", err)
	}
	if len(is.methods) != len(was.methods) || is.name != was.name {
		t.Errorf("class %q with %d methods became %q with %d", was.name, len(was.methods), is.name, len(is.methods))
	}
	for _, m := range is.methods {
		if m.code == nil {
			continue
		}
		if _, err := readCode(m.code); err != nil {
			for _, old := range was.methods {
				if bytes.Equal(old.code, m.code) {
					err = nil // it was left alone
				}
			}
			if err != nil {
				t.Errorf("%s: %v", m.name, err)
			}
		}
	}
	if again, err := Rewrite(after, everywhere); err != nil || again.Class != nil {
		t.Errorf("rewritten a second time: %v", err)
	}
}

// FuzzMethod proves the same for any instructions, exception table and attribute of Code in an otherwise valid class.
func FuzzMethod(f *testing.F) {
	ends := "2a b1 00 00 "
	var names []string
	for name := range movers {
		names = append(names, name)
	}
	slices.Sort(names)
	add := func(attribute string, text, handlers, body string) {
		class := built{}.bytes(f)
		f.Add(uint8(slices.Index(names, attribute)), words(f, class, text), words(f, class, handlers),
			words(f, class, body))
	}
	add("StackMapTable", ends+"00*20 bb 0001 00*240 b1", "0001 0004 0005 0000",
		"0009 06 47 01 f7 0001 070001 fa 0000 fb 0000 fd 0000 01 070001 ff 0001 0003 00 01 080018 0001 080018 3f 7e 00")
	add("RuntimeVisibleTypeAnnotations", ends+"b1", "",
		"0002 40 0001 0001 0004 0000 00 0001 0000 44 0001 01 0300 0001 0001 0001 5b 0002 42 0001 65 0001 0001")
	add("LocalVariableTable", ends+"03 aa 00 00 00000017 00000000 00000001 00000018 fffffffb b1 b1", "",
		"0001 0000 0005 0001 0002 0000")
	add("LineNumberTable", "03 ab 00 00 00000013 00000001 00000007 00000014 b1 b1", "", "0001 0000 000a")
	add("LocalVariableTypeTable", "c8 00 00 00 0a c9 00 00 00 0e a8 00 09 00 "+ends+"b1 4c a9 01", "", "0000")
	f.Fuzz(func(t *testing.T, attribute uint8, text, handlers, body []byte) {
		name := names[int(attribute)%len(names)]
		handlers = handlers[:min(len(handlers), 1<<16)/handlerSize*handlerSize]
		data := built{code: hex.EncodeToString(text), handlers: hex.EncodeToString(handlers),
			attributes: []string{name, hex.EncodeToString(body)}}.bytes(t)
		result, err := Rewrite(data, everywhere)
		if err != nil {
			t.Fatal(err)
		}
		if result.Class != nil {
			checkRewritten(t, data, result.Class)
		}
	})
}
