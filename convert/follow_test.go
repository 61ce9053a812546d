package convert

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// followed reads a file of the name as it grows, and sends the text when it has ended.
func followed(t *testing.T, ctx context.Context, name string, ended func() bool) <-chan string {
	t.Helper()
	inputs := NewInputs(nil, 0)
	t.Cleanup(func() { inputs.Close() })
	inputs.Follow(ctx, ended)
	done := make(chan string, 1)
	go func() {
		var all strings.Builder
		if err := inputs.Add(name); err != nil {
			done <- err.Error()
			return
		}
		_, text, err := inputs.Documents[0].Open()
		if err == nil {
			_, err = io.Copy(&all, text)
		}
		if err != nil {
			all.WriteString(err.Error())
		}
		done <- all.String()
	}()
	return done
}

// written returns a file with the text that is still open.
func written(t *testing.T, text string) *os.File {
	t.Helper()
	file, err := os.Create(filepath.Join(t.TempDir(), "growing"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	if _, err := file.WriteString(text); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestFollowWaitsForMore(t *testing.T) {
	file := written(t, "<TRACE>")
	var over atomic.Bool
	done := followed(t, t.Context(), file.Name(), over.Load)
	for _, part := range []string{"a", "b", "</TRACE>"} {
		time.Sleep(lookAgain / 2)
		if _, err := file.WriteString(part); err != nil {
			t.Fatal(err)
		}
	}
	over.Store(true)
	if got := <-done; got != "<TRACE>ab</TRACE>" {
		t.Errorf("it has read %q", got)
	}
}

func TestFollowEndsWithItsContext(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	done := followed(t, ctx, written(t, "begun").Name(), func() bool { return false })
	stop()
	if got := <-done; got != "begun" {
		t.Errorf("it has read %q", got)
	}
}

func TestFollowEndsWhereTheFileWasCut(t *testing.T) {
	file := written(t, "a long text")
	done := followed(t, t.Context(), file.Name(), func() bool { return false })
	time.Sleep(2 * lookAgain)
	if err := file.Truncate(2); err != nil {
		t.Fatal(err)
	}
	if got := <-done; !strings.HasPrefix(got, "a ") {
		t.Errorf("it has read %q", got)
	}
}

// TestFollowDecompresses: the text that a compressed file has so far is read before more comes, also at the end of the
// file and of a member.
func TestFollowDecompresses(t *testing.T) {
	for name, compress := range map[string]func(io.Writer) flusher{
		"gzip": func(w io.Writer) flusher { return gzip.NewWriter(w) },
		"zstd": func(w io.Writer) flusher { return zstdWriter(t, w) },
	} {
		t.Run(name, func(t *testing.T) {
			file := written(t, "")
			inputs, came := NewInputs(nil, 0), make(chan string)
			defer inputs.Close()
			inputs.Follow(t.Context(), func() bool { return false })
			for i, part := range []string{"<TRACE>", "one ", "two ", "three"} {
				w := compress(file)
				if _, err := w.Write([]byte(part)); err != nil {
					t.Fatal(err)
				}
				if err := w.Close(); err != nil {
					t.Fatal(err)
				}
				if i == 0 {
					go pass(inputs, file.Name(), came)
				}
				for got := ""; got != part; got += <-came {
					if !strings.HasPrefix(part, got) {
						t.Fatalf("of %q came %q", part, got)
					}
				}
			}
		})
	}
}

type flusher interface {
	io.WriteCloser
	Flush() error
}

func zstdWriter(t *testing.T, w io.Writer) flusher {
	t.Helper()
	encoder, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	return encoder
}

// pass sends the text of the file as it comes.
func pass(inputs *Inputs, name string, came chan<- string) {
	if err := inputs.Add(name); err != nil {
		came <- err.Error()
		return
	}
	in, err := inputs.Documents[0].open()
	buffer := make([]byte, 100)
	for err == nil {
		var n int
		n, err = in.Read(buffer)
		came <- string(buffer[:n])
	}
}
