package critical

import (
	"github.com/trcx/trcx/analyze/answer"
	"github.com/trcx/trcx/analyze/wording"
)

// csv adds the rows of the CSV: the pieces, with times in nanoseconds since the trace's start.
func (p *Path) csv(add func(...any)) {
	add("from", "to", "length", "kind", "state", "threadKey", "threadId", "threadName", "objectId", "class", "ownerKey",
		"ownerId", "ownerName", "place", "ownerPlace", "cause")
	for piece := range p.Pieces() {
		j := p.pieceJSON(piece)
		add(answer.Time(j.From), answer.Time(j.To), answer.Time(piece.Length()), j.Kind, j.State,
			threadCells(j.jsonThread), j.jsonObject.ID, j.Class, threadCells(j.Owner), wording.Frame(piece.Caller),
			wording.Frame(piece.OwnerCaller), answer.Known(uint64(j.Cause)))
	}
}

// threadCells returns the key, the id and the name of a thread; empty cells for nil.
func threadCells(t *jsonThread) []any {
	if t == nil {
		t = &jsonThread{}
	}
	return answer.Row(answer.Known(uint64(t.Key)), t.ID, t.Name)
}
