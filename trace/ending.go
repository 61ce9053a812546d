package trace

// Ending says how the reading of a recording came to its end.
type Ending struct {
	// Closed says that </TRACE> was there; fragments have none.
	Closed bool
	// Truncated says that the input ends inside an element.
	Truncated bool
	// Place is where reading ended.
	Place Place
}
