package monlog_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// program makes up a log that a JVM could have written. It knows the methods of its metadata.
type program struct {
	random  *rand.Rand
	log     strings.Builder
	now     int64 // ns
	threads []*simulated
	started int
	methods []simulatedMethod
	stacks  []string
	depth   int // frames of a stack, at most
	chaos   bool
}

type simulatedMethod struct {
	id        uint64
	locations []uint64
}

// simulated is a thread of the program.
type simulated struct {
	hash   uint32
	state  string // the event that ends it
	object uint32
}

func newProgram(seed uint64, depth int) *program {
	p := &program{random: rand.New(rand.NewPCG(seed, 7)), now: 34232_000_000_000, depth: depth}
	for i := range 200 {
		p.methods = append(p.methods, simulatedMethod{0x7F3A4C001000 + uint64(i)*0x18, []uint64{0, 5, uint64(10 + i),
			0xFFFFFFFF}})
	}
	for range 60 {
		p.stacks = append(p.stacks, p.stack())
	}
	for range 5 {
		p.start(nil)
	}
	return p
}

// metadata returns the lines of classes and methods.
func (p *program) metadata() string {
	var b strings.Builder
	for i := range 20 {
		fmt.Fprintf(&b, "Lapp/service/Service%d;,Service%d.java\n", i, i)
	}
	for i, m := range p.methods {
		fmt.Fprintf(&b,
			"%016X,method%d,(I[Ljava/lang/String;)V,Lapp/service/Service%d;,3,00000000,%d,00000005,%d,%08X,%d\n", m.id,
			i, i%20, 10*i, 10*i+1, 10+i, 10*i+2)
	}
	return b.String()
}

func (p *program) stack() string {
	switch {
	case p.depth == 0:
		return ""
	case p.random.IntN(8) == 0:
		return []string{"", ",0"}[p.random.IntN(2)]
	}
	var b strings.Builder
	frames := 1 + p.random.IntN(p.depth)
	fmt.Fprintf(&b, ",%d", frames)
	for range frames {
		m := p.methods[p.random.IntN(len(p.methods))]
		fmt.Fprintf(&b, ",%016X,%08X", m.id, m.locations[p.random.IntN(len(m.locations))])
	}
	return b.String()
}

func (p *program) line(format string, arguments ...any) {
	p.now += 1 + p.random.Int64N(3_000_000)
	fmt.Fprintf(&p.log, "%d.%09d,", p.now/1e9, p.now%1e9)
	fmt.Fprintf(&p.log, format, arguments...)
	p.log.WriteByte('\n')
}

var names = []string{"", "main", "worker, the first", ",", `"quoted" <name>`, "ünï 𝄞", "pool-1-thread-2", " blank "}

func (p *program) start(by *simulated) {
	t := &simulated{hash: p.random.Uint32() | 1}
	if by != nil && p.random.IntN(4) > 0 {
		p.line("ThreadStart,%08X,%08X%s", by.hash, t.hash, p.someStack())
	}
	if p.random.IntN(6) > 0 {
		p.line("ThreadStarted,%08X,%s", t.hash, names[p.random.IntN(len(names))])
	}
	p.threads = append(p.threads, t)
	p.started++
}

func (p *program) someStack() string { return p.stacks[p.random.IntN(len(p.stacks))] }

// write makes up at least that many lines.
func (p *program) write(lines int) string {
	for range lines {
		p.step(p.threads[p.random.IntN(len(p.threads))])
	}
	return p.log.String()
}

func (p *program) step(t *simulated) {
	other := p.threads[p.random.IntN(len(p.threads))]
	object := uint32(0x00C0FFE0 + p.random.IntN(10))
	if p.random.IntN(10) == 0 {
		object = other.hash
	}
	stack := p.someStack()
	if t.state != "" && !(p.chaos && p.random.IntN(20) == 0) {
		p.finish(t, stack)
		return
	}
	switch p.random.IntN(9) {
	case 0:
		p.line("ObjectWait,%08X,%08X%s", t.hash, object, stack)
		t.state, t.object = "ObjectWaited", object
	case 1:
		p.line("ThreadJoin,%08X,%08X%s", t.hash, other.hash, stack)
		t.state, t.object = "ThreadJoined", other.hash
	case 2:
		p.line("ThreadSleep,%08X%s", t.hash, stack)
		t.state = "ThreadSlept"
	case 3, 4, 5:
		p.enter(t, object, other, stack)
	case 6:
		p.line("ObjectNotify%s,%08X,%08X%s", []string{"", "All"}[p.random.IntN(2)], t.hash, object, stack)
	case 7:
		if len(p.threads) < 40 {
			p.start(t)
		}
	case 8:
		if len(p.threads) > 3 && p.random.IntN(4) == 0 {
			p.end(t)
		}
	}
}

func (p *program) enter(t *simulated, object uint32, owner *simulated, stack string) {
	by := owner.hash
	if by == t.hash && !p.chaos {
		by = 0
	}
	p.line("MonitorContendedEnter,%08X,%08X,%08X%s", t.hash, object, by, stack)
	p.line("MonitorContendedEntered,%08X,%08X%s", t.hash, object, stack)
}

// finish ends the current action of the thread, which may need a monitor for this.
func (p *program) finish(t *simulated, stack string) {
	ends := t.state
	t.state = ""
	if ends == "ThreadSlept" {
		p.line("ThreadSlept,%08X%s", t.hash, stack)
		return
	}
	if p.random.IntN(4) == 0 {
		p.enter(t, t.object, p.threads[0], stack)
	}
	p.line("%s,%08X,%08X%s", ends, t.hash, t.object, stack)
}

func (p *program) end(t *simulated) {
	p.line("ThreadEnded,%08X", t.hash)
	for i, other := range p.threads {
		if other == t && !(p.chaos && p.random.IntN(10) == 0) {
			p.threads = append(p.threads[:i], p.threads[i+1:]...)
			return
		}
	}
}
