package picture

import "github.com/trcx/trcx/internal/look"

// theme are the colours of a picture that have no meaning.
type theme struct {
	dark                                  bool
	paper, words, quiet, grid, rule, band string
}

// The themes. Paper is the background, band that of every other lane; quiet are words that can be passed over.
var (
	light = theme{false, "#FFFFFF", "#1F2328", "#59636E", "#E3E8ED", "#AEB7C0", "#F6F8FA"}
	dark  = theme{true, "#11161D", "#E6EDF3", "#9DA7B3", "#242C36", "#4A5563", "#161D26"}
)

func (o *Options) theme() theme {
	if o.Dark {
		return dark
	}
	return light
}

// pick is the colour of two that fits the background.
func (t *theme) pick(light, dark string) string {
	if t.dark {
		return dark
	}
	return light
}

// state is what a state is filled with.
func (t *theme) state(code int) paint {
	s := &look.States[code]
	return paint{t.pick(s.Light, s.Dark), s.Pattern}
}

// narrow is what a state is filled with where there is no room for a pattern.
func (t *theme) narrow(code int) paint { return paint{colour: t.state(code).colour} }

// interaction is what the line of an interaction is drawn with.
func (t *theme) interaction(code int) pen {
	i := &look.Interactions[code]
	return pen{t.pick(i.Light, i.Dark), i.Width, i.Dash}
}

// ribbon is the colour of the critical path.
func (t *theme) ribbon() string { return t.pick(look.Path.Light, look.Path.Dark) }
