package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/trcx/trcx/dtd"
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
