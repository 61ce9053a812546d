package trace

// Ending is how the reading of a recording ended.
type Ending struct {
	// Closed reports that the input has </TRACE>; fragments have none.
	Closed bool
	// Truncated reports that the input ends inside an element.
	Truncated bool
	// Place is where reading ended.
	Place Place
}
