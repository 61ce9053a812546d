package bci

// maxHooks is the limit of hooks that candidate tests. With more, every class is a candidate.
const maxHooks = 64

// names are the strings of a hook that the constant pool of a class with it must have.
type names [3]string

func (h *Hook) names() names {
	return names{h.Method.Class, h.Method.Name, h.Method.Descriptor}
}

// search looks for the names of hooks.
type search struct {
	hooks  int
	wanted [maxHooks]names
	found  [maxHooks]uint8 // one bit for each name
	marks  uint64          // union of the marks of all wanted names
}

// candidate reports whether hooks may match a class, by its constant pool alone: it has all the names of a hook, and
// not the Recorder's. It allocates nothing and takes microseconds. Data that is not a class file is no candidate.
func candidate(data []byte, hooks []Hook) bool {
	c := cursor{data: data}
	count, err := start(&c)
	if err != nil || len(hooks) > maxHooks {
		return err == nil
	}
	s := search{hooks: len(hooks), marks: mark(recorderClass)}
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
		if data[at] == tagUtf8 && !s.match(data[at+3:c.at]) {
			return false
		}
	}
	return s.anyComplete()
}

// want adds the names of a hook. Empty ones count as found.
func (s *search) want(hook int, wanted names) {
	s.wanted[hook], s.found[hook] = wanted, wanted.equal(nil)
	for _, name := range wanted {
		s.marks |= mark(name)
	}
}

// match compares a CONSTANT_Utf8 with the names, and reports whether the search continues: the Recorder's name ends it.
func (s *search) match(text []byte) bool {
	if s.marks&mark(text) == 0 {
		return true
	}
	for i := range s.hooks {
		s.found[i] |= s.wanted[i].equal(text)
	}
	return string(text) != recorderClass
}

// anyComplete reports whether all names of a hook were found.
func (s *search) anyComplete() bool {
	for i := range s.hooks {
		if s.found[i] == 1<<len(names{})-1 {
			return true
		}
	}
	return false
}

// mark is a hash of a text: one of 64 bits, which excludes most texts without a comparison.
func mark[text string | []byte](t text) uint64 {
	if len(t) == 0 {
		return 1
	}
	return 1 << ((len(t) + 5*int(t[0]) + 11*int(t[len(t)-1])) % 64)
}

// equal returns a bit for each name that is equal to the text.
func (n *names) equal(text []byte) uint8 {
	var bits uint8
	for i, name := range n {
		if name == string(text) {
			bits |= 1 << i
		}
	}
	return bits
}
