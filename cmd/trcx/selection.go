package main

import (
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/convert/selection"
)

// The usage of --from and --to of commands that convert nothing.
const (
	onlyFrom = "only from this `TIME` on; or, if it is the name of one, the input format"
	onlyTo   = "only before this `TIME`"
)

// selectionFlags select a part of a trace.
func selectionFlags(from, to string) []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "thread",
			Usage: "only threads whose name or id matches the `PATTERN`; may be repeated"},
		&cli.StringSliceFlag{Name: "group", Usage: "only threads of groups that match the `PATTERN`; may be repeated"},
		&cli.StringSliceFlag{Name: "class",
			Usage: "only monitors of classes that match the `PATTERN`; may be repeated"},
		&cli.StringSliceFlag{Name: "from", Usage: from},
		&cli.StringSliceFlag{Name: "to", Usage: to},
		&cli.StringFlag{Name: "min", Usage: "only what took so long (`DURATION`), such as 10ms"},
	}
}

// selectionText returns the flags of selectionFlags on the command line.
func selectionText(c *cli.Context) string {
	var given []string
	for _, flag := range selectionFlags("", "") {
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

// selected parses the flags of selectionFlags. A value of --from and --to that is no time is the name of a format.
func selected(c *cli.Context) (s selection.Selection, from, to string, err error) {
	s.Threads, s.Groups, s.Classes = c.StringSlice("thread"), c.StringSlice("group"), c.StringSlice("class")
	if from, err = momentOrFormat(c, "from", &s.From); err != nil {
		return s, "", "", err
	}
	if to, err = momentOrFormat(c, "to", &s.To); err != nil {
		return s, "", "", err
	}
	if text := c.String("min"); text != "" {
		least, err := time.ParseDuration(text)
		if err != nil || least < 0 {
			return s, "", "", usage("--min %s is no length of time; write one such as 10ms or 1.5s", text)
		}
		s.Min = int64(least)
	}
	if s.From.NotBefore(s.To) {
		return s, "", "", usage("--from is not before --to, so nothing is left")
	}
	return s, from, to, checkChoice("--from", from, convert.Formats())
}

// selectedPart is selected for commands that convert nothing: --to is a time.
func selectedPart(c *cli.Context) (part selection.Selection, from string, err error) {
	part, from, to, err := selected(c)
	if err == nil && to != "" {
		err = usage("--to %s is no time; write one such as 1.5s", to)
	}
	return part, from, err
}

// momentOrFormat parses a flag that may occur twice: with a time, and with the name of a format.
func momentOrFormat(c *cli.Context, flag string, moment *selection.Moment) (format string, err error) {
	for _, text := range c.StringSlice(flag) {
		switch {
		case selection.LooksLikeMoment(text):
			if moment.Known() {
				return "", usage("--%s has two times; give it one", flag)
			}
			if *moment, err = selection.ParseMoment(text); err != nil {
				return "", usage("--%s: %v", flag, err)
			}
		case format != "":
			return "", usage("--%s has two formats, %s and %s; give it one", flag, format, text)
		case text == "":
			return "", usage("the value of --%s is empty", flag)
		default:
			format = text
		}
	}
	return format, nil
}
