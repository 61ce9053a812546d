package allocation

// series has the live objects of a cell at the pauses of full collections, counted from 1. It keeps the figures that
// can still be asked for: at the window's first full collection and at the last ones.
type series struct {
	before Amount  // the sum of the points that are no longer kept
	points []point // changes, in ascending order of collections
	first  *Amount // at the first full collection of the window, once it is no longer in points
}

// Amount is a number of objects and their bytes.
type Amount struct{ Count, Bytes float64 }

func (a *Amount) add(b Amount) {
	a.Count += b.Count
	a.Bytes += b.Bytes
}

// point is a change of the live objects as seen at a pause and those after it.
type point struct {
	at uint32
	Amount
}

// change adds to the live objects from the pause on. The pause is the latest one or the next.
func (s *series) change(at uint32, by Amount) {
	i := len(s.points)
	for i > 0 && s.points[i-1].at > at {
		i--
	}
	if i > 0 && s.points[i-1].at == at {
		s.points[i-1].add(by)
		return
	}
	s.points = append(s.points, point{})
	copy(s.points[i+1:], s.points[i:])
	s.points[i] = point{at, by}
}

// at returns the live objects at the pause.
func (s *series) at(pause uint32) Amount {
	sum := s.before
	for _, p := range s.points {
		if p.at > pause {
			break
		}
		sum.add(p.Amount)
	}
	return sum
}

// shorten drops the points before the oldest pause that is kept. The end of the window's first full collection is 0 if
// it has not come yet.
func (s *series) shorten(oldest, first uint32) {
	if first != 0 && first < oldest && s.first == nil {
		amount := s.at(first)
		s.first = &amount
	}
	kept := 0
	for kept < len(s.points) && s.points[kept].at <= oldest {
		s.before.add(s.points[kept].Amount)
		kept++
	}
	s.points = append(s.points[:0], s.points[kept:]...)
}

// atFirst returns the live objects at the first full collection of the window.
func (s *series) atFirst(first uint32) Amount {
	if s.first != nil {
		return *s.first
	}
	return s.at(first)
}
