package main

import (
	"errors"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/convert/selection"
	"github.com/trcx/trcx/dtd"
	"github.com/trcx/trcx/internal/glob"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/internal/suggest"
	"github.com/trcx/trcx/trace"
)

// mayBeEmpty are the flags whose empty value means that they are not set.
var mayBeEmpty = []string{"from", "max-input", "rules"}

// completeFlag sets what all flags of a type have in common. A text must not be empty, as that usually comes from an
// unset variable in a shell script.
func completeFlag(flag cli.Flag) {
	switch flag := flag.(type) {
	case *cli.BoolFlag:
		flag.DisableDefaultText = true
	case *cli.StringSliceFlag:
		check := flag.Action
		flag.Action = func(c *cli.Context, values []string) error {
			switch {
			case slices.Contains(values, "") && !slices.Contains(mayBeEmpty, flag.Name):
				return usage("the value of --%s is empty", flag.Name)
			case check != nil:
				return check(c, values)
			}
			return nil
		}
	case *cli.StringFlag:
		if slices.Contains(mayBeEmpty, flag.Name) {
			return
		}
		check := flag.Action
		flag.Action = func(c *cli.Context, value string) error {
			switch {
			case value == "":
				return usage("the value of --%s is empty", flag.Name)
			case check != nil:
				return check(c, value)
			}
			return nil
		}
	}
}

// optionalText is the value of a flag with an optional value: "true" without a value, "" if the flag is not set.
type optionalText string

// IsBoolFlag says that the flag needs no value.
func (o *optionalText) IsBoolFlag() bool { return true }

func (o *optionalText) String() string { return string(*o) }

// Set sets the value.
func (o *optionalText) Set(value string) error {
	*o = optionalText(value)
	return nil
}

// optionalOf returns the value of a flag with an optionalText; alone is its meaning without a value.
func optionalOf(c *cli.Context, flag, alone string) string {
	text := c.Generic(flag).(*optionalText).String()
	if text == "true" {
		return alone
	}
	return text
}

// atLeast makes the flag accept only numbers from min on.
func atLeast(min int, flag *cli.IntFlag) *cli.IntFlag {
	flag.Action = func(_ *cli.Context, value int) error {
		if value < min {
			return usage("--%s: invalid value %d: want %d or more", flag.Name, value, min)
		}
		return nil
	}
	return flag
}

// choice makes the flag accept only the choices, which its usage lists.
func choice(flag *cli.StringFlag, choices []string) *cli.StringFlag {
	flag.Usage += ": " + strings.Join(choices, ", ")
	flag.Action = func(_ *cli.Context, value string) error { return checkChoice("--"+flag.Name, value, choices) }
	return flag
}

// checkChoice returns the error for a value that is not among the choices. The empty value is valid.
func checkChoice(name, value string, choices []string) error {
	if value == "" || slices.Contains(choices, value) {
		return nil
	}
	return usage("%s: invalid value %q: want %s", name, value, phrase.List(choices, "or"))
}

// outputFlag returns the flag for the file of the result.
func outputFlag() cli.Flag {
	return &cli.StringFlag{Name: "output", Aliases: []string{"o"},
		Usage: "write to `FILE` instead of the standard output; your umask sets its permissions"}
}

// quietFlag returns the flag that turns messages off.
func quietFlag(usage string) cli.Flag {
	return &cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: usage}
}

// durationFlag returns the flag for the time after which a server ends.
func durationFlag() cli.Flag {
	return &cli.StringFlag{Name: "duration", Usage: "end after this `TIME`, such as 30s or 2h", DefaultText: "no limit",
		Action: func(c *cli.Context, text string) error {
			d, err := timeFlag(c, "duration")
			if err == nil && d == 0 {
				return usage("--duration: invalid value %q: want a time above 0, such as 30s", text)
			}
			return err
		}}
}

// durationOf returns the value of durationFlag, or 0.
func durationOf(c *cli.Context) time.Duration {
	d, _ := timeFlag(c, "duration") // the flag has checked it
	return d
}

// fromFlag returns the flag for the input format.
func fromFlag(formats ...string) cli.Flag {
	return formatFlag(&cli.StringFlag{Name: "from", Usage: "the input is in this `FORMAT`; without it the content decides"},
		"since", append(convert.Formats(), formats...))
}

// toFlag returns the flag for the output format.
func toFlag() cli.Flag {
	return formatFlag(&cli.StringFlag{Name: "to", Usage: "the output `FORMAT`"}, "until", formatNames())
}

// viewers are programs that users ask for as if they were formats, with the format that each program opens.
var viewers = map[string]string{"speedscope": "collapsed", "flamegraph": "collapsed"}

// formatFlag makes the flag accept only the formats. If the value is a time, the error names the flag for times.
func formatFlag(flag *cli.StringFlag, window string, formats []string) cli.Flag {
	choice(flag, formats)
	check := flag.Action
	flag.Action = func(c *cli.Context, value string) error {
		if strings.TrimLeft(value, "0123456789.+-") != value {
			return usage("--%s: invalid value %q: want a format; for a time use --%s", flag.Name, value, window)
		}
		if viewed := viewers[value]; viewed != "" && slices.Contains(formats, viewed) {
			return usage("--%s: %s is a program, not a format; it opens what --%[1]s %[3]s writes", flag.Name, value, viewed)
		}
		return check(c, value)
	}
	return flag
}

// readingFlags are the flags of commands that read traces.
func readingFlags() []cli.Flag { return inputFlags("print errors only") }

// externalFlag returns the flag for the folder of external entities.
func externalFlag() cli.Flag {
	return &cli.StringFlag{Name: "allow-external",
		Usage: "read external subsets and entities that lie in the folder `DIR`", DefaultText: "none are read"}
}

// inputFlags are the flags for opening and reading documents. quiet is the usage of --quiet.
func inputFlags(quiet string) []cli.Flag {
	return append([]cli.Flag{
		externalFlag(),
		&cli.StringFlag{Name: "meta", Usage: "the metadata `FILE` of all inputs that are monitor logs (monlog)",
			DefaultText: "the one next to each"},
		quietFlag(quiet),
		atLeast(0, &cli.IntFlag{Name: "jobs", Usage: "use up to `NUMBER` processor cores; 0 for all", DefaultText: "all"}),
		&cli.BoolFlag{Name: "no-progress", Usage: "do not draw the progress of long work"},
	}, limitFlags()...)
}

// skipFlag returns the flag for frames that are not the program's own.
func skipFlag() cli.Flag {
	return &cli.StringSliceFlag{Name: "skip-frames", Usage: "frames of classes or methods that match the `PATTERN`, such as " +
		"'org.springframework.*', are not the program's own: the place that is named is the next call outside of them"}
}

// skips returns the function that reports whether a method matches skipFlag; nil if the flag is not set.
func skips(c *cli.Context) func(*trace.ModelMethod) bool {
	var patterns []glob.Pattern
	for _, text := range c.StringSlice("skip-frames") {
		patterns = append(patterns, glob.Classes(text))
	}
	if patterns == nil {
		return nil
	}
	return func(m *trace.ModelMethod) bool {
		return slices.ContainsFunc(patterns, func(p glob.Pattern) bool {
			return p.MatchClass(m.Class) || p.MatchClass(m.Title())
		})
	}
}

// framesFlag returns the flag for the number of calls that name a place.
func framesFlag() cli.Flag {
	return atLeast(1, &cli.IntFlag{Name: "frames", Value: 3, Usage: "name a place by up to this `NUMBER` of " +
		"the program's calls: the innermost one, and those below it"})
}

// limitFlags are the flags that raise the limits against hostile inputs.
func limitFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "max-input", Usage: "limit a decompressed input to `BYTES`, such as 4G",
			DefaultText: "200 times its size once past 64 MiB"},
		atLeast(1, &cli.IntFlag{Name: "max-depth", Usage: "limit elements inside each other to `NUMBER`",
			DefaultText: "256"}),
		atLeast(1, &cli.IntFlag{Name: "max-attributes", Usage: "limit the attributes of an element to `NUMBER`",
			DefaultText: "256"}),
		atLeast(1, &cli.IntFlag{Name: "max-name", Usage: "limit a name to `BYTES`", DefaultText: "1024"}),
		atLeast(1, &cli.IntFlag{Name: "max-value", Usage: "limit an attribute value or a text to `BYTES`",
			DefaultText: "1048576"}),
		atLeast(1, &cli.IntFlag{Name: "max-names", Usage: "limit different names of elements and attributes to `NUMBER`",
			DefaultText: "65536"}),
		atLeast(1, &cli.IntFlag{Name: "max-expansion", Usage: "limit the expansion of entities to `BYTES`",
			DefaultText: "1048576"}),
	}
}

// limits returns the limits set by the flags. maxInput is 0 if its flag is not set.
func limits(c *cli.Context) (limits dtd.Limits, maxInput int64, err error) {
	if text := c.String("max-input"); text != "" {
		var ok bool
		if maxInput, ok = parseSize(text); !ok {
			return limits, 0,
				usage("--max-input: invalid value %q: want a number of bytes, or a number with K, M, G or T", text)
		}
	}
	return dtd.Limits{
		Depth: c.Int("max-depth"), Attributes: c.Int("max-attributes"), Name: c.Int("max-name"),
		Value: c.Int("max-value"), Names: c.Int("max-names"), EntityExpansion: c.Int("max-expansion"),
	}, maxInput, nil
}

// parseSize reads a number of bytes above 0, such as 4096, 512M or 4G.
func parseSize(text string) (size int64, ok bool) {
	digits := strings.TrimRight(text, "KMGTiB")
	factor, ok := map[string]int64{"": 1, "B": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40,
		"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40}[text[len(digits):]]
	number, err := strconv.ParseInt(digits, 10, 64)
	if !ok || err != nil || number < 1 || number > math.MaxInt64/factor {
		return 0, false
	}
	return number * factor, true
}

// noArguments returns the error for arguments of a command that has only flags.
func noArguments(c *cli.Context) error {
	if c.Args().Present() {
		return usage("this command accepts no arguments; leave %s out", c.Args().First())
	}
	return nil
}

// windowOf maps flags for formats to the flags for times.
var windowOf = map[string]string{"from": "since", "to": "until"}

// ofProcesses are other programs' commands for running processes, and words for what these show.
var ofProcesses = []string{"top", "ps", "jps", "jstack", "jcmd", "threads", "live", "pid"}

// unknownCommand returns the error for a name that is not a command.
func unknownCommand(app *cli.App, name string) error {
	switch {
	case isProcess(name):
		return ofProcess(name)
	case slices.Contains(ofProcesses, name):
		return usageHelp("unknown command %q; %s; jps lists them", name, forProcess("PID"))
	}
	names := commandNames(app)
	near := suggest.Nearest(name, append(names[:len(names):len(names)], "help"))
	return usageHelp("unknown command %q%s", name, didYouMean(near, strings.Join(names, ", ")))
}

// unknownFlag returns the error for a flag that the command does not have.
func unknownFlag(command *cli.Command, flag string) error {
	name := strings.TrimLeft(flag, "-")
	if name == "pid" {
		return usageHelp("unknown flag %s: this command reads a trace; %s", flag, forProcess("PID"))
	}
	suggestion := windowOf[name]
	if suggestion == "" || flagNamed(command, suggestion) == nil {
		suggestion = suggest.Nearest(name, longNames(command))
	}
	if suggestion != "" {
		suggestion = "--" + suggestion
	}
	return usageHelp("unknown flag %s%s", flag, didYouMean(suggestion, ""))
}

// longNames returns the names of the command's flags that have more than one letter.
func longNames(command *cli.Command) (names []string) {
	for _, flag := range command.Flags {
		names = append(names, flag.Names()...)
	}
	return slices.DeleteFunc(names, func(name string) bool { return len(name) == 1 })
}

// didYouMean returns the end of a message: the suggestion, or else the choices, if there are any.
func didYouMean(suggestion, choices string) string {
	switch {
	case suggestion != "":
		return "; did you mean " + suggestion + "?"
	case choices != "":
		return "; want one of " + choices
	}
	return ""
}

// isProcess reports whether a name is the id of a running process, and not a file.
func isProcess(name string) bool {
	pid, err := strconv.Atoi(name)
	if err != nil || pid < 1 {
		return false
	}
	if _, err := os.Lstat(name); err == nil {
		return false
	}
	process, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	err = process.Signal(syscall.Signal(0))
	return err == nil || errors.Is(err, os.ErrPermission)
}

// ofProcess returns the error for a process id in place of a trace.
func ofProcess(pid string) error {
	return usageHelp("%s is a process, not a trace; %s", pid, forProcess(pid))
}

// forProcess says which commands are for a process.
func forProcess(pid string) string {
	return "trcx why " + pid + " says what is wrong in a running JVM, and trcx attach " + pid + " records it"
}

// windowFlags select a part of the trace's time.
func windowFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "since", Usage: "only from this `TIME` on, counted from the trace's start, such as 1.5s"},
		&cli.StringFlag{Name: "until", Usage: "only before this `TIME`, counted from the trace's start"},
	}
}

// parseWindow returns the window of windowFlags.
func parseWindow(c *cli.Context) (w selection.Window, err error) {
	if w.Since, err = timeFlag(c, "since"); err != nil {
		return w, err
	}
	if w.Until, err = timeFlag(c, "until"); err != nil {
		return w, err
	}
	if c.IsSet("until") && w.Since >= w.Until {
		return w, usage("--since is not before --until, so nothing is left")
	}
	return w, nil
}

// timeFlag returns the value of a flag for a time or a duration in a trace, or 0.
func timeFlag(c *cli.Context, name string) (time.Duration, error) {
	if !c.IsSet(name) {
		return 0, nil
	}
	d, err := selection.ParseTime(c.String(name))
	if err != nil {
		return 0, usage("--%s: %v", name, err)
	}
	return d, nil
}

// threadFlags select threads.
func threadFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "thread",
			Usage: "only threads whose name or id matches the `PATTERN`; may be repeated"},
		&cli.StringSliceFlag{Name: "group", Usage: "only threads of groups that match the `PATTERN`; may be repeated"},
	}
}

// selectionFlags select a part of a trace.
func selectionFlags() []cli.Flag {
	return slices.Concat(threadFlags(), []cli.Flag{
		&cli.StringSliceFlag{Name: "class",
			Usage: "only monitors of classes that match the `PATTERN`; may be repeated"},
	}, windowFlags(), []cli.Flag{
		&cli.StringFlag{Name: "min", Usage: "only what took at least this `TIME`, such as 10ms"},
	})
}

// selectionText returns the flags of selectionFlags on the command line.
func selectionText(c *cli.Context) string {
	var given []string
	for _, flag := range selectionFlags() {
		name := flag.Names()[0]
		values := []string{c.String(name)}
		if _, several := flag.(*cli.StringSliceFlag); several {
			values = c.StringSlice(name)
		}
		for _, value := range values {
			if value != "" {
				given = append(given, "--"+name+" "+value)
			}
		}
	}
	return strings.Join(given, " ")
}

// parseSelection returns the part of the trace that selectionFlags select.
func parseSelection(c *cli.Context) (s selection.Selection, err error) {
	s.Threads, s.Groups, s.Classes = c.StringSlice("thread"), c.StringSlice("group"), c.StringSlice("class")
	if s.Window, err = parseWindow(c); err != nil {
		return s, err
	}
	least, err := timeFlag(c, "min")
	s.Min = int64(least)
	return s, err
}
