package critical

import (
	"github.com/trcx/trcx/analyze/answer"
	"github.com/trcx/trcx/internal/phrase"
)

// csv yields the rows of the CSV: the pieces, with times in nanoseconds since the trace's start.
func (p *Path) csv(yield func([]answer.Cell) bool) {
	if !yield(answer.Texts("from", "to", "length", "kind", "state", "threadKey", "threadId", "threadName", "objectId",
		"class", "ownerKey", "ownerId", "ownerName", "place", "ownerPlace", "cause")) {
		return
	}
	for piece := range p.Pieces() {
		j := p.pieceJSON(piece)
		row := append([]answer.Cell{answer.Time(j.From), answer.Time(j.To), answer.Time(piece.Length()),
			answer.Text(j.Kind), answer.Text(j.State)}, threadCells(&j.jsonThread)...)
		row = append(row, answer.Texts(string(j.jsonObject.ID), string(j.Class))...)
		row = append(row, threadCells(j.Owner)...)
		row = append(row, answer.Texts(phrase.Frame(piece.Caller), phrase.Frame(piece.OwnerCaller))...)
		if !yield(append(row, answer.Known(uint64(j.Cause)))) {
			return
		}
	}
}

// threadCells are the key, the id and the name of a thread, or nothing.
func threadCells(t *jsonThread) []answer.Cell {
	if t == nil {
		t = &jsonThread{}
	}
	return append([]answer.Cell{answer.Known(uint64(t.Key))}, answer.Texts(string(t.ID), string(t.Name))...)
}
