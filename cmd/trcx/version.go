package main

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/urfave/cli/v2"
)

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

// linkedVersion and linkedCommit are set by the linker (-X main.linkedVersion=v1.2.3), as the Makefile does. They are
// "" in a program that go build or go install made.
var linkedVersion, linkedCommit string

// builtVersion returns the version and the commit from which the program was built.
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
