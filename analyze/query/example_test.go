package query_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/trcx/trcx/analyze/query"
	"github.com/trcx/trcx/convert"
)

// A Finder evaluates an XPath expression on one element after the other.
func Example() {
	document := `<TRACE>
<monWait threadIdRef="1" time="2.0" objIdRef="11" timeout="0"/>
<monWait threadIdRef="1" time="3.0" objIdRef="11" timeout="20"/>
</TRACE>`
	selected, err := query.Compile("//monWait[@timeout > 0]/@time")
	if err != nil {
		log.Fatal(err)
	}
	finder := query.NewFinder(selected, func(r *query.Result) error {
		fmt.Println(r.Attribute.Name.Local, r.Attribute.Value)
		return nil
	})
	for e, err := range convert.Events(context.Background(), strings.NewReader(document), convert.Options{}) {
		if err != nil {
			log.Fatal(err)
		}
		if err := finder.Put(e); err != nil {
			log.Fatal(err)
		}
	}
	// Output:
	// time 3.0
}
