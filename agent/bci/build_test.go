package bci

import (
	"encoding/hex"
	"strings"
	"testing"
)

// built describes a class file for a test, with one method: "run" or another.
type built struct {
	name       string
	version    int
	access     int
	method     string // with descriptor; "run()V" if it is empty
	stack      int
	locals     int
	code       string // see words
	handlers   string
	attributes []string // name, content, name, content...
	fill       int      // number of unused constants
}

// bytes returns the class file.
func (b built) bytes(t testing.TB) []byte {
	pool := growth{next: 1}
	this := pool.add2(tagClass, pool.text(or(b.name, "Example")))
	super := pool.add2(tagClass, pool.text("java/lang/Object"))
	name, descriptor := split(or(b.method, "run()V"))
	nameAt, descriptorAt, codeAt := pool.text(name), pool.text(descriptor), pool.text(codeName)
	var attributeNames []int
	for i := 0; i < len(b.attributes); i += 2 {
		attributeNames = append(attributeNames, pool.text(b.attributes[i]))
	}
	for range b.fill {
		pool.add2(tagClass, 1)
	}
	version := b.version
	if version == 0 {
		version = 52
	}
	head := append4([]byte(magic), version)
	head = append(append2(head, pool.next), pool.constants...)
	text := words(t, head, b.code)
	code := append4(append2(append2(nil, b.stack), b.locals), len(text))
	handlers := words(t, head, b.handlers)
	code = append(append2(append(code, text...), len(handlers)/handlerSize), handlers...)
	code = append2(code, len(attributeNames))
	for i, name := range attributeNames {
		body := words(t, head, b.attributes[2*i+1])
		code = append(append4(append2(code, name), len(body)), body...)
	}
	out := append2(append2(append2(head, 0x21), this), super)
	out = append2(append2(append2(out, 0), 0), 1) // no interfaces, no fields, one method
	out = append2(append2(append2(append2(out, b.access), nameAt), descriptorAt), 1)
	out = append(append4(append2(out, codeAt), len(code)), code...)
	return append2(out, 0)
}

func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// split splits name(descriptor).
func split(method string) (name, descriptor string) {
	at := strings.IndexByte(method, '(')
	return method[:at], method[at:]
}

// words converts text to bytes: pairs of hexadecimal digits; "#name" for the index of a Methodref of this name; and
// "hex*n" for n repetitions.
func words(t testing.TB, class []byte, text string) []byte {
	t.Helper()
	var out []byte
	for word := range strings.FieldsSeq(text) {
		if name, ok := strings.CutPrefix(word, "#"); ok {
			out = append2(out, referenceTo(t, class, name))
			continue
		}
		digits, times, _ := strings.Cut(word, "*")
		b, err := hex.DecodeString(digits)
		if err != nil {
			t.Fatalf("%q: %v", word, err)
		}
		n := 0
		for _, digit := range []byte(or(times, "1")) {
			n = 10*n + int(digit-'0')
		}
		for range n {
			out = append(out, b...)
		}
	}
	return out
}

// referenceTo returns the index of the Methodref of a method of this name.
func referenceTo(t testing.TB, class []byte, name string) int {
	t.Helper()
	pool, err := readPool(&cursor{data: class})
	if err != nil {
		t.Fatal(err)
	}
	for i, place := range pool.places {
		if place != 0 && (pool.tag(i) == tagMethodref || pool.tag(i) == tagInterfaceMethodref) &&
			pool.method(i).Name == name {
			return i
		}
	}
	t.Fatalf("no constant refers to a method %s", name)
	return 0
}

// only returns the only method of a class with a Code attribute, and its content.
func only(t testing.TB, data []byte) (*class, *code) {
	t.Helper()
	cl, err := readClass(data)
	if err != nil {
		t.Fatal(err)
	}
	code, err := readCode(cl.methods[0].code)
	if err != nil {
		t.Fatal(err)
	}
	return cl, code
}

// attribute returns the content of an attribute of Code.
func (code *code) attribute(cl *class, name string) []byte {
	for _, a := range code.attributes {
		if cl.pool.utf8(a.name) == name {
			return a.body
		}
	}
	return nil
}
