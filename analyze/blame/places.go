package blame

import (
	"cmp"
	"slices"

	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/analyze/wording"
	"github.com/trcx/trcx/internal/jsontext"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/trace"
)

// Place is where the culprit was, and for how long.
type Place struct {
	trace.Frame
	Total int64 // nanoseconds
	// Probable reports that the place is a guess: the thread was seen there before it began to run.
	Probable bool
}

// placesOf returns the places of the numbered keys, the largest first.
func (b *Blame) placesOf(r *ranking, numbers []uint32) (places []Place) {
	for _, n := range numbers {
		k := r.keys[n]
		if frame := b.recorder.Frame(k.place); frame.Method.Name != "" {
			places = append(places, Place{frame, r.sums[n].total, k.guess})
		}
	}
	slices.SortStableFunc(places, func(x, y Place) int { return cmp.Compare(y.Total, x.Total) })
	return places
}

// at names the place where the culprit was longest, and the share of its time there; "" if it is unknown.
func (r *Row) at() string {
	if len(r.Places) == 0 {
		return ""
	}
	at := &r.Places[0]
	text := wording.Frame(at.Frame)
	switch {
	case at.Probable && r.Kind == Segment && r.Type == trace.Running: // where it was before
		text = "last seen in " + text
	case at.Probable:
		text = "probably in " + text
	}
	if 100*float64(at.Total) <= 99*float64(r.Total) {
		text += " (" + phrase.Percent(at.Total, r.Total) + ")"
	}
	return text
}

// jsonPlace is a place in JSON, where its innermost frame identifies it.
type jsonPlace struct {
	Class    jsontext.String `json:"class"`
	Method   jsontext.String `json:"method"`
	File     jsontext.String `json:"file,omitempty"`
	Line     int32           `json:"line,omitempty"` // from 1 on, 0 if unknown
	Total    int64           `json:"total"`
	Probable bool            `json:"probable,omitempty"`
}

// jsonPlaces returns the places, the largest first.
func jsonPlaces(places []Place) (list []*jsonPlace) {
	byFrame := map[jsonPlace]*jsonPlace{}
	for i := range places {
		p := &places[i]
		m := p.Method
		frame := jsonPlace{Class: jsontext.String(m.Class), Method: jsontext.String(m.Name),
			File: jsontext.String(m.File), Line: max(p.Line, 0), Probable: p.Probable}
		row := byFrame[frame]
		if row == nil {
			row = new(jsonPlace)
			*row = frame
			byFrame[frame], list = row, append(list, row)
		}
		row.Total = histogram.Sum(row.Total, p.Total)
	}
	slices.SortStableFunc(list, func(x, y *jsonPlace) int { return cmp.Compare(y.Total, x.Total) })
	return list
}
