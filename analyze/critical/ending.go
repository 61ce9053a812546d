package critical

import "github.com/trcx/trcx/trace"

// Ending is how a run ended, as far as the trace shows it. If a run did not end by itself, its path is one of many,
// which leads to the thread that happened to do something last.
type Ending uint8

// The endings.
const (
	EndUnknown     Ending = iota // the trace does not show it, or the start of the walk was chosen by thread
	EndByItself                  // the program's threads ended, and the JVM after them; or one of them ended the JVM
	EndFromOutside               // a signal ended it
	EndCutOff                    // the trace ends before the run does
)

var endingNames = [...]string{
	EndUnknown: "unknown", EndByItself: "by itself", EndFromOutside: "from outside", EndCutOff: "cut off",
}

// String names the ending in a few words.
func (e Ending) String() string { return endingNames[e] }

// IsArbitrary reports whether the path is one of many, because the run did not end by itself, or the trace
// does not have the run's end.
func (e Ending) IsArbitrary() bool { return e == EndFromOutside || e == EndCutOff }

// Words is a sentence on an ending that makes the path one of many; "" for other endings.
func (e Ending) Words() string {
	switch e {
	case EndFromOutside:
		return "The run was ended from outside, so this path is one of many: it leads to the thread that acted last."
	case EndCutOff:
		return "The trace does not have the end of the run, so this path is one of many: it leads to the thread that " +
			"acted last."
	}
	return ""
}

// Start is where a walk begins: an activity of a thread. The zero Start stands for no activity.
type Start struct {
	Thread trace.ThreadKey
	At     trace.Time
	// Ending is why the thread was chosen.
	Ending Ending
	chosen bool // it is not the end of the run
}

// Last returns the start of the walk from the end of the run: the latest activity of the thread to whose end the run
// led. That is HotSpot's DestroyJavaVM if it has ended; else the thread of the program with the latest activity; else
// any other thread. Threads without a state are not considered.
func (r *Recorder) Last() Start {
	return r.lastAt(func(key trace.ThreadKey, did moment) moment { return did })
}

// lastAt is Last with the moments that the function returns for the threads' latest activities.
func (r *Recorder) lastAt(shifted func(trace.ThreadKey, moment) moment) Start {
	var keys [ofDestroyer + 1]trace.ThreadKey
	var latest [ofDestroyer + 1]moment
	for i, role := range r.roles() {
		key := trace.ThreadKey(i + 1)
		t := r.threads.At(key)
		if t.last == 0 || role == ofDestroyer && t.died == 0 {
			continue
		}
		if did := shifted(key, t.did); did.after(latest[role]) {
			keys[role], latest[role] = key, did
		}
	}
	for _, role := range []role{ofDestroyer, ofProgram, ofJVM} {
		if keys[role] != 0 {
			return Start{Thread: keys[role], At: latest[role].at, Ending: r.ending(role, latest[ofProgram])}
		}
	}
	return Start{}
}

// ending returns how the run ended, by the role of the thread to whose end it led, and by the latest activity of the
// program.
func (r *Recorder) ending(chosen role, program moment) Ending {
	shutdown, signaled, signal := r.shutdown()
	switch {
	case chosen == ofDestroyer:
		return EndByItself
	case !r.closing.finished || !shutdown && r.programLives():
		return EndCutOff
	case !shutdown:
		return EndUnknown
	case signaled, signal.after(program):
		return EndFromOutside
	}
	return EndByItself
}

// shutdown reports whether the trace shows that the JVM shut down, and whether a signal's handler, which then never
// returns, caused it. It also returns the latest activity of a thread that handles signals.
func (r *Recorder) shutdown() (shutdown, signaled bool, signal moment) {
	shutdown = r.closing.shutdown
	for key := range r.threads.Keys() {
		t, name := r.threads.At(key), r.Name(key)
		shutdown = shutdown || name == recorderHook
		signaled = signaled || endsJVM[name] && t.died == 0
		if handlesSignal(name) && t.did.after(signal) {
			signal = t.did
		}
	}
	return shutdown, signaled, signal
}

// programLives reports whether a thread of the program had a state and has not ended.
func (r *Recorder) programLives() bool {
	for i, role := range r.roles() {
		if t := r.threads.At(trace.ThreadKey(i + 1)); role == ofProgram && t.last != 0 && t.died == 0 {
			return true
		}
	}
	return false
}

// deathBefore returns the Dead segment of the program's thread that ended last, up to the time; of equal times the
// later in the trace, 0 for none. It ignores threads that never had a state before. Times are the walk's.
func (w *walk) deathBefore(at trace.Time) segment {
	latest, died := segment(0), trace.Time(0)
	for _, dead := range w.programDeaths() {
		if t := w.beginning(dead); t <= at && (latest == 0 || t > died || t == died && dead > latest) {
			latest, died = dead, t
		}
	}
	return latest
}

// programDeaths returns the Dead segments of the program's threads, except those with which a thread began.
func (r *Recorder) programDeaths() (deaths []segment) {
	for i, role := range r.roles() {
		if dead := r.threads.At(trace.ThreadKey(i + 1)).died; role == ofProgram && dead != 0 &&
			r.of(dead).previous != 0 {
			deaths = append(deaths, dead)
		}
	}
	return deaths
}

// awaits reports whether the segment is the first one of a DestroyJavaVM without a known cause: the thread waited for
// the program's threads.
func (r *Recorder) awaits(s segment) bool {
	if rec := r.of(s); rec.previous != 0 {
		return false
	}
	key := r.thread(s)
	t := r.threads.At(key)
	return r.Name(key) == destroyer && !(t.ran == s && t.caused)
}
