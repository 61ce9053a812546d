package convert

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/trcx/trcx/internal/testtool"
)

// dumpOf returns a heap dump with one segment for each text.
func dumpOf(segments ...string) []byte {
	d := append([]byte("JAVA PROFILE 1.0.2\x00"), make([]byte, 12)...)
	d[len(d)-9] = 8 // bytes of an id
	for _, text := range segments {
		d = append(binary.BigEndian.AppendUint32(append(d, 0x1c, 0, 0, 0, 0), uint32(len(text))), text...)
	}
	return append(d, 0x2c, 0, 0, 0, 0, 0, 0, 0, 0)
}

// bytesOf returns an array of zeros in a heap dump.
func bytesOf(n int) string {
	head := binary.BigEndian.AppendUint32(append([]byte{0x23}, "12345678\x00\x00\x00\x01"...), uint32(n))
	return string(append(head, 8)) + strings.Repeat("\x00", n)
}

// TestDenseDumps proves that heap dumps full of zeros are read, and data that only begins like one is refused.
func TestDenseDumps(t *testing.T) {
	testtool.Long(t)
	const much = 33 << 20
	zeros := bytesOf(much)
	whole := gzipped(t, string(dumpOf(zeros, zeros)))
	if ratio := 2 * much / len(whole); ratio < 500 {
		t.Fatalf("the dump is compressed to one in %d only", ratio)
	}
	if findings, err := run(t, whole, 0, &listing{}); err != nil || len(findings) > 0 {
		t.Errorf("a whole dump: %v, %v", findings, err)
	}
	zipOfTwo := zipped(t, string(dumpOf(zeros, zeros)), "<TRACE></TRACE>")
	if findings, err := run(t, zipOfTwo, 0, &listing{}); err != nil || len(findings) > 0 {
		t.Errorf("a trace after a whole dump: %v, %v", findings, err)
	}
	most := "\x7f\xff\xff\xff" + strings.Repeat("\x00", 2*much) // a length, and fewer bytes
	for name, text := range map[string]string{
		"no sub-record": string(dumpOf(bytesOf(1000), strings.Repeat("\x00", 2*much))),
		"no record":     string(dumpOf(bytesOf(1000))) + "\x7f\x00\x00\x00\x00" + most,
		"a large name":  string(dumpOf()) + "\x01\x00\x00\x00\x00" + most,
		"the text form": "JAVA PROFILE 1.0.1, created\n\n" + strings.Repeat("\n", 2*much),
	} {
		for form, content := range map[string][]byte{"gzip": gzipped(t, text), "zip": zipped(t, text)} {
			_, err := run(t, content, 0, &listing{})
			if err == nil || !strings.Contains(err.Error(), "more than 200 times its size") {
				t.Errorf("%s in %s: error %v", name, form, err)
			}
		}
	}
}

// TestBzip2 reads data that bzip2 compressed (Go cannot): whole, joined, cut off and from a stream.
func TestBzip2(t *testing.T) {
	content, err := hex.DecodeString("425a68393141592653595120fdc000000a5f8000105001e007aa201c002e279d402000544404c9a34c993009b41aa7ea" +
		"40f4d20d321b5003c57e314802545b050e08f069cb4a31722ea2426177052eec4d853170d2748fc44c906b3a0808838b" +
		"3d8bb9229c284828907ee000")
	if err != nil {
		t.Fatal(err)
	}
	read := &listing{}
	if findings, err := run(t, content, 0, read); err != nil || len(findings) > 0 {
		t.Errorf("%v, %v", findings, err)
	}
	if !strings.Contains(read.String(), "traceStart") {
		t.Errorf("read %s", read.String())
	}
	if _, err := run(t, content, 20, &listing{}); err == nil || !strings.Contains(err.Error(), "more than 20 bytes") {
		t.Errorf("with a limit: %v", err)
	}
	if findings, err := run(t, content[:len(content)-20], 0, &listing{}); err == nil && len(findings) == 0 {
		t.Error("nothing is said of data that is cut off")
	}
	if _, err := run(t, gzipped(t, string(content)), 0, &listing{}); err == nil ||
		!strings.Contains(err.Error(), "compressed twice") {
		t.Errorf("inside of gzip: %v", err)
	}
	if _, err := run(t, bytes.Replace(content, []byte("1AY"), []byte("1AX"), 1), 0, &listing{}); err == nil ||
		!strings.Contains(err.Error(), "no known format") {
		t.Errorf("what is no bzip2: %v", err)
	}
}

// TestAgentsTemporaryFile names the file that has a heap without its names.
func TestAgentsTemporaryFile(t *testing.T) {
	_, err := run(t, []byte(agentHeap+"\x06\x00\x00\x00\x07\x00\x03\x0d\x41"), 0, &listing{})
	if err == nil || !strings.Contains(err.Error(), "it has no names of classes") {
		t.Error(err)
	}
}
