package main

import (
	"context"
	"errors"
	"os"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/trcx/trcx/agent/listen"
	"github.com/trcx/trcx/agent/output"
	"github.com/trcx/trcx/convert"
)

// defaultConnections is the default limit of connected recorders.
const defaultConnections = 64

func listenCommand(env *environment) *cli.Command {
	return &cli.Command{
		Name:      "listen",
		Usage:     "receive the traces of recorders, each into its own file",
		UsageText: "trcx listen [--tcp HOST:PORT] [--unix PATH] [-o FOLDER|PATTERN]",
		Description: `Recorders send to it with the options tcp=HOST:PORT or unix=PATH. Without --tcp and --unix it listens at
` + output.DefaultAddress + `. Ctrl-C ends it; all files are then complete.

The name of a file may contain ` + listen.Placeholders + `.
A name that exists gets a number; nothing is overwritten. Names that end in .gz and .zst compress; a file can be read
while it is being written.

An address that other machines can reach needs a token, which recorders must have, too. It is read from a file
(--token-file) or the variable ` + output.TokenVariable +
			`. Token and trace are not encrypted: use a tunnel where others listen in.
A connection that has not shown the token within 2 seconds is closed, and the oldest of these if there are too many.

Exit status: 0 also when ended by Ctrl-C; with --once 1 if the trace is cut off, 3 if it could not be written.

Examples:
   trcx listen --unix trcx.sock --duration 1s                  ends by itself
   trcx listen --tcp 127.0.0.1:0 --duration 1s                 at a free port, which it prints
   trcx listen --unix trcx.sock -o '%h-%p.trcxml.gz' --max-size 2G --duration 1s`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "tcp", Usage: "listen at the address `HOST:PORT`",
				DefaultText: output.DefaultAddress + " without --unix"},
			&cli.StringFlag{Name: "unix", Usage: "listen at the Unix socket `PATH`, which only its owner may use"},
			&cli.StringFlag{Name: "output", Aliases: []string{"o"},
				Usage:       "write to files named by the `PATTERN`, or into this folder; only their owner may read them",
				DefaultText: listen.DefaultPattern},
			&cli.StringFlag{Name: "token",
				Usage: "refuse recorders that do not know the `TOKEN`; better not on a command line, where " +
					"others see it"},
			&cli.StringFlag{Name: "token-file", Usage: "read the token from `FILE`"},
			&cli.StringFlag{Name: "max-size",
				Usage: "end each file at this size in `BYTES`, such as 4G", DefaultText: "no limit"},
			atLeast(1, &cli.IntFlag{Name: "max-connections",
				Usage: "receive at most this `NUMBER` of traces at the same time", Value: defaultConnections}),
			durationFlag(),
			&cli.BoolFlag{Name: "once", Usage: "end when one trace has been received"},
			quietFlag("print errors only"),
		},
		Action: func(c *cli.Context) error { return env.listen(c) },
	}
}

func (env *environment) listen(c *cli.Context) error {
	options, err := listenOptions(c)
	if err != nil {
		return err
	}
	quiet := c.Bool("quiet")
	options.Log = func(line string, trouble bool) {
		if trouble || !quiet {
			env.print("%s", line)
		}
	}
	ctx, stop := context.WithCancel(c.Context)
	defer stop()
	if limit := durationOf(c); limit > 0 {
		defer time.AfterFunc(limit, stop).Stop()
	}
	// Ctrl-C ends listening, which is a success: closing the files may take longer than maxEnding. A second one
	// interrupts.
	env.passSignals(func(os.Signal) {
		env.passSignals(nil)
		stop()
	})
	server, err := listen.New(*options)
	switch {
	case errors.As(err, new(*listen.Unsafe)), errors.As(err, new(*listen.Invalid)):
		return usage("%v", err)
	case err != nil:
		return err
	}
	options.Log("listening at "+strings.Join(server.Addresses(), " and "), false)
	err = server.Serve(ctx)
	switch {
	case errors.Is(err, listen.ErrCutOff):
		return errFindings
	case err != nil:
		return errUnread // an output was not written, which has been printed
	}
	return nil
}

// listenOptions reads the flags.
func listenOptions(c *cli.Context) (*listen.Options, error) {
	if c.Args().Present() {
		return nil, usage("it reads no input; leave %s out, or name files by -o", c.Args().First())
	}
	o := &listen.Options{
		TCP: c.String("tcp"), Unix: c.String("unix"), Pattern: c.String("output"),
		MaxConnections: c.Int("max-connections"), Once: c.Bool("once"),
	}
	if o.TCP == "" && o.Unix == "" {
		o.TCP = output.DefaultAddress
	}
	if text := c.String("max-size"); text != "" {
		var ok bool
		if o.MaxSize, ok = parseSize(text); !ok || o.MaxSize < output.LeastSize {
			return nil,
				usage("--max-size: invalid value %q: want %d bytes or more, or a number with K, M, G or T", text,
					output.LeastSize)
		}
	}
	if o.Pattern == convert.Stdin {
		return nil, usage("traces cannot share the standard output; name a folder or a pattern with -o")
	}
	if err := listen.CheckPattern(o.Pattern); err != nil {
		return nil, usage("-o %s: %v", o.Pattern, err)
	}
	token, err := output.ReadToken(c.String("token"), c.String("token-file"))
	if _, unreadable := errors.AsType[*os.PathError](err); err != nil && !unreadable {
		return nil, usage("%v", err)
	}
	o.Token = token
	return o, err
}
