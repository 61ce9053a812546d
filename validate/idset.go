package validate

// idSet is a set of ids. Agents number in order, so it keeps a word of bits for each 64 neighbours, and the words that were looked
// at last where they are found without a search.
type idSet struct {
	words  map[id]uint64
	recent [128]struct {
		key  id
		word uint64
	}
	// most is how many words the set may have. A set that forgets loses the ids that came first then; any other becomes full.
	most    int
	forgets bool
	order   []id // of a set that forgets: the keys, as they came, as a ring of most places
	oldest  int
	full    bool // an id was not added
}

// has says whether the set has the id.
func (s *idSet) has(i id) bool {
	key := i >> 6
	slot := &s.recent[key%id(len(s.recent))]
	if slot.key != key {
		slot.key, slot.word = key, s.words[key]
	}
	return slot.word>>(i&63)&1 != 0
}

// add adds the id, and says whether it was not there.
func (s *idSet) add(i id) bool {
	if s.has(i) {
		return false
	}
	key := i >> 6
	slot := &s.recent[key%id(len(s.recent))] // that of the id, now
	if slot.word == 0 && !s.admit(key) {
		return true
	}
	slot.word |= 1 << (i & 63)
	s.words[key] = slot.word
	return true
}

// remove takes the id out of the set.
func (s *idSet) remove(i id) {
	if !s.has(i) {
		return
	}
	key := i >> 6
	slot := &s.recent[key%id(len(s.recent))]
	slot.word &^= 1 << (i & 63)
	if slot.word != 0 {
		s.words[key] = slot.word
	} else {
		delete(s.words, key)
	}
}

// admit makes room for a new word, and says whether there is any.
func (s *idSet) admit(key id) bool {
	if s.words == nil {
		s.words = map[id]uint64{}
	}
	switch {
	case !s.forgets:
		if len(s.words) >= s.most {
			s.full = true
			return false
		}
	case len(s.order) < s.most:
		s.order = append(s.order, key)
	default:
		s.forget(s.order[s.oldest])
		s.order[s.oldest] = key
		s.oldest = (s.oldest + 1) % s.most
	}
	return true
}

func (s *idSet) forget(key id) {
	delete(s.words, key)
	if slot := &s.recent[key%id(len(s.recent))]; slot.key == key {
		slot.word = 0
	}
}
