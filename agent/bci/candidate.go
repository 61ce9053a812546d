package bci

// mostHooks is how many hooks Candidate looks for; with more, every class is a candidate.
const mostHooks = 64

// names are those of a hook that a class with it must have among its constants.
type names [6]string

func (h *Hook) names() names {
	return names{h.Method.Class, h.Method.Name, h.Method.Descriptor, h.Within.Class, h.Within.Name, h.Within.Descriptor}
}

// search looks for the names of hooks.
type search struct {
	hooks  int
	wanted [mostHooks]names
	found  [mostHooks]uint8 // a bit for each name
	marks  uint64           // of all wanted names
}

// Candidate says whether hooks may fit a class, by its constants alone: all the names of a hook are there, and that of
// the Recorder is not. It allocates nothing, and takes microseconds. What is no class file is no candidate.
func Candidate(data []byte, hooks []Hook) bool {
	c := cursor{data: data}
	count, err := start(&c)
	if err != nil || len(hooks) > mostHooks {
		return err == nil
	}
	s := search{hooks: len(hooks), marks: mark(RecorderClass)}
	for i := range hooks {
		s.want(i, hooks[i].names())
	}
	for i := 1; i < count; {
		at := c.at
		n, err := constant(&c)
		if err != nil {
			return false
		}
		i += n
		if data[at] == tagUtf8 && !s.look(data[at+3:c.at]) {
			return false
		}
	}
	return s.anyComplete()
}

// want adds the names of a hook. Empty ones are found already.
func (s *search) want(hook int, wanted names) {
	s.wanted[hook], s.found[hook] = wanted, wanted.equal(nil)
	for _, name := range wanted {
		s.marks |= mark(name)
	}
}

// look notes what a text is, and says whether to go on.
func (s *search) look(text []byte) bool {
	if s.marks&mark(text) == 0 {
		return true
	}
	for i := range s.hooks {
		s.found[i] |= s.wanted[i].equal(text)
	}
	return string(text) != RecorderClass
}

// anyComplete says whether all names of a hook were found.
func (s *search) anyComplete() bool {
	for i := range s.hooks {
		if s.found[i] == 1<<len(names{})-1 {
			return true
		}
	}
	return false
}

// mark is one bit of 64, by which most texts differ from those that are looked for.
func mark[text string | []byte](t text) uint64 {
	if len(t) == 0 {
		return 1
	}
	return 1 << ((len(t) + 5*int(t[0]) + 11*int(t[len(t)-1])) % 64)
}

// equal are bits for the names that the text is.
func (n *names) equal(text []byte) uint8 {
	var bits uint8
	for i, name := range n {
		if name == string(text) {
			bits |= 1 << i
		}
	}
	return bits
}
