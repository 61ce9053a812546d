package contention

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/trcx/trcx/analyze/histogram"
)

// The format and version of what Save writes. The version rises when a field changes its meaning or is removed.
const (
	savedFormat  = "trcx-statistics"
	savedVersion = 1
)

// saved is the form of saved statistics.
type saved struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
	*Statistics
}

// IsSaved reports whether a text begins as Save writes it, with any white space.
func IsSaved(head []byte) bool {
	for _, want := range []string{"{", `"format"`, ":", `"` + savedFormat + `"`} {
		rest, ok := bytes.CutPrefix(bytes.TrimLeft(head, " \t\r\n"), []byte(want))
		if !ok {
			return false
		}
		head = rest
	}
	return true
}

// Save writes the statistics as JSON that Load reads. They merge like the statistics of the traces themselves.
func (s *Statistics) Save(out io.Writer) error {
	return json.NewEncoder(out).Encode(saved{savedFormat, savedVersion, s})
}

// Load reads what Save wrote.
func Load(in io.Reader) (*Statistics, error) {
	s := saved{Statistics: &Statistics{}}
	decoder := json.NewDecoder(in)
	if err := decoder.Decode(&s); err != nil {
		return nil, damaged(err, decoder.InputOffset())
	}
	switch {
	case s.Format != savedFormat:
		return nil, fmt.Errorf("not saved statistics: the format is %q, not %q", s.Format, savedFormat)
	case s.Version != savedVersion:
		return nil,
			fmt.Errorf("the statistics are of version %d; this trcx reads version %d: save them again from the traces",
				s.Version, savedVersion)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, fmt.Errorf("@%d: data after the end of the statistics; they may be damaged", decoder.InputOffset())
	}
	for _, t := range tables {
		t.dropNil(s.Statistics)
	}
	blameRows.dropNil(s.Statistics)
	startRows.dropNil(s.Statistics)
	s.Workers.dropNil()
	return s.Statistics, nil
}

// damaged returns the error, with the offset of the damage in saved statistics.
func damaged(err error, offset int64) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF):
		return fmt.Errorf("@%d: the statistics end in the middle; save them again", offset)
	case errors.As(err, &syntax):
		return fmt.Errorf("@%d: the statistics are damaged: %w", syntax.Offset, err)
	case errors.As(err, &kind):
		return fmt.Errorf("@%d: the statistics are damaged: %s cannot be %s", kind.Offset, kind.Field, kind.Value)
	}
	return err
}

// savedDistribution is a distribution with its buckets.
type savedDistribution struct {
	Count   uint64      `json:"count"`
	Total   uint64      `json:"total"`
	Min     int64       `json:"min"`
	Max     int64       `json:"max"`
	Open    uint64      `json:"open,omitempty"`
	Buckets [][2]uint64 `json:"buckets"`
}

// MarshalJSON writes the kinds that have lengths, each with its buckets.
func (t Times) MarshalJSON() ([]byte, error) {
	all := map[string]savedDistribution{}
	for kind := range KindCount {
		if d := t.Of(kind); d.Count > 0 {
			all[kinds[kind]] = savedDistribution{d.Count, d.Total, d.Min, d.Max, d.Open, d.Buckets()}
		}
	}
	return json.Marshal(all)
}

// UnmarshalJSON reads what MarshalJSON wrote. Figures that contradict each other are an error.
func (t *Times) UnmarshalJSON(text []byte) error {
	var all map[string]savedDistribution
	if err := json.Unmarshal(text, &all); err != nil {
		return err
	}
	for kind, name := range kinds {
		kept, ok := all[name]
		if !ok {
			continue
		}
		d := &histogram.Distribution{Count: kept.Count, Total: kept.Total, Min: kept.Min, Max: kept.Max,
			Open: kept.Open}
		if !d.SetBuckets(kept.Buckets) || !d.TotalAgrees() {
			return fmt.Errorf("the statistics are damaged: the figures of a %s do not fit together", name)
		}
		*t.at(Kind(kind)) = *d
	}
	return nil
}
