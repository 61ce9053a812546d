package perfetto

import (
	"iter"

	"github.com/trcx/trcx/analyze/methods"
	"github.com/trcx/trcx/trace"
)

// A call is a slice inside its caller's slice, or an instant if it has no length. Calls have a track of their own below
// their thread's, as the states of a thread begin and end within calls. The keys of these tracks follow the keys of all
// threads.
//
// In JSON a call ends 1 ns early, and has no arguments. If a begin and an end have the same time, name and arguments,
// speedscope takes the begin first; of several ends it takes one with the same name.

// caller identifies a thread of a session.
type caller struct {
	session int
	thread  string // id
}

// callTrack is a track of calls, with the open ones.
type callTrack struct {
	key  trace.ThreadKey
	open []methods.Call
}

// Calls draws calls. It consumes each thread's calls in the order of their entries, as methods.Collector.Calls yields
// them. Call it before the Summary is put.
func (w *Writer) Calls(calls iter.Seq[methods.Call]) error {
	tracks := map[caller]*callTrack{}
	_, exact := w.encoder.order()
	for c := range calls {
		if !exact {
			c.End = max(c.End-1, c.Begin)
		}
		of := caller{c.Session, c.Thread}
		t := tracks[of]
		if t == nil {
			t = w.callTrack(of, c.ThreadTitle, len(tracks) == 0)
			tracks[of] = t
		}
		w.endCalls(t, c.Level)
		if c.Begin == c.End {
			w.call(callPoint, t, &c, c.Begin)
		} else {
			w.call(callBegin, t, &c, c.Begin)
			t.open = append(t.open, c)
		}
		if w.err != nil {
			break
		}
	}
	for _, t := range tracks {
		w.endCalls(t, 0)
	}
	return w.err
}

// callTrack adds a track. If the id of a thread was used again, the calls are below the id's first thread.
func (w *Writer) callTrack(of caller, title string, first bool) *callTrack {
	if first {
		w.callers, w.callTracks = map[caller]trace.ThreadKey{}, map[trace.ThreadKey]trace.ThreadKey{}
		for key := trace.ThreadKey(1); key <= w.names.Last(); key++ {
			thread := w.names.Get(key)
			known := caller{thread.Session, thread.ID.String()}
			if w.callers[known] == 0 {
				w.callers[known] = key
			}
		}
	}
	t := &callTrack{key: trace.ThreadKey(max(w.tracks.Len(), 1))}
	w.track(t.key).drawn = true
	key := w.callers[of]
	if key != 0 {
		known := w.names.Get(key)
		title = known.Title()
	}
	w.callTracks[t.key] = key
	w.describe(uint64(of.session), t.key, shown(title)+": calls")
	return t
}

// endCalls ends the open calls that do not contain a call of the level.
func (w *Writer) endCalls(t *callTrack, level int) {
	for len(t.open) > 0 && t.open[len(t.open)-1].Level >= level {
		last := len(t.open) - 1
		w.call(callEnd, t, &t.open[last], t.open[last].End)
		t.open = t.open[:last]
	}
}

// call draws the begin or the end of a call, or both. Both formats need its name and arguments.
func (w *Writer) call(k kind, t *callTrack, c *methods.Call, at trace.Time) {
	args := &w.details
	args.buf = args.buf[:0]
	args.flag(openArgument, c.Open)
	args.flag(lostArgument, c.Lost)
	w.drawnCalls++
	w.put(&mark{kind: k, style: called, session: uint64(c.Session), track: t.key, at: at, event: w.drawnCalls,
		subject: []byte(shown(c.Method)), details: args.buf})
}
