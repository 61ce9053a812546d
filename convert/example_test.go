package convert_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/enrich"
	"github.com/trcx/trcx/trace"
)

// Events iterates over the events of a trace or of another tool's log, in the order of the input.
func ExampleEvents() {
	file, err := os.Open("../testdata/recorded/warehouse-jdk17.trcxml")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	for e, err := range convert.Events(context.Background(), file, convert.Options{}) {
		if err != nil {
			log.Fatal(err)
		}
		if e.Kind == trace.MonContendedEnter {
			fmt.Println(e.Time, "thread", e.Thread(), "is blocked on", e.Object(trace.AttrObjIDRef))
		}
	}
	// Output:
	// 1795248554.303902433 thread 12 is blocked on 1013
	// 1795248554.324225203 thread 13 is blocked on 1013
	// 1795248554.344533687 thread 14 is blocked on 1013
	// 1795248554.682728569 thread 12 is blocked on 1013
}

// OpenInputs and Run read several files as recordings of one model: here two, each with its number.
func ExampleOpenInputs() {
	inputs, err := convert.OpenInputs([]string{
		"../testdata/recorded/warehouse-jdk17.trcxml", "../testdata/recorded/warehouse-jdk25.trcxml",
	}, os.Stdin, 0)
	if err != nil {
		log.Fatal(err)
	}
	defer inputs.Close()
	blocked := [2]int{}
	model := enrich.New(trace.SinkFunc(func(r trace.Record) error {
		if i, ok := r.(*trace.Interval); ok && i.Type == trace.WaitingForLock {
			blocked[i.Session]++
		}
		return nil
	}), enrich.Options{})
	if err := convert.Run(context.Background(), inputs.Documents, convert.Options{}, model); err != nil {
		log.Fatal(err)
	}
	fmt.Println("threads were blocked, in each file:", blocked)
	// Output: threads were blocked, in each file: [4 4]
}

// A trace that is cut off ends with an error, after the events that could be read.
func ExampleErrDamaged() {
	document := `<TRACE><threadStart threadId="1" time="1"/><threadEnd threadIdR`
	for e, err := range convert.Events(context.Background(), strings.NewReader(document), convert.Options{}) {
		var damage *convert.DamageError
		switch {
		case errors.As(err, &damage):
			for _, finding := range damage.Findings {
				fmt.Println(finding)
			}
		case err != nil:
			log.Fatal(err)
		default:
			fmt.Println(e.Kind)
		}
	}
	// Output:
	// TRACE
	// threadStart
	// 1:64: error: the input ends in the middle of a start tag; what is complete is used [truncated]
}

// An input of no known format is an error that says what its content looks like.
func ExampleUnknownFormat() {
	for _, err := range convert.Events(context.Background(), strings.NewReader("hello\n"), convert.Options{}) {
		var unknown *convert.UnknownFormat
		if errors.As(err, &unknown) {
			what, _, _ := strings.Cut(unknown.Reason, ";")
			fmt.Println(what)
		}
	}
	// Output: no known format: it begins with "hello\n"
}

// Model iterates over the computed model: who handed which lock to whom.
func ExampleModel() {
	file, err := os.Open("../testdata/recorded/warehouse-jdk17.trcxml")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	for r, err := range convert.Model(context.Background(), file, convert.Options{}) {
		if err != nil {
			log.Fatal(err)
		}
		if e, ok := r.(*trace.ModelEvent); ok && e.Type == trace.HandoffLock {
			fmt.Println(e.Thread.ID, "->", e.Other.ID, e.Class, e.Object)
		}
	}
	// Output:
	// 15 -> 14 Warehouse$Shelf 1013
	// 14 -> 13 Warehouse$Shelf 1013
	// 13 -> 12 Warehouse$Shelf 1013
	// 14 -> 12 Warehouse$Shelf 1013
}

// Options.Model adds what the model leaves out by default, here allocations.
func ExampleModel_allocations() {
	file, err := os.Open("../docs/testdata/allocations.trcxml")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	bytes := map[string]uint64{}
	options := convert.Options{Model: enrich.Options{Allocations: true}}
	for r, err := range convert.Model(context.Background(), file, options) {
		if err != nil {
			log.Fatal(err)
		}
		if a, ok := r.(*trace.Allocation); ok {
			bytes[a.Class] += a.Size
		}
	}
	fmt.Println(bytes)
	// Output: map[[B:6360 app/Order:432]
}
