package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// shells write completion scripts for the commands and their flags, by shell.
var shells = map[string]func(w io.Writer, app *cli.App){
	"bash": completeBash,
	"fish": completeFish,
	"zsh":  completeZsh,
}

func completionCommand(env *environment) *cli.Command {
	return &cli.Command{
		Name:      "completion",
		Usage:     "print a script that completes commands and flags in a shell",
		UsageText: "trcx completion bash|zsh|fish",
		Description: `Examples:
   trcx completion bash > trcx.bash    to be sourced by ~/.bashrc, or in /etc/bash_completion.d
   trcx completion zsh > _trcx         in a folder of $fpath
   trcx completion fish > trcx.fish    in ~/.config/fish/completions`,
		Action: func(c *cli.Context) error {
			write := shells[c.Args().First()]
			if c.NArg() != 1 || write == nil {
				return usage("name a shell: bash, zsh or fish")
			}
			write(env.stdout, c.App)
			return nil
		},
	}
}

// flagText is a flag as in completions and on the manual page.
type flagText struct {
	names []string // with their dashes
	value string   // the placeholder of its value; "" if it has none
	usage string
}

// flagsOf returns the flags of a command that its help lists.
func flagsOf(command *cli.Command) (all []flagText) {
	for _, f := range command.VisibleFlags() {
		documented, ok := f.(cli.DocGenerationFlag)
		if !ok {
			continue
		}
		text := flagText{usage: documented.GetUsage()}
		for _, name := range f.Names() {
			dashes := "--"
			if len(name) == 1 {
				dashes = "-"
			}
			text.names = append(text.names, dashes+name)
		}
		if documented.TakesValue() {
			text.value = "VALUE"
			if parts := strings.SplitN(text.usage, "`", 3); len(parts) == 3 {
				text.value = parts[1]
			}
		}
		text.usage = strings.ReplaceAll(text.usage, "`", "")
		all = append(all, text)
	}
	return all
}

// listed returns the commands in the help.
func listed(app *cli.App) []*cli.Command {
	return slices.DeleteFunc(slices.Clone(app.Commands), func(c *cli.Command) bool {
		return c.Hidden || c.Name == "help"
	})
}

func completeBash(w io.Writer, app *cli.App) {
	fmt.Fprintf(w, `# bash completion of trcx, by trcx completion bash

_trcx() {
	local word=${COMP_WORDS[COMP_CWORD]} flags=
	if [ "$COMP_CWORD" = 1 ]; then
		COMPREPLY=($(compgen -W "%s" -- "$word"))
		return
	fi
	case ${COMP_WORDS[1]} in
`, strings.Join(commandNames(app), " "))
	for _, command := range listed(app) {
		var all []string
		for _, f := range flagsOf(command) {
			all = append(all, f.names...)
		}
		fmt.Fprintf(w, "\t%s) flags=\"%s\" ;;\n", command.Name, strings.Join(all, " "))
	}
	fmt.Fprint(w, `	esac
	COMPREPLY=()
	if [[ $word == -* ]]; then
		COMPREPLY=($(compgen -W "$flags" -- "$word"))
	fi
}

complete -o default -F _trcx trcx
`)
}

func completeZsh(w io.Writer, app *cli.App) {
	quote := strings.NewReplacer("'", `'\''`, ":", `\:`, "[", `\[`, "]", `\]`).Replace
	fmt.Fprint(w, "#compdef trcx\n# zsh completion of trcx, by trcx completion zsh\n\n"+
		"_trcx() {\n\tlocal -a commands=(\n")
	for _, command := range listed(app) {
		fmt.Fprintf(w, "\t\t'%s:%s'\n", command.Name, quote(command.Usage))
	}
	fmt.Fprint(w, "\t)\n\tif (( CURRENT == 2 )); then\n\t\t_describe command commands\n\t\treturn\n\tfi\n"+
		"\tcase $words[2] in\n")
	for _, command := range listed(app) {
		fmt.Fprintf(w, "\t%s)\n\t\t_arguments", command.Name)
		for _, f := range flagsOf(command) {
			for _, name := range f.names {
				fmt.Fprintf(w, " \\\n\t\t\t'%s[%s]", name, quote(f.usage))
				if f.value != "" {
					fmt.Fprintf(w, ":%s:_files", quote(f.value))
				}
				fmt.Fprint(w, "'")
			}
		}
		fmt.Fprint(w, " \\\n\t\t\t'*:file:_files'\n\t\t;;\n")
	}
	fmt.Fprint(w, "\tesac\n}\n\ncompdef _trcx trcx\n")
}

func completeFish(w io.Writer, app *cli.App) {
	quote := strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace
	fmt.Fprint(w, "# fish completion of trcx, by trcx completion fish\n\n")
	for _, command := range listed(app) {
		fmt.Fprintf(w, "complete -c trcx -n __fish_use_subcommand -f -a %s -d '%s'\n", command.Name,
			quote(command.Usage))
		for _, f := range flagsOf(command) {
			fmt.Fprintf(w, "complete -c trcx -n '__fish_seen_subcommand_from %s'", command.Name)
			for _, name := range f.names {
				if long, ok := strings.CutPrefix(name, "--"); ok {
					fmt.Fprintf(w, " -l %s", long)
				} else {
					fmt.Fprintf(w, " -s %s", name[1:])
				}
			}
			if f.value != "" {
				fmt.Fprint(w, " -r")
			}
			fmt.Fprintf(w, " -d '%s'\n", quote(f.usage))
		}
	}
}
