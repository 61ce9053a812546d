// Package theme defines the colours, patterns, lines and arrow heads of thread states and interactions.
//
// The page and the pictures (package emit) share its tables, which have the order of the codes of analyze/timeline. A
// lock is more conspicuous than a wait that the program asked for, a deadlock most of all. Colour is never needed: the
// states differ for every kind of colour blindness and have patterns, and each interaction has its own line and head.
package theme

import (
	"fmt"
	"math"
	"strconv"

	"github.com/trcx/trcx/trace"
)

// State is the appearance of a thread's state. Colours are #RRGGBB: Light on a light background, Dark on a dark one.
type State struct {
	Name    string  `json:"name"`  // one word, for machines
	Label   string  `json:"label"` // for people
	Light   string  `json:"light"`
	Dark    string  `json:"dark"`
	Pattern Pattern `json:"pattern"`
}

// Pattern fills a state, in the Ink of its colour.
type Pattern string

// The patterns.
const (
	Plain      Pattern = "none"
	Dots       Pattern = "dots"
	Diagonal   Pattern = "diagonal" // rising to the right
	Horizontal Pattern = "horizontal"
	Vertical   Pattern = "vertical"
	Cross      Pattern = "cross"   // both diagonals
	Falling    Pattern = "falling" // to the right
	Grid       Pattern = "grid"    // both upright and level lines
	Checks     Pattern = "checks"  // every other square
)

// States are indexed by the state codes of a timeline. The last one, of dead threads, has no code.
var States = [10]State{
	{"running", trace.StateRunnable.String(), "#8FD6A0", "#265C3B", Plain},
	{"waiting", trace.StateWaiting.String(), "#F5C400", "#F0C419", Horizontal},
	{"blocked", trace.StateBlocked.String(), "#D7261E", "#FF5A4E", Diagonal},
	{"joining", trace.StateJoining.String(), "#C9A227", "#B89B2E", Vertical},
	{"sleeping", trace.StateSleeping.String(), "#8F9AA3", "#8E979E", Dots},
	{"deadlocked", trace.StateDeadlocked.String(), "#6E0019", "#CC1A4E", Cross},
	{"timed waiting", trace.StateTimedWaiting.String(), "#F5C400", "#F0C419", Falling},
	{"parked", trace.StateParked.String(), "#F5C400", "#F0C419", Grid},
	{"in I/O", trace.StateInIO.String(), "#FFEE9E", "#FFF0A8", Checks},
	{"dead", trace.StateTerminated.String(), "#DAD8D4", "#33393E", Plain},
}

// Interaction is the appearance of an interaction: an arrow or a tick.
type Interaction struct {
	Name  string `json:"name"`
	Label string `json:"label"`
	Light string `json:"light"`
	Dark  string `json:"dark"`
	// Dash has the lengths of dashes and of the gaps after them, in turn, in pixels. Empty means a solid line.
	Dash  []float64 `json:"dash"`
	Width float64   `json:"width"` // of the line, in pixels
	Head  Head      `json:"head"`
}

// Head is the end of an arrow that points to the affected thread.
type Head string

// The heads.
const (
	Open    Head = "open"    // two strokes
	Filled  Head = "filled"  // a triangle
	Double  Head = "double"  // two triangles, one after the other
	Diamond Head = "diamond" // a square on its corner
	Bar     Head = "bar"     // a stroke across
	Tick    Head = "tick"    // no arrow: a stroke across the lane of the thread
)

// Interactions are indexed by the interaction codes of a timeline. An interaction that ends a
// state has a colour close to the state's.
var Interactions = [7]Interaction{
	{"start", "starts a thread", "#1A7F37", "#56D364", []float64{}, 1.5, Open},
	{"join", "ends, a joiner goes on", "#5B2EA6", "#A982F5", []float64{7, 3}, 1.5, Bar},
	{"notify", "notifies one", "#0A66C2", "#79C8FF", []float64{2, 2}, 1.5, Filled},
	{"notifyAll", "notifies all", "#0A66C2", "#79C8FF", []float64{2, 2}, 2, Double},
	{"interrupt", "interrupts", "#C2187A", "#FF6EC0", []float64{7, 2, 2, 2}, 1.5, Diamond},
	{"hand-off", "hands off a lock", "#B93A00", "#FFA657", []float64{}, 1.5, Filled},
	{"timeout", "a wait times out", "#3D4752", "#DDE3E8", []float64{}, 2, Tick},
}

// Ribbon is the appearance of the critical path: a band along the lanes of its threads.
type Ribbon struct {
	Label string `json:"label"`
	Light string `json:"light"`
	Dark  string `json:"dark"`
}

// Path is the ribbon of the critical path.
var Path = Ribbon{"critical path", "#1F6FEB", "#58A6FF"}

// Ink returns the colour of a state's pattern, #RRGGBB: the state's colour mixed with white if it is dark, else with
// black.
func Ink(colour string) string {
	r, g, b := RGB(colour)
	toward, share := 255.0, 0.45
	if 0.299*float64(r)+0.587*float64(g)+0.114*float64(b) > 150 {
		toward, share = 0, 0.3
	}
	mix := func(c uint8) int { return int(math.Round(float64(c) + (toward-float64(c))*share)) }
	return fmt.Sprintf("#%02X%02X%02X", mix(r), mix(g), mix(b))
}

// RGB returns the components of a colour #RRGGBB. It panics on any other text: colours come from tables of the program.
func RGB(colour string) (r, g, b uint8) {
	n, err := strconv.ParseUint(colour[1:], 16, 24)
	if err != nil || len(colour) != 7 {
		panic("theme: no colour: " + colour)
	}
	return uint8(n >> 16), uint8(n >> 8), uint8(n)
}
