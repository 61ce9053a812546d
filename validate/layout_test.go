package validate_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/trcx/trcx/bench/synthetic"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/validate"
)

// TestLayoutsChangeNothing changes digits of a trace at random to cause many findings. Elements that share layouts must
// have the same findings as copies that do not.
func TestLayoutsChangeNothing(t *testing.T) {
	var clean bytes.Buffer
	if err := synthetic.Generate(&clean, 1<<20, 3, synthetic.Style{}); err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(6) {
		document := bytes.Clone(clean.Bytes())
		random := rand.New(rand.NewPCG(seed, 11))
		for i := 2000; i < len(document); i++ {
			if c := document[i]; c >= '0' && c <= '9' && random.IntN(700) == 0 {
				document[i] = "0123456789-.x"[random.IntN(13)]
			}
		}
		shared := 0
		together := found(t, document, func(e *trace.Event) *trace.Event {
			if e.Layout().Decimal() != 0 {
				shared++
			}
			return e
		})
		var copied trace.EventBuilder
		apart := found(t, document, func(e *trace.Event) *trace.Event {
			copied.Copy(e)
			return &copied.Event
		})
		if !reflect.DeepEqual(together, apart) {
			t.Errorf("seed %d: together %v, apart %v", seed, together, apart)
		}
		if together.Errors < 50 || together.Warnings < 50 || shared < 5000 {
			t.Errorf("seed %d: %d errors, %d warnings, %d elements that share layouts: that tests little", seed,
				together.Errors, together.Warnings, shared)
		}
	}
}

// found returns the findings of the rules in a document after changing each element.
func found(t *testing.T, document []byte, change func(*trace.Event) *trace.Event) *validate.Result {
	findings := validate.NewFindings(validate.RuleSelection{}, 1000)
	c := validate.NewChecker(func(int) *validate.Findings { return findings })
	readBy(t, c, 0, document, findings.Add, func(e *trace.Event) error { return c.Put(change(e)) })
	result := findings.Result()
	for i := range result.Findings {
		result.Findings[i].Message = fmt.Sprint(result.Findings[i].Place.Offset, result.Findings[i].Message)
	}
	return result
}
