package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
)

// flags are the flags of a command.
type flags struct {
	*flag.FlagSet
	help string
}

// newFlags returns no flags yet. The help is what stands above them.
func newFlags(command, help string) *flags {
	f := &flags{flag.NewFlagSet(command, flag.ContinueOnError), help}
	f.SetOutput(io.Discard)
	return f
}

// parse parses flags, which may stand before and after arguments, and returns the arguments. What follows -- is rest.
func (f *flags) parse(args []string, stdout io.Writer) (arguments, rest []string, err error) {
	if at := slices.Index(args, "--"); at >= 0 {
		args, rest = args[:at], args[at+1:]
	}
	for len(args) > 0 {
		if err := f.Parse(args); errors.Is(err, flag.ErrHelp) {
			return nil, nil, errors.Join(f.print(stdout), errHelp)
		} else if err != nil {
			return nil, nil, usage("%v; trcx-fleet %s --help shows the flags", err, f.Name())
		}
		if args = f.Args(); len(args) > 0 {
			arguments, args = append(arguments, args[0]), args[1:]
		}
	}
	return arguments, rest, nil
}

// print prints the help.
func (f *flags) print(out io.Writer) error {
	var text bytes.Buffer
	fmt.Fprintf(&text, "%s\nFlags:\n", f.help)
	f.VisitAll(func(of *flag.Flag) {
		name, usage := flag.UnquoteUsage(of)
		dashes := "--"
		if len(of.Name) == 1 {
			dashes = "-"
		}
		fmt.Fprintf(&text, "   %s%s %s\n       %s", dashes, of.Name, name, usage)
		if of.DefValue != "" && of.DefValue != "false" && of.DefValue != "0" {
			fmt.Fprintf(&text, " (default %s)", of.DefValue)
		}
		text.WriteString("\n")
	})
	_, err := out.Write(text.Bytes())
	return err
}

// list returns the items of a list that is separated by commas; none of "".
func list(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, ",")
}
