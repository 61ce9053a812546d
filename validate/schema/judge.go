package schema

import (
	"cmp"
	"errors"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/trcx/trcx/trace"
)

// judge validates a piece against its schema. It reports a finding for each violated keyword, in the order of their
// places. An unread piece was reported before.
func (c *checker) judge(d *demands, v value) error {
	if v.kind == unread {
		return nil
	}
	var found []trace.Finding
	plain := v.plain()
	for _, schema := range d.of(v, nil) {
		err := schema.Validate(plain)
		var invalid *jsonschema.ValidationError
		if !errors.As(err, &invalid) && err != nil {
			return err
		}
		found = c.violations(found, v, invalid)
	}
	slices.SortFunc(found, func(a, b trace.Finding) int {
		return cmp.Or(cmp.Compare(a.Place.Offset, b.Place.Offset), cmp.Compare(a.Message, b.Message))
	})
	for _, finding := range slices.Compact(found) { // two schemas may have the same keyword
		c.report(finding)
	}
	return nil
}

// violations appends the findings of a validator's error, which may be nil.
func (c *checker) violations(found []trace.Finding, v value, e *jsonschema.ValidationError) []trace.Finding {
	switch {
	case e == nil:
		return found
	case len(e.Causes) == 0:
		return append(found, c.violation(v, e))
	}
	for _, cause := range e.Causes {
		found = c.violations(found, v, cause)
	}
	return found
}

// violation returns the finding for a violated keyword.
func (c *checker) violation(v value, e *jsonschema.ValidationError) trace.Finding {
	names := segments(e.InstanceLocation)
	got := v.follow(names)
	keyword, demand := c.grammar.keyword(e.AbsoluteKeywordLocation)
	return c.finding(RuleSchema, got.place, c.path.and(names...).String(), demanded(keyword, demand, v, got, e.Message))
}
