package main

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/trcx/trcx/internal/suggest"
)

// windowOf are the flags of times by the flags of formats.
var windowOf = map[string]string{"from": "since", "to": "until"}

// unknownCommand returns the error for a name of no command.
func unknownCommand(app *cli.App, name string) error {
	names := commandNames(app)
	near := suggest.Nearest(name, append(names[:len(names):len(names)], "help"))
	return usageHelp("unknown command %q%s", name, didYouMean(near, strings.Join(names, ", ")))
}

// unknownFlag returns the error for a flag that the command lacks.
func unknownFlag(command *cli.Command, flag string) error {
	name := strings.TrimLeft(flag, "-")
	suggestion := windowOf[name]
	if suggestion == "" || flagNamed(command, suggestion) == nil {
		suggestion = suggest.Nearest(name, longNames(command))
	}
	if suggestion != "" {
		suggestion = "--" + suggestion
	}
	return usageHelp("unknown flag %s%s", flag, didYouMean(suggestion, ""))
}

// longNames returns the names of the command's flags that are longer than a letter.
func longNames(command *cli.Command) (names []string) {
	for _, flag := range command.Flags {
		names = append(names, flag.Names()...)
	}
	return slices.DeleteFunc(names, func(name string) bool { return len(name) == 1 })
}

// didYouMean returns the end of a message: the suggestion, or without one the choices, if there are any.
func didYouMean(suggestion, choices string) string {
	switch {
	case suggestion != "":
		return "; did you mean " + suggestion + "?"
	case choices != "":
		return "; want one of " + choices
	}
	return ""
}
