package main

import (
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/urfave/cli/v2"
)

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

// manPage writes the manual page, in roff: the help of trcx and of each command.
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

// verbatim writes a text in its own lines.
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

// roff escapes a line: its special characters, those outside of ASCII, and those that cannot begin a line.
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
