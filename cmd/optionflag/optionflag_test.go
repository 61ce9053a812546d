package optionflag_test

import (
	"fmt"

	"github.com/trcx/trcx/cmd/optionflag"
	"github.com/trcx/trcx/trace"
)

// Only the option is replaced, not what the input says in its place.
func ExampleInFinding() {
	found := trace.Finding{Message: "Options.Format.log is no trace; Options.Format overrides this", Option: "Options.Format"}
	fmt.Println(optionflag.InFinding(found, "").Message)
	fmt.Println(optionflag.InFinding(found, "trcx stats --save with ").Message)
	found.Option = ""
	fmt.Println(optionflag.InFinding(found, "").Message == found.Message)
	// Output:
	// Options.Format.log is no trace; --from overrides this
	// Options.Format.log is no trace; trcx stats --save with --from overrides this
	// true
}
