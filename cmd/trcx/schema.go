package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/validate/schema"
)

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
