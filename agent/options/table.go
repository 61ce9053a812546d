package options

import (
	"math"
	"time"
)

// Groups of options that exclude each other.
const (
	groupOutput = "output"
	groupToken  = "token"
	groupCalls  = "contanalysis"
	groupOwner  = "owner"
)

const tokenOption = "token"

// The fields that options of both forms set.
var (
	contanalysis = func(o *Options) *bool { return &o.Contanalysis }
	owner        = func(o *Options) *bool { return &o.Owner }
	help         = func(o *Options) *bool { return &o.Help }
	filterFile   = text(func(o *Options) *string { return &o.FilterFile })
	profileFile  = text(func(o *Options) *string { return &o.ProfileFile })
)

// shortForm is what our own form may hold.
var shortForm = form{"", []option{
	{"file", "PATH", "write the trace to a file (trace.trcxml); .gz and .zst compress; - is the standard output",
		groupOutput, toFile},
	{"tcp", "HOST:PORT", "send the trace to a listener", groupOutput, toTCP},
	{"unix", "PATH", "send the trace to a listener on a socket of this machine", groupOutput, toUnix},
	{tokenOption, "TEXT", "what the listener wants to be told", groupToken, setToken},
	{"token-file", "PATH", "the file that the token stands in, so that nobody sees it on the command line", groupToken,
		text(func(o *Options) *string { return &o.Output.TokenFile })},
	{"filters", "PATH", "the file that says which methods are shown in call stacks", "", filterFile},
	{"profile", "PATH", "an options file of TPTP's", "", profileFile},
	{"stack-depth", "0…512", "record call stacks of so many frames (0)", "",
		number(0, MaxStackDepth, func(o *Options) *int { return &o.StackDepth })},
	{"contanalysis", "true|false", "record what the analysis of contention needs (true)", groupCalls,
		truth(contanalysis)},
	{"no-contanalysis", "", "leave out who started, interrupted and notified threads", groupCalls,
		turn(false, contanalysis)},
	{"owner", "true|false", "look up who owns a monitor that a thread is blocked on (true)", groupOwner, truth(owner)},
	{"no-owner", "", "leave out who owns monitors", groupOwner, turn(false, owner)},
	{"delay", "TIME", "wait before recording, such as 5s", "",
		span(0, func(o *Options) *time.Duration { return &o.Delay })},
	{"duration", "TIME", "record so long, such as 1m30s", "",
		span(1, func(o *Options) *time.Duration { return &o.Duration })},
	{"max-size", "SIZE", "end when the trace has so many bytes, such as 2G", "",
		size(func(o *Options) *int64 { return &o.MaxSize })},
	{"ring", "FD", "the memory shared with trcx record", "", number(3, math.MaxInt32, func(o *Options) *int {
		return &o.Ring
	})},
	{"stop", "", "end a recording that is under way", "", turn(true, func(o *Options) *bool { return &o.Stop })},
	{"ready", "", "wait until a recording that was attached has begun", "",
		turn(true, func(o *Options) *bool { return &o.Ready })},
	{"help", "", "print this, and record nothing", "", turn(true, help)},
}}

// jpiAgent is what TPTP's agent was told.
var jpiAgent = form{"JPIAgent", []option{
	{"server", "standalone", "no other mode is left", "", setServer},
	{"file", "PATH", "write the trace to a file (trace.trcxml)", "", toFile},
	{"filters", "PATH", "the file that says which methods are shown in call stacks", "", filterFile},
	{"profile", "PATH", "an options file", "", profileFile},
	{"format", "xml", "no other format is left", "", setFormat},
	{"help", "", "print this, and record nothing", "", turn(true, help)},
}}

// threadProf is what TPTP's profiler of threads was told.
var threadProf = form{"ThreadProf", []option{
	{"contanalysis", "true|false", "record what the analysis of contention needs (false)", "", truth(contanalysis)},
	{"help", "", "print this, and record nothing", "", turn(true, help)},
}}
