package timeline

import (
	"cmp"
	"slices"

	"github.com/trcx/trcx/trace"
)

// laneBuilder makes a lane from records. Spans that are shorter than the resolution become parts of mixes.
type laneBuilder struct {
	*view
	key     trace.ThreadKey
	session int
	lane    Lane
	mix     Mix
	single  record // the span in the mix, if that is one whole span
	pieces  int    // number of spans, parts of spans and whole blocks in the mix
	ran     int64  // the end of the last Running span, or before
	first   [InteractionCount]Instant
}

// bucket returns the number of the time's bucket.
func (v *view) bucket(at int64) int64 { return floor(at-v.index.earliest, v.request.Resolution) }

// floor returns the quotient, rounded down.
func floor(a, b int64) int64 {
	if a < 0 {
		return (a+1)/b - 1
	}
	return a / b
}

// inOne reports whether the interval is in one bucket.
func (v *view) inOne(begin, end int64) bool {
	return v.request.Resolution > 0 && v.bucket(begin) == v.bucket(max(end-1, begin))
}

// addBlock adds a whole block, if its records are in one bucket and in the window. It reports whether it did.
func (l *laneBuilder) addBlock(b *block) bool {
	from, to := l.shifted()
	l.ran = b.ran
	if !l.inOne(b.begin, b.end) || b.begin < from || b.end > to || l.index.amended(b) {
		return false
	}
	if b.firstSpan != never {
		l.open(b.firstSpan)
		l.mix.End = b.spanEnd
		for state, time := range b.times {
			l.mix.Times[state] += time
			l.mix.Count += uint64(b.counts[state])
		}
		l.pieces += 2 // more than a single span
	}
	for typ, n := range b.instants {
		if n > 0 {
			l.instant(Instant{Time: b.begin, Type: Interaction(typ), Count: uint64(n)})
		}
	}
	if b.arrows > 0 {
		l.arrow(b.heaviest)
		l.arrows.Omitted += int(b.arrows - 1)
	}
	return true
}

// addRecord adds a record.
func (l *laneBuilder) addRecord(r *record) {
	from, to := l.shifted()
	inside := r.begin <= to && r.end >= from
	switch {
	case r.isSpan():
		l.arrowTo(r, from, to)
		if inside {
			l.span(r)
		}
	case r.kind == instantRecord && inside:
		l.instant(l.instantOf(r))
	}
}

// arrowTo adds the arrow to a Running span, if a part of it is in the window.
func (l *laneBuilder) arrowTo(r *record, from, to int64) {
	if r.kind != recordKind(Running) {
		return
	}
	ran := l.ran
	l.ran = r.end
	if late, ok := l.index.late[r.event]; ok {
		r.interaction, r.cause = l.index.causeOf(late)
	}
	if r.cause.Event == 0 || min(r.cause.Time, r.begin) > to || max(r.begin, r.cause.Time) < from {
		return
	}
	l.arrow(arrowOf(r, l.key, r.begin, ran))
}

// arrow adds an arrow, with times as in blocks.
func (l *laneBuilder) arrow(a Arrow) {
	a.From.Time -= l.index.earliest
	a.To.Time -= l.index.earliest
	l.arrows.Add(a)
}

// span adds a span, either whole or as a part of a mix.
func (l *laneBuilder) span(r *record) {
	if r.end-r.begin >= l.request.Resolution {
		l.close()
		l.lane.Spans = append(l.lane.Spans, l.spanOf(r))
		return
	}
	l.open(r.begin)
	if l.pieces == 0 {
		l.single = *r
	}
	l.mix.Count++
	if l.inOne(r.begin, r.end) {
		l.piece(r, r.end)
		return
	}
	border := (l.bucket(r.begin)+1)*l.request.Resolution + l.index.earliest
	l.piece(r, border)
	l.open(border)
	l.piece(r, r.end)
	l.mix.Times[r.kind] -= border - r.begin
	l.pieces++ // so that it is no whole span
}

// piece adds the part of the span up to the end.
func (l *laneBuilder) piece(r *record, end int64) {
	l.mix.Times[r.kind] += end - r.begin
	l.mix.End = end
	l.pieces++
}

// open begins a new mix, unless the time is in the bucket of the current one.
func (l *laneBuilder) open(at int64) {
	if l.pieces > 0 && l.bucket(at) == l.bucket(l.mix.Begin) {
		return
	}
	l.close()
	l.mix = Mix{Begin: at, End: at}
}

// close ends the mix. If it has a single span, the span is added instead.
func (l *laneBuilder) close() {
	switch {
	case l.pieces == 0:
	case l.pieces == 1 && l.single.end == l.mix.End:
		l.lane.Spans = append(l.lane.Spans, l.spanOf(&l.single))
	default:
		l.mix.Begin -= l.index.earliest
		l.mix.End -= l.index.earliest
		l.lane.Mixes = append(l.lane.Mixes, l.mix)
	}
	l.pieces = 0
}

// spanOf returns the span of a record.
func (l *laneBuilder) spanOf(r *record) Span {
	x := l.index
	return Span{
		Begin: r.begin - x.earliest, End: r.end - x.earliest, State: State(r.kind), Open: r.open, TimedOut: r.timedOut,
		Inferred: r.inferred, Event: r.event, Object: x.object(r, l.session), Other: r.other,
		Caller: numbered(x.numbers.Frames, r.caller), OtherCaller: numbered(x.numbers.Frames, r.otherCaller),
		Stack: l.stack(r.stack), Timeout: r.timeout, IO: r.io, Park: r.park || State(r.kind) == Parked, Init: r.init,
	}
}

func (l *laneBuilder) instantOf(r *record) Instant {
	return Instant{Time: r.begin, Type: r.interaction, Count: 1, Event: r.event, Object: l.index.object(r, l.session),
		Other: r.other, Stack: l.stack(r.stack)}
}

// instant adds an instant. With a resolution, instants of a type in one bucket become one.
func (l *laneBuilder) instant(i Instant) {
	if l.request.Resolution == 0 {
		l.put(i)
		return
	}
	first := &l.first[i.Type]
	if first.Count > 0 && l.bucket(first.Time) == l.bucket(i.Time) {
		first.Count += i.Count
		return
	}
	l.put(*first)
	*first = i
}

// put adds an instant, unless it is empty.
func (l *laneBuilder) put(i Instant) {
	if i.Count > 0 {
		i.Time -= l.index.earliest
		l.lane.Instants = append(l.lane.Instants, i)
	}
}

// finish completes the lane.
func (l *laneBuilder) finish() {
	l.close()
	for _, i := range l.first {
		l.put(i)
	}
	slices.SortStableFunc(l.lane.Instants, func(a, b Instant) int { return cmp.Compare(a.Time, b.Time) })
}

// pathBuilder makes the part of the path in a lane.
type pathBuilder struct {
	*view
	parts []PathPart
}

func (p *pathBuilder) addBlock(b *block) bool {
	from, to := p.shifted()
	if !p.inOne(b.begin, b.end) || b.begin < from || b.end > to {
		return false
	}
	time := int64(0)
	for _, t := range b.times {
		time += t
	}
	p.add(PathPart{Begin: b.begin, End: b.end, Time: time})
	return true
}

func (p *pathBuilder) addRecord(r *record) {
	if from, to := p.shifted(); r.begin > to || r.end < from {
		return
	}
	p.add(PathPart{Begin: r.begin, End: r.end, Time: r.end - r.begin, Latency: r.kind == latencyRecord})
}

// add adds a part. It is merged with the last one if both are in one bucket.
func (p *pathBuilder) add(part PathPart) {
	if n := len(p.parts); n > 0 && p.inOne(p.parts[n-1].Begin, part.End) {
		last := &p.parts[n-1]
		last.Latency = last.Latency && part.Latency
		last.End, last.Time = part.End, last.Time+part.Time
		return
	}
	p.parts = append(p.parts, part)
}

func (p *pathBuilder) finish() []PathPart {
	for i := range p.parts {
		p.parts[i].Begin -= p.index.earliest
		p.parts[i].End -= p.index.earliest
	}
	return p.parts
}
