package critical

// ReplayAsItWas replays the run with nothing changed, and walks its path from the start.
func (r *Recorder) ReplayAsItWas(start Start) (*Path, Start) {
	x := r.replay(make([]bool, r.objects.Len()+1))
	end := r.endIn(x, start)
	return r.path(end, x), end
}
