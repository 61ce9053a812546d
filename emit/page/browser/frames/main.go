// Frames measures how smoothly the page of trcx report and trcx serve moves, in headless Chromium without a graphics
// processor, at 1600 by 900 pixels.
//
//	go run ./frames [-name TEXT] [-only TEXT] [-parts] [-profile FOLDER] ADDRESS
//
// It prints when the first picture was complete, counted from navigation, and how long the main thread was busy for
// each frame of some gestures. A frame is everything that the main thread did since the previous frame: input, timers,
// arriving answers, garbage collection, then the animation frame with its script, style, layout, paint and commit; the
// work of other threads (the compositor, the pixels) is not included. The times are from Chromium's own tracing of the
// tasks of the renderer's main thread. CPU leaves out the time in which the machine gave the thread no processor.
//
// Then it prints how long single actions take, such as sorting a table or a search: from the click until the answer is
// drawn and nothing is pending.
//
// A missed goal is a result, not a failure. An address without a timeline is a failure.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
)

func main() {
	if err := run(os.Args[1:]); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "frames:", err)
		os.Exit(1)
	}
}

// limit is how long a frame of pan and zoom may take at the 95th percentile, in milliseconds.
const limit = 16

func run(args []string) error {
	flags := flag.NewFlagSet("frames", flag.ContinueOnError)
	name := flags.String("name", "page", "what the page is called in what is printed")
	first := flags.Float64("first", 2, "what is wanted for the first picture, in seconds")
	profiles := flags.String("profile", "", "keep the profile of each gesture's script in the folder")
	parts := flags.Bool("parts", false, "say what took how long in the frames of each gesture")
	only := flags.String("only", "", "measure only gestures that have the text in their names; answers: only actions")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 {
		return errors.New("name the address of one page")
	}
	p, err := open(flags.Arg(0), *profiles)
	if err != nil {
		return err
	}
	defer p.close()
	p.parts = *parts
	var shown, drawn float64
	load := func() (err error) {
		shown, drawn, err = p.firstPicture()
		return err
	}
	if err := p.profiled("first picture", load); err != nil {
		return err
	}
	fmt.Printf("%s: lanes complete %.2f s after navigation, all complete after %.2f s; wanted: %.1f s: %s\n", *name,
		shown/1000, drawn/1000, *first, verdict(drawn/1000 <= *first))
	fmt.Printf("  %-34s %6s  %21s  %21s\n", "frame on the main thread, ms", "frames", "p50   p95   max",
		"CPU p50   p95   max")
	for _, g := range gestures {
		if !strings.Contains(g.name, *only) {
			continue
		}
		if err := p.measure(g); err != nil {
			return fmt.Errorf("%s: %w", g.name, err)
		}
	}
	fmt.Println("  from a click to its picture, ms")
	for _, a := range answers {
		if !strings.Contains(a.name, *only) && *only != "answers" {
			continue
		}
		if err := p.await(a); err != nil {
			return fmt.Errorf("%s: %w", a.name, err)
		}
	}
	return nil
}

func verdict(good bool) string {
	if good {
		return "reached"
	}
	return "MISSED"
}
