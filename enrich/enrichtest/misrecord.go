package enrichtest

// misrecord damages a recording as real ones are: it may begin in the middle of the run, lose records, reorder records
// of two threads, and have times that go back.
func (vm *jvm) misrecord(records []record) []record {
	if vm.chance(2) {
		records = records[vm.rand.IntN(1+len(records)/4):]
	}
	lossy, hasty, jittery, terse := vm.chance(2), vm.chance(2), vm.chance(2), vm.chance(2)
	var kept []record
	for _, r := range records {
		if lossy && vm.chance(40) {
			continue
		}
		if jittery && vm.chance(4) {
			r.at = max(r.at-vm.rand.Int64N(disorder+1), traceBegin)
		}
		if terse {
			vm.leaveOut(&r)
		}
		kept = append(kept, r)
	}
	if hasty {
		vm.overtake(kept)
	}
	return kept
}

// leaveOut removes what an agent may not know or say.
func (vm *jvm) leaveOut(r *record) {
	switch {
	case r.name == "monWaited" && vm.chance(3):
		r.remove("isTimedOut")
	case r.name == "threadEnd" || r.name == "threadInterrupted":
	case r.thread != "" && vm.chance(60):
		r.set("objIdRef", "0")
	case r.thread != "" && vm.chance(60):
		r.remove("objIdRef")
	}
}

// overtake moves records of one thread before earlier ones of another.
func (vm *jvm) overtake(records []record) {
	for i := 1; i < len(records); i++ {
		a, b := &records[i-1], &records[i]
		if a.thread != "" && b.thread != "" && a.thread != b.thread && b.at-a.at < disorder && vm.chance(8) {
			*a, *b = *b, *a
		}
	}
}
