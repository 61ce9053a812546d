package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/urfave/cli/v2"
)

func mcpCommand(env *environment) *cli.Command {
	return &cli.Command{
		Name:      "mcp",
		Usage:     "answer assistants, by the Model Context Protocol",
		UsageText: "trcx mcp [--allow-pid PID]… [--folder FOLDER]",
		Description: `Assistants start this command and ask it by its standard input and output. Its tools are why, stats, blame, path,
deadlocks and heap for files, and why and record for running JVMs, which they may only ask about if --allow-pid names them.
Answers are limited to ` + strconv.Itoa(maxAnswer>>10) + ` KiB. Nothing but the traces of record is written.

Examples:
   trcx mcp
   trcx mcp --allow-pid 4711 --folder traces`,
		Flags: []cli.Flag{
			&cli.IntSliceFlag{Name: "allow-pid", Usage: "allow to record the JVM of the process `PID`; may be repeated",
				DefaultText: "none"},
			&cli.StringFlag{Name: "folder", Usage: "write recordings into `FOLDER`", Value: "."},
			libraryFlag(),
		},
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return usage("name files in questions, not here: %s", c.Args().First())
			}
			return env.serveAssistant(c)
		},
	}
}

// maxAnswer limits an answer to an assistant, in bytes.
const maxAnswer = 32 << 10

// maxRecording limits a recording for an assistant.
const maxRecording = 10 * time.Minute

// tool is a command that assistants may use.
type tool struct {
	command, description string
	// input is the name of the argument with the file or process.
	input, inputDescription string
	// flags are the flags that it may have, besides the input.
	flags []string
}

const aFile = "the path of a trace, flight recording, thread dump or log"

var tools = []tool{
	{"why", "What is wrong, who and where, in at most 15 lines, the worst first. Ask this first.",
		"target", aFile + "; or the id of a process that the user allows, which is recorded for a few seconds",
		[]string{"for", "since", "until", "format"}},
	{"stats", "What kept threads waiting: by thread, pool, monitor, class, place in the program and owner.", "file", aFile,
		[]string{"since", "until", "thread", "class", "top", "format"}},
	{"blame", "Who kept the waiting threads waiting, over all waits.", "file", aFile,
		[]string{"by", "monitor", "thread", "since", "until", "top", "format"}},
	{"path", "The critical path: what the time of the whole run depended on.", "file", aFile,
		[]string{"thread", "what-if", "since", "until", "top", "format"}},
	{"deadlocks", "Which threads are deadlocked, and which locks are taken in different orders.", "file", aFile,
		[]string{"all", "max", "format"}},
	{"heap", "What takes the memory and what keeps it there, of a heap dump; who allocates, of a recording with allocations.",
		"file", "the path of a heap dump, or of a trace with allocations",
		[]string{"by", "growth", "dominators", "retained-by-class", "top", "format"}},
	{"record", "Records a running JVM that the user allows, and answers with the name of the trace, for the other tools.",
		"pid", "the id of the process", []string{"duration"}},
}

// assistant answers an assistant's questions, one at a time.
type assistant struct {
	sync.Mutex
	allowed         []int
	folder, library string
}

// serveAssistant answers until the standard input ends.
func (env *environment) serveAssistant(c *cli.Context) error {
	version, _ := builtVersion()
	server := mcp.NewServer(&mcp.Implementation{Name: "trcx", Version: version}, nil)
	a := &assistant{allowed: c.IntSlice("allow-pid"), folder: c.String("folder"), library: c.String("library")}
	for i := range tools {
		t := &tools[i]
		server.AddTool(&mcp.Tool{Name: t.command, Description: t.description, InputSchema: t.schema(),
			Annotations: &mcp.ToolAnnotations{ReadOnlyHint: t.command != "record", DestructiveHint: new(bool),
				OpenWorldHint: new(bool)}},
			func(ctx context.Context, request *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				text, failed := a.answer(ctx, t, request.Params.Arguments)
				return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}, IsError: failed}, nil
			})
	}
	stdio := &mcp.IOTransport{Reader: io.NopCloser(env.stdin), Writer: unclosed{env.stdout}}
	if err := server.Run(c.Context, patient{stdio}); err != nil {
		return fmt.Errorf("the standard input is not as the Model Context Protocol has it: %w", err)
	}
	return nil
}

// patient is a Transport that ends only when all questions are answered, as the input of a pipe ends before that.
type patient struct{ mcp.Transport }

func (p patient) Connect(ctx context.Context) (mcp.Connection, error) {
	connection, err := p.Transport.Connect(ctx)
	return &patientConnection{Connection: connection, open: map[jsonrpc.ID]bool{}}, err
}

type patientConnection struct {
	mcp.Connection
	mu         sync.Mutex
	open       map[jsonrpc.ID]bool // the unanswered questions
	unanswered sync.WaitGroup
}

func (c *patientConnection) Read(ctx context.Context) (jsonrpc.Message, error) {
	message, err := c.Connection.Read(ctx)
	if request, ok := message.(*jsonrpc.Request); ok && request.IsCall() {
		c.mu.Lock()
		if !c.open[request.ID] {
			c.open[request.ID] = true
			c.unanswered.Add(1)
		}
		c.mu.Unlock()
	}
	if errors.Is(err, io.EOF) {
		c.unanswered.Wait()
	}
	return message, err
}

func (c *patientConnection) Write(ctx context.Context, message jsonrpc.Message) error {
	err := c.Connection.Write(ctx, message)
	if response, ok := message.(*jsonrpc.Response); ok {
		c.mu.Lock()
		if c.open[response.ID] {
			delete(c.open, response.ID)
			c.unanswered.Done()
		}
		c.mu.Unlock()
	}
	return err
}

// unclosed is a Writer that cannot be closed.
type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }

// schema describes the arguments of the tool by the help of its command.
func (t *tool) schema() map[string]any {
	properties := map[string]any{t.input: map[string]any{"type": "string", "description": t.inputDescription}}
	for _, flag := range t.cliFlags() {
		kind := "string"
		switch flag.(type) {
		case *cli.BoolFlag:
			kind = "boolean"
		case *cli.IntFlag:
			kind = "integer"
		}
		usage := flag.(cli.DocGenerationFlag).GetUsage()
		if flag.Names()[0] == "format" {
			properties["format"] = map[string]any{"type": "string", "enum": []string{"text", "json"}}
			continue
		}
		properties[flag.Names()[0]] = map[string]any{"type": kind, "description": strings.ReplaceAll(usage, "`", "")}
	}
	return map[string]any{"type": "object", "properties": properties, "required": []string{t.input},
		"additionalProperties": false}
}

// cliFlags are the flags of the command that the tool may have.
func (t *tool) cliFlags() (flags []cli.Flag) {
	for _, command := range commands(&environment{}) {
		if command.Name == t.commandName() {
			flags = command.Flags
		}
	}
	return slices.DeleteFunc(flags, func(f cli.Flag) bool { return !slices.Contains(t.flags, f.Names()[0]) })
}

// commandName returns the name of the tool's command on the command line.
func (t *tool) commandName() string {
	if t.command == "record" {
		return "attach" // for a running JVM
	}
	return t.command
}

// answer runs the tool's command, and returns its output.
func (a *assistant) answer(ctx context.Context, t *tool, arguments json.RawMessage) (text string, failed bool) {
	args, err := a.commandLine(t, arguments)
	if err != nil {
		return err.Error(), true
	}
	a.Lock()
	defer a.Unlock()
	var out, messages bounded
	env := &environment{stdin: strings.NewReader(""), stdout: &out, stderr: &messages}
	status := env.exit(ctx, env.run(ctx, args))
	return out.text() + messages.text(), status != exitDone && status != exitFindings
}

// commandLine returns the command line for a question.
func (a *assistant) commandLine(t *tool, arguments json.RawMessage) ([]string, error) {
	var values map[string]any
	decoder := json.NewDecoder(bytes.NewReader(arguments))
	decoder.UseNumber()
	if err := decoder.Decode(&values); err != nil {
		return nil, fmt.Errorf("the arguments of %s are no object of JSON", t.command)
	}
	input := fmt.Sprint(values[t.input])
	switch {
	case values[t.input] == nil || input == "":
		return nil, fmt.Errorf("%s needs %s: %s", t.command, t.input, t.inputDescription)
	case input == "-":
		return nil, fmt.Errorf("there is no standard input to read; name a file")
	}
	delete(values, t.input)
	args := []string{"trcx", t.commandName()}
	if t.command == "record" || t.command == "why" && isProcess(input) {
		if pid, err := strconv.Atoi(input); err != nil || !slices.Contains(a.allowed, pid) {
			return nil, fmt.Errorf("process %s is not allowed; the user allows it by trcx mcp --allow-pid %[1]s", input)
		}
		if a.library != "" {
			args = append(args, "--library", a.library)
		}
	}
	for _, flag := range t.flags {
		switch value := values[flag].(type) {
		case nil, bool:
			if value == true {
				args = append(args, "--"+flag)
			}
		default:
			args = append(args, "--"+flag+"="+fmt.Sprint(value))
		}
		if length, err := time.ParseDuration(fmt.Sprint(values[flag])); err == nil && length > maxRecording &&
			(flag == "for" || flag == "duration") {
			return nil, fmt.Errorf("%s: at most %v are recorded", flag, maxRecording)
		}
		delete(values, flag)
	}
	for name := range values {
		return nil, fmt.Errorf("%s has no argument %q; it has %s", t.command, name,
			strings.Join(append([]string{t.input}, t.flags...), ", "))
	}
	if t.command == "record" {
		return a.recording(args, input)
	}
	return append(args, "--", input), nil
}

// recording completes the command line of a recording with a duration and a new file for the trace.
func (a *assistant) recording(args []string, pid string) ([]string, error) {
	if !strings.HasPrefix(args[len(args)-1], "--duration=") {
		return nil, fmt.Errorf("record needs a duration of up to %v, such as 10s", maxRecording)
	}
	name := fmt.Sprintf("trace-%s-%s%s", pid, time.Now().UTC().Format("20060102T150405.000"), traceEnding)
	return append(args, "-o", filepath.Join(a.folder, name), "--", pid), nil
}

// bounded is a text cut off at maxAnswer.
type bounded struct {
	bytes.Buffer
	cut int
}

func (b *bounded) Write(p []byte) (int, error) {
	kept := min(len(p), max(0, maxAnswer-b.Len()))
	b.Buffer.Write(p[:kept])
	b.cut += len(p) - kept
	return len(p), nil
}

// text returns the text, and how much was cut.
func (b *bounded) text() string {
	if b.cut == 0 {
		return b.String()
	}
	return strings.ToValidUTF8(b.String(), "") + fmt.Sprintf("\n(%d bytes were cut; ask for less, such as by top, since or until)\n",
		b.cut)
}
