package main

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/dtd"
	"github.com/trcx/trcx/internal/glob"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/trace"
)

// mayBeEmpty are the flags for which an empty value is the same as no value.
var mayBeEmpty = []string{"from", "max-input", "rules"}

// completeFlag sets what all flags of a type have in common. The value of a text is not empty: an empty one is a
// variable of a shell script that is not set.
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

// atLeast makes the flag accept numbers from min on only.
func atLeast(min int, flag *cli.IntFlag) *cli.IntFlag {
	flag.Action = func(_ *cli.Context, value int) error {
		if value < min {
			return usage("--%s: invalid value %d: want %d or more", flag.Name, value, min)
		}
		return nil
	}
	return flag
}

// choice makes the flag accept the choices only, and its usage list them.
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

// outputFlag names the file of the result.
func outputFlag() cli.Flag {
	return &cli.StringFlag{Name: "output", Aliases: []string{"o"},
		Usage: "write to `FILE` instead of the standard output; your umask sets its permissions"}
}

// quietFlag turns messages off.
func quietFlag(usage string) cli.Flag {
	return &cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: usage}
}

// durationFlag ends a server.
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

// durationOf returns the value of durationFlag, 0 if it is not set.
func durationOf(c *cli.Context) time.Duration {
	d, _ := timeFlag(c, "duration") // which the flag has checked
	return d
}

// fromFlag names the input format.
func fromFlag(formats ...string) cli.Flag {
	return formatFlag(&cli.StringFlag{Name: "from", Usage: "the input is in this `FORMAT`; without it the content decides"},
		"since", append(convert.Formats(), formats...))
}

// toFlag names the output format.
func toFlag() cli.Flag {
	return formatFlag(&cli.StringFlag{Name: "to", Usage: "the output `FORMAT`"}, "until", formatNames())
}

// viewers are programs that people ask for as if they were formats, with the format that each of them opens.
var viewers = map[string]string{"speedscope": "collapsed", "flamegraph": "collapsed"}

// formatFlag makes the flag accept the formats only. The error for a time names the flag for times.
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

// readingFlags are the flags of the commands that read traces.
func readingFlags() []cli.Flag { return inputFlags("print errors only") }

// externalFlag names the folder of what documents may refer to.
func externalFlag() cli.Flag {
	return &cli.StringFlag{Name: "allow-external",
		Usage: "read external subsets and entities that lie in the folder `DIR`", DefaultText: "none are read"}
}

// inputFlags are the flags that say how documents are opened and read. quiet is the usage of --quiet.
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

// skipFlag names frames that are not the program's own.
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

// framesFlag sets how many calls name a place.
func framesFlag() cli.Flag {
	return atLeast(1, &cli.IntFlag{Name: "frames", Value: placeFrames, Usage: "name a place in text by up to this `NUMBER` of " +
		"the program's calls: the innermost one, and those below it"})
}

// placeFrames is how many calls name a place by default.
const placeFrames = 3

// limitFlags raise the limits that protect from hostile inputs.
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

// limits returns the limits that the flags set. maxInput is 0 if it was not given.
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

// noArguments returns the error for arguments of a command that has flags only.
func noArguments(c *cli.Context) error {
	if c.Args().Present() {
		return usage("this command accepts no arguments; leave %s out", c.Args().First())
	}
	return nil
}
