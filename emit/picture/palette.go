package picture

import "github.com/trcx/trcx/emit/internal/theme"

// palette are the colours of a picture that have no meaning.
type palette struct {
	dark                                  bool
	paper, words, quiet, grid, rule, band string
}

// The themes. paper is the background, band the background of every other lane. quiet is for less important words.
var (
	light = palette{false, "#FFFFFF", "#1F2328", "#59636E", "#E3E8ED", "#AEB7C0", "#F6F8FA"}
	dark  = palette{true, "#11161D", "#E6EDF3", "#9DA7B3", "#242C36", "#4A5563", "#161D26"}
)

func (o *Options) theme() palette {
	if o.Dark {
		return dark
	}
	return light
}

// pick is the colour of two that fits the background.
func (t *palette) pick(light, dark string) string {
	if t.dark {
		return dark
	}
	return light
}

// state returns the fill of a state.
func (t *palette) state(code int) paint {
	s := &theme.States[code]
	return paint{t.pick(s.Light, s.Dark), s.Pattern}
}

// narrow returns the fill of a state in a bar that is too narrow for a pattern.
func (t *palette) narrow(code int) paint { return paint{colour: t.state(code).colour} }

// interaction returns the stroke of an interaction.
func (t *palette) interaction(code int) pen {
	i := &theme.Interactions[code]
	return pen{t.pick(i.Light, i.Dark), i.Width, i.Dash}
}

// ribbon is the colour of the critical path.
func (t *palette) ribbon() string { return t.pick(theme.Path.Light, theme.Path.Dark) }
