package main

import (
	"cmp"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"
	"unicode"

	"github.com/urfave/cli/v2"

	"github.com/trcx/trcx/dtd"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/validate/schema"
)

func dtdCommand(env *environment) *cli.Command {
	return &cli.Command{
		Name:  "dtd",
		Usage: "print the DTD of traces",
		Description: `It declares every element and attribute that trcx knows, and is what validate judges by.

Example:
   trcx dtd > trace.dtd`,
		Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			_, err := fmt.Fprint(env.stdout, dtd.TraceText())
			return err
		},
	}
}

func schemaCommand(env *environment) *cli.Command {
	return &cli.Command{
		Name:      "schema",
		Usage:     "print the JSON Schema of an output",
		UsageText: "trcx schema " + strings.Join(schema.Names(), "|"),
		Description: `model describes what convert --to json writes, jsonl a line of convert --to jsonl.

Example:
   trcx schema model > model.schema.json`,
		Action: func(c *cli.Context) error {
			if c.NArg() != 1 || c.Args().First() == "" {
				return usage("name one of %s", strings.Join(schema.Names(), ", "))
			}
			text, ok := schema.Text(c.Args().First())
			if !ok {
				return usage("invalid value %q: want %s", c.Args().First(), phrase.List(schema.Names(), "or"))
			}
			_, err := fmt.Fprint(env.stdout, text)
			return err
		},
	}
}

func versionCommand(env *environment) *cli.Command {
	return &cli.Command{
		Name:  "version",
		Usage: "print the version, the commit and the version of Go it was built with",
		Description: `Example:
   trcx version`,
		Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			version, commit := builtVersion()
			_, err := fmt.Fprintf(env.stdout, "trcx %s, commit %s, %s\n", version, commit, runtime.Version())
			return err
		},
	}
}

// linkedVersion and linkedCommit are set by the linker (-X main.linkedVersion=v1.2.3), as in the Makefile. They are ""
// in a program made by go build or go install.
var linkedVersion, linkedCommit string

// builtVersion returns the program's version and commit.
func builtVersion() (version, commit string) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	version, commit = describeBuild(info)
	return cmp.Or(linkedVersion, version), cmp.Or(linkedCommit, commit)
}

// describeBuild returns the version and the commit of the build information.
func describeBuild(info *debug.BuildInfo) (version, commit string) {
	version, commit = cmp.Or(info.Main.Version, "(devel)"), "unknown"
	for _, setting := range info.Settings {
		switch {
		case setting.Key == "vcs.revision":
			commit = setting.Value[:min(12, len(setting.Value))]
		case setting.Key == "vcs.modified" && setting.Value == "true":
			commit += " with changes"
		}
	}
	return version, commit
}

func manCommand(env *environment) *cli.Command {
	return &cli.Command{
		Name:  "man",
		Usage: "print the manual page",
		Description: `Example:
   trcx man > trcx.1    man -l trcx.1 shows it`,
		Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			manPage(env.stdout, c.App)
			return nil
		},
	}
}

// manPage writes the manual page in roff: the help of trcx and of each command.
func manPage(w io.Writer, app *cli.App) {
	fmt.Fprintf(w, ".TH TRCX 1\n.SH NAME\ntrcx \\- %s\n.SH SYNOPSIS\n.B %s\n.SH DESCRIPTION\n", roff(app.Usage),
		roff(app.UsageText))
	verbatim(w, app.Description)
	fmt.Fprint(w, ".SH COMMANDS\n")
	for _, command := range listed(app) {
		fmt.Fprintf(w, ".SS trcx %s\n%s\n", roff(command.Name), roff(command.Usage))
		if command.UsageText != "" {
			fmt.Fprintf(w, ".PP\n.B %s\n", roff(strings.ReplaceAll(command.UsageText, "\n", " ")))
		}
		verbatim(w, command.Description)
		for _, f := range flagsOf(command) {
			fmt.Fprintf(w, ".TP\n.B %s", roff(strings.Join(f.names, ", ")))
			if f.value != "" {
				fmt.Fprintf(w, " %s", roff(f.value))
			}
			fmt.Fprintf(w, "\n%s\n", roff(f.usage))
		}
	}
}

// verbatim writes a text with its line breaks.
func verbatim(w io.Writer, text string) {
	if text == "" {
		return
	}
	fmt.Fprint(w, ".PP\n.nf\n")
	for line := range strings.Lines(text) {
		fmt.Fprintln(w, roff(strings.TrimSuffix(line, "\n")))
	}
	fmt.Fprint(w, ".fi\n")
}

// roff escapes special characters of a line, those outside of ASCII, and those that may not begin a line.
func roff(line string) string {
	var b strings.Builder
	for i, r := range line {
		switch {
		case r == '\\':
			b.WriteString(`\e`)
		case r == '-':
			b.WriteString(`\-`)
		case i == 0 && (r == '.' || r == '\''):
			fmt.Fprintf(&b, `\&%c`, r)
		case r > unicode.MaxASCII:
			fmt.Fprintf(&b, `\[u%04X]`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
