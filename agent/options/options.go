package options

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// Options are what the agent was told. Those of an empty text are Default.
type Options struct {
	// Output is where the trace goes. With a Ring it is the affair of the consumer.
	Output Output
	// Contanalysis says whether what the analysis of contention needs is recorded: callStart, callInterrupt, callNotify
	// and threadInterrupted.
	Contanalysis bool
	// Owner says whether the owner of a monitor is looked up when a thread is blocked.
	Owner bool
	// StackDepth is how many frames a call stack may have, 0 to MaxStackDepth. With 0 there are no call stacks.
	StackDepth int
	// FilterFile is the name of the filters file, empty for none; Filters is what ReadFiles found in it.
	FilterFile string
	Filters    Filters
	// ProfileFile is the name of TPTP's options file, empty for none; Profile is what ReadFiles found in it.
	ProfileFile string
	Profile     []Setting
	// Delay is how long to wait before recording begins.
	Delay time.Duration
	// Duration is how long to record, 0 for as long as the JVM lives.
	Duration time.Duration
	// MaxSize is how many bytes the trace may have, 0 for any number.
	MaxSize int64
	// Ring is the descriptor of the memory that is shared with a consumer in another process, 0 for none.
	Ring int
	// Stop asks an agent that is recording to end; nothing else is set then.
	Stop bool
	// Ready asks an agent that was attached to wait until it records; nothing else is set then.
	Ready bool
	// Help asks for Usage instead of a recording.
	Help bool
	// Folder is where relative names are looked up, empty for the process's working folder: see Path. No text says it.
	Folder string
	// Text is what was parsed, with the token blanked out: what a trace shows as agentParameters.
	Text string
}

// MaxStackDepth is the largest StackDepth.
const MaxStackDepth = 512

// DefaultFile is where the trace goes if nothing else is said. It is TPTP's name, too.
const DefaultFile = "trace.trcxml"

// Default returns the options of an empty text.
func Default() Options {
	return Options{Output: Output{Kind: File, Address: DefaultFile}, Contanalysis: true, Owner: true}
}

// Parse reads the agent's text in either form. It opens no file: that is for ReadFiles. The error is one line that says
// what is wrong and what would be right.
func Parse(text string) (Options, error) {
	o := Default()
	o.Text = withoutToken(text)
	var err error
	if isTPTP(text) {
		err = o.parseTPTP(text)
	} else {
		err = shortForm.parse(&o, text)
	}
	if err == nil {
		err = o.check()
	}
	if err != nil {
		return Options{}, err
	}
	return o, nil
}

// check finds options that are right by themselves and wrong together.
func (o *Options) check() error {
	switch {
	case o.Stop && o.String() != "stop":
		return errors.New("stop ends a recording that is under way, and stands alone")
	case o.Ready && o.String() != "ready":
		return errors.New("ready is about a recording that was asked for before, and stands alone")
	case o.Output.hasToken() && o.Output.Kind != TCP && o.Output.Kind != Unix:
		return errors.New("a token is for a listener: it needs tcp=HOST:PORT or unix=PATH")
	}
	return nil
}

// String gives the options in the short form; what is as in Default is left out. Parse makes the same Options of it,
// but for what ReadFiles reads. It holds the token, and is not for people's eyes.
func (o Options) String() string {
	var list items
	if def := Default(); o.Output.Kind != def.Output.Kind || o.Output.Address != def.Output.Address {
		list.add(o.Output.option())
	}
	list.add("token-file", o.Output.TokenFile)
	if o.Output.TokenFile == "" {
		list.add("token", o.Output.Token)
	}
	list.add("filters", o.FilterFile)
	list.add("profile", o.ProfileFile)
	list.addUnless(o.StackDepth == 0, "stack-depth", fmt.Sprint(o.StackDepth))
	list.addUnless(o.Contanalysis, "no-contanalysis", "")
	list.addUnless(o.Owner, "no-owner", "")
	list.addUnless(o.Delay == 0, "delay", o.Delay.String())
	list.addUnless(o.Duration == 0, "duration", o.Duration.String())
	list.addUnless(o.MaxSize == 0, "max-size", sizeText(o.MaxSize))
	list.addUnless(o.Ring == 0, "ring", fmt.Sprint(o.Ring))
	list.addUnless(!o.Stop, "stop", "")
	list.addUnless(!o.Ready, "ready", "")
	list.addUnless(!o.Help, "help", "")
	return strings.Join(list, ",")
}

// Usage tells people what the agent can be told.
func Usage() string {
	var b strings.Builder
	b.WriteString(
		"The agent's options, separated by commas; a comma or a backslash in a value stands behind a backslash:\n")
	shortForm.describe(&b)
	b.WriteString("File names may hold %p (the process), %t (the time, UTC), %h (the host) and %% (a percent sign).\n")
	b.WriteString(
		"TPTP's form is understood, too: JPIAgent:OPTION,…;ThreadProf:OPTION,… with these options of JPIAgent:\n")
	jpiAgent.describe(&b)
	b.WriteString("and these of ThreadProf:\n")
	threadProf.describe(&b)
	return b.String()
}
