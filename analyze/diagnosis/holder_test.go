package diagnosis_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/trcx/trcx/analyze/contention"
	"github.com/trcx/trcx/analyze/diagnosis"
)

// ofDumps says that a document was made from thread dumps.
const ofDumps = `<agentCreate agentId="1" agentName="thread dump" agentParameters="sampled" time="1"/>`

// TestHolderWaits: if threads are still BLOCKED, the sentence says what the holder of the lock waits for since.
func TestHolderWaits(t *testing.T) {
	const blocked = `<monContendedEnter threadIdRef="3" time="3" objIdRef="901" threadOwner="2"/>`
	sleeps := `<monWait threadIdRef="2" time="2" objIdRef="-1" timeout="60000"><annotation name="stack" value="71:5"/></monWait>`
	for name, c := range map[string]struct{ document, want string }{
		"a queue":     {at(2, "park", "900", "80:1 70:5") + blocked, "; that one still waited for room in queue ArrayBlockingQueue."},
		"a sleep":     {sleeps + blocked, "held for 100 % of that, in shop.App.pay(line 5); that one was SLEEPING."},
		"many sleeps": {parks(t, "2@3 sleeps 5;2@5.1 sleeps 8.95") + blocked, "held for 100 % of that, SLEEPING for 98 % of it."},
		"few sleeps":  {parks(t, "2@3 sleeps 5;2@6 sleeps 8.95") + blocked, "held for 100 % of that."},
		"later":       {blocked + strings.Replace(at(2, "park", "900", "80:1 70:5"), `time="2"`, `time="8"`, 1), "held for 100 % of that"},
		"a lock":      {`<monContendedEnter threadIdRef="2" time="4" objIdRef="900" threadOwner="4"/>` + blocked, "; that one was BLOCKED itself on shop.Cache 900, which worker-3 (thread 4) held."},
		"whose?":      {`<monContendedEnter threadIdRef="2" time="4" objIdRef="900"/>` + blocked, "; that one was BLOCKED itself on shop.Cache 900."},
		"over":        {at(2, "park", "900", "80:1 70:5") + blocked + `<monContendedEntered threadIdRef="3" time="8" objIdRef="901"/>`, "held for 100 % of that"},
	} {
		found := diagnosis.Of(factsOf(t, threadsOf+permits+ofProgram+c.document+`<gcStart time="9"/></TRACE>`)).Findings
		if len(found) == 0 || !strings.Contains(found[0].Summary, c.want) ||
			strings.Contains(found[0].Summary, "that one") != strings.Contains(c.want, "that one") {
			t.Errorf("%s: %+v, want %s", name, found, c.want)
		}
	}
}

// TestHoldersInTurn: of several holders, those with a part worth naming are counted, and the first three named.
func TestHoldersInTurn(t *testing.T) {
	held := func(owner int, from, to string) string {
		return fmt.Sprintf(`<monContendedEnter threadIdRef="2" time="%s" objIdRef="901" threadOwner="%d"/>`+
			`<monContendedEntered threadIdRef="2" time="%s" objIdRef="901"/>`, from, owner, to)
	}
	document := threadsOf + permits + ofProgram + held(3, "2", "5") + held(4, "5", "7.2") + held(5, "7.2", "8.2") + held(1, "8.2", "8.3") +
		`<gcStart time="9"/></TRACE>`
	const want = ", which 3 threads held in turn, longest worker-2 (thread 3) (48 %); also worker-3 (thread 4) (35 %) and worker-4 (thread 5) (16 %)."
	if found := diagnosis.Of(factsOf(t, document)).Findings; len(found) == 0 || !strings.HasSuffix(found[0].Summary, want) {
		t.Errorf("%+v, want %s", found, want)
	}
}

// TestHolderAtSeveralPlaces: if a holder was at no place for half of the time, several places are named.
func TestHolderAtSeveralPlaces(t *testing.T) {
	samples := func(times ...string) (document string) {
		for i, time := range times {
			document += fmt.Sprintf(`<monContendedEnter threadIdRef="2" time="%s" objIdRef="901" threadOwner="3"><annotation name="park" value="lock"/>`+
				`<annotation name="again" value="1"/><annotation name="ownerStack" value="7%d:5"/></monContendedEnter>`, time, i)
		}
		return document
	}
	for _, c := range []struct {
		times []string
		want  string
	}{
		{[]string{"2", "5", "8"}, ", 50 % of it in shop.App.ask(line 5) and 50 % in shop.App.pay(line 5)."},
		{[]string{"2", "4.5", "6.5"}, ", 42 % of it in shop.App.ask(line 5), 33 % in shop.App.pay(line 5) and 25 % in shop.App.ship(line 5)."},
		{[]string{"2", "4.9", "7.5"}, ", 48 % of it in shop.App.ask(line 5) and 43 % in shop.App.pay(line 5)."},
		{[]string{"2", "6", "7"}, ", 67 % of it in shop.App.ask(line 5)."},
	} {
		document := threadsOf + permits + ofProgram + `<monContendedEnter threadIdRef="2" time="2" objIdRef="901" threadOwner="3"/>` +
			samples(c.times...) + `<monContendedEntered threadIdRef="2" time="8" objIdRef="901"/><gcStart time="9"/></TRACE>`
		found := diagnosis.Of(factsOf(t, document)).Findings
		if len(found) == 0 || !strings.Contains(found[0].Summary, c.want) {
			t.Errorf("%v: %+v, want %s", c.times, found, c.want)
		}
	}
}

// TestHolderWaitsInFinishedBlocks: who let the holder of a lock wait is known only for the blocks that are over.
func TestHolderWaitsInFinishedBlocks(t *testing.T) {
	const over = `<monContendedEnter threadIdRef="2" time="2" objIdRef="901" threadOwner="3"/><monContendedEnter threadIdRef="3" time="2" objIdRef="900" threadOwner="4"/>`
	document := threadsOf + permits + ofProgram + over + parks(t, "4@2 sleeps 5") +
		`<monContendedEntered threadIdRef="3" time="5" objIdRef="900"/><monContendedEntered threadIdRef="2" time="5" objIdRef="901"/>` +
		`<monContendedEnter threadIdRef="5" time="6" objIdRef="901" threadOwner="3"/><gcStart time="9"/></TRACE>`
	const want = " The holder waited, too: for 100 % of the finished blocks worker-3 (thread 4) was SLEEPING."
	for _, found := range diagnosis.Of(factsOf(t, document)).Findings {
		if strings.Contains(found.Summary, "2 threads were BLOCKED for 6.00 s in all on shop.Cache 901") && strings.HasSuffix(found.Summary, want) {
			return
		}
	}
	t.Errorf("%+v, want %s", diagnosis.Of(factsOf(t, document)).Findings, want)
}

// TestHolderWaitsForOneInSeveralStates: who let the holder of a lock wait is named also if it did so in several states.
func TestHolderWaitsForOneInSeveralStates(t *testing.T) {
	blocks := func(thread, object, owner int) string {
		return fmt.Sprintf(`<monContendedEnter threadIdRef="%d" time="2" objIdRef="%d" threadOwner="%d"/>`, thread, object, owner)
	}
	document := threadsOf + permits + ofProgram + blocks(2, 901, 3) + blocks(3, 900, 4) + parks(t, "4@2 sleeps 4") + at(4, "io", "910", "70:5") +
		`<monWaited threadIdRef="4" time="6.5" objIdRef="910" isTimedOut="0"/>` +
		`<monContendedEntered threadIdRef="3" time="8" objIdRef="900"/><monContendedEntered threadIdRef="2" time="8" objIdRef="901"/><gcStart time="9"/></TRACE>`
	document = strings.Replace(document, `<monWait threadIdRef="4" time="2" objIdRef="910"`, `<monWait threadIdRef="4" time="4.5" objIdRef="910"`, 1)
	const want = " The holder waited, too: for 100 % of that worker-3 (thread 4) was RUNNABLE, SLEEPING or IN I/O."
	found := diagnosis.Of(factsOf(t, document)).Findings
	if len(found) != 2 || !strings.HasSuffix(found[1].Summary, want) {
		t.Errorf("%+v, want %s", found, want)
	}
}

// TestExitHangs: a thread that waits for shutdown hooks is a fault, and nobody who sleeps is accused of that.
func TestExitHangs(t *testing.T) {
	const hooks = `<classDef name="java/lang/ApplicationShutdownHooks" classId="30" time="1"/><methodDef name="runHooks" methodId="90" classIdRef="30"/>`
	sleeps := `<monWait threadIdRef="4" time="1" objIdRef="-1" timeout="60000"><annotation name="stack" value="71:5"/></monWait>`
	exits := `<monWait threadIdRef="2" time="2" objIdRef="900" timeout="0"><annotation name="stack" value="90:1 70:5"/></monWait>`
	for name, document := range map[string]string{
		"trace": threadsOf + permits + ofProgram + hooks + sleeps + exits + `<gcStart time="9"/></TRACE>`,
		"dump":  strings.ReplaceAll(threadsOf+permits+ofDumps+ofProgram+hooks+sleeps+exits+`</TRACE>`, `time="2"`, `time="1"`),
	} {
		found := diagnosis.Of(factsOf(t, document))
		if found.Healthy() || len(found.Findings) == 0 || !strings.Contains(found.Findings[0].Summary, ", likely for the end of shop.Cache 900") ||
			fmt.Sprint(found.Findings[0].Evidence) != "[The JVM is to exit, and this thread waits for its shutdown hooks.]" {
			t.Errorf("%s: healthy is %v: %+v", name, found.Healthy(), found.Findings)
		}
	}
}

// TestSleepingMain: a main thread that sleeps in a method of its own is not accused of a wait, but another thread is.
func TestSleepingMain(t *testing.T) {
	const main = `<methodDef name="main" methodId="91" classIdRef="20"/>`
	sleeps := func(thread int, stack string) string {
		return fmt.Sprintf(`<monWait threadIdRef="%d" time="1" objIdRef="-1" timeout="60000"><annotation name="stack" value="%s"/></monWait>`, thread, stack)
	}
	document := threadsOf + permits + ofProgram + main + sleeps(1, "91:5") + sleeps(4, "72:5") + at(2, "park", "970", "70:5") + `<gcStart time="9"/></TRACE>`
	found := diagnosis.Of(factsOf(t, document)).Findings
	if len(found) == 0 || fmt.Sprint(found[0].Evidence) != "[Meanwhile these slept: worker-3 (thread 4) at shop.App.ship(line 5).]" {
		t.Errorf("%+v", found)
	}
}

// TestTimerOfDumps: a timer that only one of two dumps shows at work is not busy between them.
func TestTimerOfDumps(t *testing.T) {
	sleeps := func(from int) string {
		return fmt.Sprintf(`<monWait threadIdRef="2" time="%d" objIdRef="-1" timeout="60000"><annotation name="stack" value="71:5"/></monWait>`, from)
	}
	timer := &contention.LateTimer{Name: "worker-1", Busy: 4e9, Did: &contention.Did{State: "SLEEPING"}}
	for name, c := range map[string]struct {
		document string
		told     bool
	}{
		"in both":     {sleeps(1), true},
		"in the last": {sleeps(5), false},
		"in none":     {sleeps(1) + `<monWaited threadIdRef="2" time="5" objIdRef="-1" timeout="60000" isTimedOut="1"/>`, false},
	} {
		facts := factsOf(t, threadsOf+ofDumps+ofProgram+c.document+`<gcStart time="5"/></TRACE>`)
		facts.Statistics.Workers = &contention.Workers{LateTimers: []*contention.LateTimer{timer}}
		told := false
		for _, f := range diagnosis.Of(facts).Findings {
			told = told || f.Kind == diagnosis.TimerLate
		}
		if told != c.told {
			t.Errorf("%s: the timer is told: %v", name, told)
		}
		facts.Blame = nil
		diagnosis.Of(facts) // statistics alone do not know it
	}
}
