package options

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"
)

// with is defaultOptions, changed.
func with(change func(*Options)) Options {
	o := defaultOptions()
	change(&o)
	return o
}

func TestShortForm(t *testing.T) {
	for text, want := range map[string]Options{
		"": defaultOptions(),
		"file=app.trcxml,stack-depth=8,filters=f.txt,no-contanalysis,delay=5s,duration=1m,max-size=2G": with(
			func(o *Options) {
				o.Output.Address, o.StackDepth, o.FilterFile, o.Contanalysis = "app.trcxml", 8, "f.txt", false
				o.Delay, o.Duration, o.MaxSize = 5*time.Second, time.Minute, 2<<30
			}),
		"file=-":                 with(func(o *Options) { o.Output = Output{Kind: Stdout} }),
		"file=./-":               with(func(o *Options) { o.Output.Address = "./-" }),
		`file=a\,b\\c\;d.trcxml`: with(func(o *Options) { o.Output.Address = `a,b\c;d.trcxml` }),
		"file=a=b;c":             with(func(o *Options) { o.Output.Address = "a=b;c" }),
		"tcp=host:10006,token=a=b": with(func(o *Options) {
			o.Output = Output{Kind: TCP, Address: "host:10006",
				Token: "a=b"}
		}),
		"token-file=/run/t,tcp=[::1]:1": with(func(o *Options) {
			o.Output = Output{Kind: TCP, Address: "[::1]:1",
				TokenFile: "/run/t"}
		}),
		"unix=/run/trcx": with(func(o *Options) {
			o.Output = Output{Kind: Unix, Address: "/run/trcx"}
		}),
		"no-owner":                      with(func(o *Options) { o.Owner = false }),
		"owner-period=5ms":              with(func(o *Options) { o.OwnerPeriod = 5 * time.Millisecond }),
		"owner-period=0":                with(func(o *Options) { o.OwnerPeriod = 0 }),
		"parks=true":                    with(func(o *Options) { o.Parks = true }),
		"no-parks":                      with(func(o *Options) { o.Parks = false }),
		"no-io":                         with(func(o *Options) { o.IO = false }),
		"wait-sets":                     with(func(o *Options) { o.WaitSets = true }),
		"io=true":                       defaultOptions(),
		"owner=false,contanalysis=true": with(func(o *Options) { o.Owner = false }),
		"delay=1.5,duration=90": with(func(o *Options) {
			o.Delay, o.Duration = 1500*time.Millisecond,
				90*time.Second
		}),
		"delay=0,stack-depth=8":      defaultOptions(),
		"stack-depth=0":              with(func(o *Options) { o.StackDepth = 0 }),
		"max-size=10k":               with(func(o *Options) { o.MaxSize = 10 << 10 }),
		"max-size=8388607T":          with(func(o *Options) { o.MaxSize = 8388607 << 40 }),
		"max-size=1000":              with(func(o *Options) { o.MaxSize = 1000 }),
		"ring=3,stack-depth=512":     with(func(o *Options) { o.Ring, o.StackDepth = 3, 512 }),
		"profile=opts":               with(func(o *Options) { o.ProfileFile = "opts" }),
		"stop":                       with(func(o *Options) { o.Stop = true }),
		"ready":                      with(func(o *Options) { o.Ready = true }),
		"summary":                    with(func(o *Options) { o.Summary = true }),
		"help":                       with(func(o *Options) { o.Help = true }),
		"file=%h-%p-%t-100%%.trcxml": with(func(o *Options) { o.Output.Address = "%h-%p-%t-100%%.trcxml" }),
		"file=JPIAgent:server=standalone;x": with(func(o *Options) {
			o.Output.Address = "JPIAgent:server=standalone;x"
		}),
	} {
		checkParsed(t, text, want)
	}
}

func TestTPTPForm(t *testing.T) {
	plain := func(change func(*Options)) Options {
		return with(func(o *Options) { o.Contanalysis = false; change(o) })
	}
	for text, want := range map[string]Options{
		"JPIAgent:server=standalone,file=x.trcxml,filters=f.txt;ThreadProf:contanalysis=true": with(func(o *Options) {
			o.Output.Address, o.FilterFile = "x.trcxml", "f.txt"
		}),
		"JPIAgent:server=standalone;ThreadProf":                       plain(func(*Options) {}),
		"JPIAgent;HeapProf":                                           plain(func(o *Options) { o.Heap = Sampled }),
		"JPIAgent;HeapProf:allocsites=true":                           plain(func(o *Options) { o.Heap = Full }),
		"JPIAgent;ThreadProf;HeapProf:allocsites=false":               plain(func(o *Options) { o.Heap = Sampled }),
		"JPIAgent;ThreadProf":                                         plain(func(*Options) {}),
		"JPIAgent:;ThreadProf:;":                                      plain(func(*Options) {}),
		"JPIAgent: server=standalone ; ThreadProf ":                   plain(func(*Options) {}),
		"JPIAgent:profile=o,format=xml;ThreadProf:contanalysis=false": plain(func(o *Options) { o.ProfileFile = "o" }),
		"JPIAgent:help":                                               plain(func(o *Options) { o.Help = true }),
		"JPIAgent;ThreadProf:help":                                    plain(func(o *Options) { o.Help = true }),
		`JPIAgent:file=a\;b\,c:d;ThreadProf`: plain(func(o *Options) {
			o.Output.Address = "a;b,c:d"
		}),
		"JPIAgent:file=%p.trcxml.zst;ThreadProf": plain(func(o *Options) { o.Output.Address = "%p.trcxml.zst" }),
	} {
		checkParsed(t, text, want)
	}
}

func checkParsed(t *testing.T, text string, want Options) {
	t.Helper()
	want.Text = withoutToken(text)
	got, err := Parse(text)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%q: got %#v, %v\nwant %#v", text, got, err, want)
	}
	checkRoundTrip(t, want)
}

// checkRoundTrip proves that String loses nothing.
func checkRoundTrip(t *testing.T, o Options) {
	t.Helper()
	again, err := Parse(o.String())
	again.Text = o.Text
	if err != nil || !reflect.DeepEqual(again, o) {
		t.Errorf("%q is parsed as %#v, %v\nwant %#v", o.String(), again, err, o)
	}
}

// TestErrors proves that errors say what is wrong and what would be right.
func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		"stackdepth=8":                      `there is no option "stackdepth"; did you mean stack-depth?`,
		"STACK_DEPTH=8":                     `there is no option "STACK_DEPTH"; did you mean stack-depth?`,
		"depth=8":                           `there is no option "depth"; did you mean stack-depth?`,
		"filter=f":                          `there is no option "filter"; did you mean filters?`,
		"size=5M":                           `there is no option "size"; did you mean min-size?`,
		"fiel=x":                            `did you mean file?`,
		"file":                              "file needs a value: file=PATH",
		"file=":                             "file needs a value: file=PATH",
		"no-owner=true":                     "no-owner takes no value",
		"file=a,b.trcxml":                   `there is no option "b.trcxml", only file, tcp, unix, token, token-file`,
		"file=a,,no-owner":                  "an option is missing between two commas",
		"file=a,":                           "an option is missing between two commas, or after the last",
		"file=a,file=b":                     "file is given twice",
		"file=a,tcp=h:1":                    "file and tcp exclude each other",
		"token=a,token-file=b,tcp=h:1":      "token and token-file exclude each other",
		"contanalysis=true,no-contanalysis": "contanalysis and no-contanalysis exclude each other",
		`file=C:\trace`:                     `file="C:\trace": a backslash in a value is written \\`,
		`file=a\`:                           `a backslash in a value is written \\`,
		"file=a\x00b":                       "a zero byte cannot be part of a value",
		"file=100%":                         `file="100%": "%" is not a placeholder: want %p (the process)`,
		"file=%d.trcxml":                    `"%d" is not a placeholder`,
		"token=a":                           "a token is for a listener: it needs tcp=HOST:PORT or unix=PATH",
		"tcp=host":                          `tcp="host": want a host and a port from 1 to 65535, such as localhost:1`,
		"tcp=:10006":                        "a host and a port",
		"tcp=host:0":                        "a host and a port",
		"tcp=host:65536":                    "a host and a port",
		"tcp=::1:5":                         "a host and a port",
		"unix=/" + strings.Repeat("x", 107): "the path of a socket has at most 107 bytes, this one has 108",
		"stack-depth=513":                   `stack-depth="513": want a whole number from 0 to 512`,
		"stack-depth=-1":                    "want a whole number from 0 to 512",
		"stack-depth=all":                   "want a whole number from 0 to 512",
		"ring=2":                            "want a whole number of 3 or more",
		"delay=5 s":                         `delay="5 s": want a time, such as 500ms`,
		"delay=5m3":                         "want a time",
		"delay=-5s":                         "a time cannot be negative",
		"delay=.":                           "want a time",
		"duration=0":                        `duration="0": 0 is too short`,
		"max-size=0":                        "want a size above 0",
		"max-size=1.5G":                     "want a size above 0",
		"max-size=8388608T":                 "want a size above 0",
		"max-size=-1":                       "want a size above 0",
		"max-size=5GB":                      "such as 500M",
		"dump-on-exit=a.bin":                `dump-on-exit="a.bin": want a name that ends with .hprof`,
		"heap=all":                          `heap="all": want sampled or full`,
		"heap":                              "heap needs a value: heap=sampled|full",
		"owner=yes":                         `owner="yes": want true or false`,
		"owner-period=10us":                 `owner-period="10us": want 0 or a time of 1ms or more`,
		"owner-period=often":                "want a time, such as 500ms",
		"stop,file=x":                       "stop ends a running recording; no other option is allowed with it",
		"ready,file=x": "ready waits for a recording that was requested before; no other " +
			"option is allowed",
		"stop,ready":    "no other option is allowed",
		"summary,stop":  "no other option is allowed",
		"no-owner,stop": "no other option is allowed",

		"JPIAgent:server=enabled;ThreadProf":    `server="enabled": an agent controller is not supported; write server=`,
		"JPIAgent:server=controlled;ThreadProf": "trcx attach PID",
		"JPIAgent:server=alone;ThreadProf":      "want standalone",
		"JPIAgent:format=binary;ThreadProf":     `format="binary": traces are written as XML`,
		"JPIAgent:format=json;ThreadProf":       "want xml",
		"JPIAgent:server=standalone,file=x": "JPIAgent has no profiler: add ;ThreadProf, ;HeapProf or ;CGProf (the ; " +
			"must be quoted",
		"JPIAgent":                                 "JPIAgent has no profiler",
		"JPIAgent;":                                "JPIAgent has no profiler",
		"JPIAgent:stack-depth=8;ThreadProf":        `JPIAgent has no option "stack-depth", only server, file`,
		"JPIAgent:sever=standalone;ThreadProf":     `JPIAgent has no option "sever"; did you mean server?`,
		"JPIAgent;ThreadProf:contanalisis=true":    `ThreadProf has no option "contanalisis"; did you mean contanalysis?`,
		"JPIAgent;ThreadProf:contanalysis=1":       "want true or false",
		"JPIAgent;ThreadProf;ThreadProf":           "ThreadProf is given twice",
		"JPIAgent;CGProf:execdetails=all":          "want true or false",
		"exec=all":                                 "want coverage, counts, aggregated, full or sampled",
		"exec=counts,auto-tune":                    "auto-tune leaves methods out of the tree of calls: it needs exec=aggregated",
		"exec=sampled,min-size=8":                  "min-size is about calls of methods, and exec=sampled records none",
		"exec=counts,interval=5ms":                 "it needs exec=sampled or exec=aggregated",
		"exec=sampled,interval=1500us":             `interval="1500us": want whole milliseconds, such as 10ms`,
		"exec=sampled,interval=0":                  "want whole milliseconds, such as 10ms",
		"min-size=8":                               "min-size and max-nodes are about calls of methods",
		"exec=counts,min-size=-1":                  "want a whole number from 0 to 65535",
		"JPIAgent;HeapProf;HeapProf":               "HeapProf is given twice",
		"JPIAgent;HeapProf:allocsites=all":         `allocsites="all": want true or false`,
		"JPIAgent;HeapProf:contanalysis=true":      "HeapProf has no option",
		"JPIAgent;FooProf":                         `there is no profiler "FooProf", only ThreadProf`,
		"ThreadProf:contanalysis=true":             `TPTP's form begins with JPIAgent, not "ThreadProf"`,
		"CGProf":                                   "TPTP's form begins with JPIAgent",
		"JPIBootLoader=JPIAgent:file=x;ThreadProf": "TPTP's form begins with JPIAgent",
		"jpiagent:server=standalone;ThreadProf":    "TPTP's form begins with JPIAgent",
	} {
		o, err := Parse(text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: the error is %v, want %s", text, err, want)
			continue
		}
		checkMessage(t, text, err)
		if !reflect.DeepEqual(o, Options{}) {
			t.Errorf("%q: options with an error: %#v", text, o)
		}
	}
}

// checkMessage proves that an error is one line of limited length.
func checkMessage(t *testing.T, text string, err error) {
	t.Helper()
	if message := err.Error(); strings.ContainsAny(message, "\n\r\x00") || len(message) > 600 || message == "" {
		t.Errorf("%q: the error is not one line: %q", text, message)
	}
}

// TestTokensAreNotShown proves that neither Text nor an error contains a token.
func TestTokensAreNotShown(t *testing.T) {
	o, err := Parse(`token=hush\,hush,tcp=h:1`)
	if err != nil || o.Output.Token != "hush,hush" || o.Text != "token=***,tcp=h:1" {
		t.Errorf("got %#v, %v", o, err)
	}
	for _, text := range []string{
		"token=hush", `token=hush\`, "token=hu\x01sh", "token=a,hush", "token=a,hush=b", "token=a,token=hush",
		"file=x,token=hush", "token-file=a,token=hush",
		"JPIAgent:token=hush;ThreadProf", "stop,tcp=h:1,token=hush", "tcp=h,token=hush", `token=\hush`,
	} {
		if o, err := Parse(text); err == nil || strings.Contains(err.Error(), "hush") ||
			strings.Contains(o.Text, "hush") {
			t.Errorf("%q: %v, %q", text, err, o.Text)
		}
	}
}

// random returns options with some fields set at random.
func random(r *rand.Rand) Options {
	o := defaultOptions()
	maybe := func(set func()) {
		if r.IntN(2) == 0 {
			set()
		}
	}
	value := func() string {
		const letters = `a,;\=:%%- "é'` + "\n\t\xFF"
		b := []byte("x")
		for range r.IntN(12) {
			b = append(b, letters[r.IntN(len(letters))])
		}
		return string(b)
	}
	name := func() string { return strings.ReplaceAll(value(), "%", "%p") }
	maybe(func() { o.Output.Address = name() })
	maybe(func() {
		o.Output = []Output{{Kind: Stdout}, {Kind: TCP, Address: "[::1]:80"}, {Kind: Unix, Address: value()}}[r.IntN(3)]
	})
	if o.Output.Kind == TCP || o.Output.Kind == Unix {
		maybe(func() { o.Output.Token = "t,\\;=" + string(rune('a'+r.IntN(26))) })
		if o.Output.Token == "" {
			maybe(func() { o.Output.TokenFile = value() })
		}
	}
	maybe(func() { o.Contanalysis = false })
	maybe(func() { o.Owner = false })
	maybe(func() { o.OwnerPeriod = time.Duration(r.IntN(2)) * time.Duration(1+r.IntN(1e3)) * time.Millisecond })
	maybe(func() { o.StackDepth = r.IntN(maxStackDepth + 1) })
	maybe(func() { o.FilterFile = value() })
	maybe(func() { o.ProfileFile = value() })
	maybe(func() { o.Delay = time.Duration(r.Int64N(1 << (1 + r.IntN(62)))) })
	maybe(func() { o.Duration = 1 + time.Duration(r.Int64N(1<<(1+r.IntN(62)))) })
	maybe(func() { o.MaxSize = 1 + r.Int64N(1<<(1+r.IntN(62))) })
	maybe(func() { o.MaxSize = 1 << r.IntN(63) })
	maybe(func() { o.Parks = !o.Parks })
	maybe(func() { o.IO = !o.IO })
	maybe(func() { o.WaitSets = true })
	maybe(func() { o.Heap = Heap(r.IntN(3)) })
	maybe(func() { o.Exec = Exec(1 + r.IntN(5)) })
	if o.Exec == SampledMethods {
		o.Interval = DefaultInterval
		maybe(func() { o.Interval = time.Duration(1+r.IntN(100)) * time.Millisecond })
		maybe(func() { o.SampleFile, o.Ring = value(), 3 })
	}
	if o.Exec != NoExec {
		if o.Exec != SampledMethods {
			maybe(func() { o.MinSize = r.IntN(100) })
		}
		maybe(func() { o.MaxNodes = 1 + r.IntN(1e6) })
		maybe(func() { o.AutoTune = o.Exec == Aggregated })
	}
	if o.Exec == Aggregated {
		maybe(func() { o.Interval = time.Duration(1+r.IntN(100)) * time.Millisecond })
	}
	maybe(func() { o.DumpOnExit = "at, exit.hprof" })
	maybe(func() { o.Ring = 3 + r.IntN(1000) })
	maybe(func() { o.Help = true })
	return o
}

// TestStringIsParsed proves that Parse returns the same options for String's result.
func TestStringIsParsed(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	set := map[string]bool{}
	for range 5000 {
		o := random(r)
		checkRoundTrip(t, o)
		noteSet(set, o)
		if t.Failed() {
			return
		}
	}
	for i, kind := 0, reflect.TypeFor[Options](); i < kind.NumField(); i++ {
		switch field := kind.Field(i).Name; field {
		case "Text", "Filters", "Profile", "Folder", "Stop", "Ready", "Summary": // not in String, or the only option in it
		default:
			if !set[field] {
				t.Errorf("no options had another %s than by default", field)
			}
		}
	}
}

// noteSet records the fields that differ from defaultOptions.
func noteSet(set map[string]bool, o Options) {
	got, def := reflect.ValueOf(o), reflect.ValueOf(defaultOptions())
	for i := range got.NumField() {
		if !reflect.DeepEqual(got.Field(i).Interface(), def.Field(i).Interface()) {
			set[got.Type().Field(i).Name] = true
		}
	}
}

// FuzzParse proves that any text is parsed or rejected in one line, and that String keeps what was parsed.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"", "stop", "file=app.trcxml,stack-depth=8,filters=f.txt,no-contanalysis,delay=5s,duration=1m,max-size=2G",
		`file=a\,b\\c`,
		"tcp=h:1,token=hush", "JPIAgent:server=standalone,file=x;ThreadProf:contanalysis=true", "JPIAgent;CGProf",
		"file=%p%t%h%%", "delay=1h2m3.5s",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		o, err := Parse(text)
		if err != nil {
			checkMessage(t, text, err)
			return
		}
		checkRoundTrip(t, o)
		if o.Output.Token != "" && len(o.Output.Token) > 8 && strings.Contains(o.Text, o.Output.Token) &&
			strings.Count(text, o.Output.Token) == 1 {
			t.Errorf("%q: the token is in %q", text, o.Text)
		}
		name := o.Output.FileName(1, time.Unix(0, 0), "host")
		if o.Output.Kind == File && name == "" {
			t.Errorf("%q: the file has no name", text)
		}
	})
}

// TestUsage proves that the help lists every option.
func TestUsage(t *testing.T) {
	usage := Usage()
	for _, form := range []syntax{shortSyntax, jpiAgent, threadProf} {
		for _, option := range form.options {
			if option.about == "" || !strings.Contains(usage, "\n  "+option.String()+" ") {
				t.Errorf("the help does not name %s", &option)
			}
		}
	}
}

func TestFileName(t *testing.T) {
	now := time.Date(2026, 3, 4, 5, 6, 7, 0, time.FixedZone("east", 2*3600))
	for pattern, want := range map[string]string{
		"app.trcxml":   "app.trcxml",
		"%h/%p-%t.gz":  "ho_st/42-20260304-030607.gz",
		"100%%p%%%p%%": "100%p%42%",
		DefaultFile:    "trace.trcxml",
		"%%%%h":        "%%h",
	} {
		o := Output{Address: pattern}
		if got := o.FileName(42, now, "ho/st"); got != want {
			t.Errorf("%s: got %s, want %s", pattern, got, want)
		}
	}
}
