package convert

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/convert/threaddump"
	"github.com/trcx/trcx/trace"
)

// Series returns a thread dump series as one document, in the order of their times if all have one, because dumps of
// one process are one recording. The error is a *NotDumps if one of the documents is something else, or an *InputError.
func Series(ctx context.Context, documents []Document) (Document, error) {
	type dumps struct {
		Document
		at trace.Time
	}
	var all []dumps
	dated := true
	for i := range documents {
		d := documents[i]
		if d.again != nil { // reading here does not count as progress
			d.open = d.again
		}
		if d.live {
			return Document{}, &NotDumps{d.Name}
		}
		at, err := firstDump(ctx, &d)
		if err != nil {
			return Document{}, err
		}
		dated = dated && at > 0 // otherwise its time is the epoch
		all = append(all, dumps{Document: documents[i], at: at})
	}
	if dated {
		slices.SortStableFunc(all, func(a, b dumps) int { return cmp.Compare(a.at, b.at) })
	}
	joined := all[0].Document
	if len(all) > 1 {
		joined.Name = fmt.Sprintf("%s (and %d more)", joined.Name, len(all)-1)
	}
	joined.file = ""
	joined.open = func() (io.ReadCloser, error) {
		text := &joinedText{}
		for i := range all {
			_, part, err := all[i].Open()
			if err != nil {
				return nil, errors.Join(err, text.Close())
			}
			text.parts = append(text.parts, part, io.NopCloser(strings.NewReader("\n")))
		}
		return text, nil
	}
	return joined, nil
}

// errOther ends the reading of dumps at a dump of another process.
var errOther = errors.New("a dump is of another process")

// OneProcess reports whether the dumps of a Series are of one process, as far as they show this.
func OneProcess(ctx context.Context, d *Document) (bool, error) {
	_, text, err := d.Open()
	if err != nil {
		return false, err
	}
	defer text.Close()
	var other error
	options := builder.Options{Report: func(f trace.Finding) {
		if f.Rule == threaddump.RuleOtherProcess {
			other = errOther
		}
	}}
	_, err = threaddump.Read(ctx, text, options, func(*trace.Event) error { return other })
	if errors.Is(err, errOther) {
		err = nil
	}
	return err == nil && other == nil, err
}

// NotDumps is the error for a document that is not a thread dump, because only dumps can be read together.
type NotDumps struct{ Document string }

func (e *NotDumps) Error() string { return e.Document + " is no thread dump" }

// errFirst ends the reading of a document after its first dump.
var errFirst = errors.New("the first dump was read")

// firstDump returns the time of the first dump of a document.
func firstDump(ctx context.Context, d *Document) (at trace.Time, err error) {
	head, text, err := d.Open()
	if err != nil {
		return 0, err
	}
	defer text.Close()
	format, err := recognise(head, d.Name, "")
	if err != nil || format.name != "threaddump" {
		return 0, &NotDumps{d.Name}
	}
	_, err = threaddump.Read(ctx, text, builder.Options{}, func(e *trace.Event) error {
		at = e.Time
		return errFirst
	})
	switch {
	case err == nil:
		return 0, &NotDumps{d.Name}
	case errors.Is(err, errFirst):
		return at, nil
	}
	return 0, err
}

// joinedText is the text of several documents, one after the other.
type joinedText struct{ parts []io.ReadCloser }

func (t *joinedText) Read(p []byte) (int, error) {
	for len(t.parts) > 0 {
		n, err := t.parts[0].Read(p)
		if err == io.EOF {
			err = t.parts[0].Close()
			t.parts = t.parts[1:]
		}
		if n > 0 || err != nil {
			return n, err
		}
	}
	return 0, io.EOF
}

// Close closes the documents that are still open.
func (t *joinedText) Close() (err error) {
	for _, part := range t.parts {
		err = errors.Join(err, part.Close())
	}
	t.parts = nil
	return err
}
