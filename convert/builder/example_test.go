package builder_test

import (
	"fmt"
	"log"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/trace"
)

// place is the source of an element in the log.
type place struct{}

func (place) Locate(*trace.Event) (trace.Place, []byte) { return trace.Place{}, nil }

// A reader of a log builds elements with the attributes that their kinds have. A class is defined at its first use.
func ExampleBuilder() {
	b := builder.New(0, place{}, func(e *trace.Event) error {
		fmt.Printf("%v %q\n", e.Kind, e.Text(trace.AttrName)+e.Text(trace.AttrThreadName))
		return nil
	})
	class := b.Class(builder.Class{Name: "shop/Cache"})
	err := b.Element(trace.ThreadStart, 0).Number(trace.AttrThreadID, 1).Text(trace.AttrThreadName, "main").Put()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("class", class, "is defined once:", b.Class(builder.Class{Name: "shop/Cache"}) == class)
	// Output:
	// classDef "shop/Cache"
	// threadStart "main"
	// class 1 is defined once: true
}
