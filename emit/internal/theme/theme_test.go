package theme_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/trcx/trcx/emit/internal/theme"
)

// visions transform linear red, green and blue to what people with a color vision deficiency see: Machado, Oliveira and
// Fernandes 2009, full severity.
var visions = map[string][3][3]float64{
	"full":         {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	"protanopia":   {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
	"deuteranopia": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
	"tritanopia":   {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
}

// backgrounds are the backgrounds that the colours are made for.
var backgrounds = map[string]string{"light": "#FFFFFF", "dark": "#11161D"}

func linear(colour string) (v [3]float64) {
	r, g, b := theme.RGB(colour)
	for i, c := range []uint8{r, g, b} {
		if s := float64(c) / 255; s <= 0.04045 {
			v[i] = s / 12.92
		} else {
			v[i] = math.Pow((s+0.055)/1.055, 2.4)
		}
	}
	return v
}

func times(m [3][3]float64, v [3]float64) (p [3]float64) {
	for i, row := range m {
		p[i] = min(1, max(0, row[0]*v[0]+row[1]*v[1]+row[2]*v[2]))
	}
	return p
}

// lab returns a colour's coordinates in CIE L*a*b* for a kind of vision.
func lab(colour, vision string) [3]float64 {
	v := times(visions[vision], linear(colour))
	f := func(t float64) float64 {
		if t > 0.008856 {
			return math.Cbrt(t)
		}
		return 7.787*t + 16.0/116
	}
	x := f((0.4124*v[0] + 0.3576*v[1] + 0.1805*v[2]) / 0.95047)
	y := f(0.2126*v[0] + 0.7152*v[1] + 0.0722*v[2])
	z := f((0.0193*v[0] + 0.1192*v[1] + 0.9505*v[2]) / 1.08883)
	return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

// distance returns the Euclidean distance of two colours in L*a*b*. Adjacent areas differ visibly from 2 or 3 on.
func distance(a, b, vision string) float64 {
	p, q := lab(a, vision), lab(b, vision)
	return math.Sqrt((p[0]-q[0])*(p[0]-q[0]) + (p[1]-q[1])*(p[1]-q[1]) + (p[2]-q[2])*(p[2]-q[2]))
}

// contrast returns the contrast ratio of WCAG 2, from 1 to 21.
func contrast(a, b string) float64 {
	bright := func(c string) float64 { v := linear(c); return 0.2126*v[0] + 0.7152*v[1] + 0.0722*v[2] + 0.05 }
	p, q := bright(a), bright(b)
	return max(p, q) / min(p, q)
}

// colours returns the colours of the states and of the ribbon on a background.
func colours(background string) map[string]string {
	all := map[string]string{}
	for _, s := range theme.States {
		all[s.Name] = map[string]string{"light": s.Light, "dark": s.Dark}[background]
	}
	all["ribbon"] = map[string]string{"light": theme.Path.Light, "dark": theme.Path.Dark}[background]
	return all
}

// waits are the states that share one yellow, tints the states with a tint of it. Patterns distinguish them.
var (
	waits = []string{"parked", "timed waiting", "waiting"}
	tints = []string{"in I/O", "joining"}
)

// TestStatesStayApart: for each kind of vision states have a distance of 12 or more to each other and the background,
// except for dead threads (8 to the background), tints of yellow (9 to other states) and waits, which share a colour.
func TestStatesStayApart(t *testing.T) {
	const least, leastOfDead, leastOfTints = 12, 8, 9
	for background, paper := range backgrounds {
		all := colours(background)
		for vision := range visions {
			for a, first := range all {
				for b, second := range all {
					limit := float64(least)
					if slices.Contains(tints, a) || slices.Contains(tints, b) {
						limit = leastOfTints
					}
					if slices.Contains(waits, a) && slices.Contains(waits, b) {
						limit = 0
					}
					if d := distance(first, second, vision); a < b && d < limit {
						t.Errorf("%s, %s: %s and %s are %.1f apart", background, vision, a, b, d)
					}
				}
				if d := distance(first, paper, vision); d < least && !(a == "dead" && d >= leastOfDead) {
					t.Errorf("%s, %s: %s is %.1f from the background", background, vision, a, d)
				}
			}
		}
	}
}

// TestPatternsTellStatesApart: even without colour all states differ by pattern, except running and dead, which differ
// in height.
func TestPatternsTellStatesApart(t *testing.T) {
	seen := map[theme.Pattern]string{}
	for _, s := range theme.States {
		if other, ok := seen[s.Pattern]; ok && !(other == "running" && s.Name == "dead") {
			t.Errorf("%s and %s are both %s", other, s.Name, s.Pattern)
		}
		seen[s.Pattern] = s.Name
		for background, colour := range map[string]string{"light": s.Light, "dark": s.Dark} {
			for vision := range visions {
				if d := distance(colour, theme.Ink(colour), vision); d < 12 {
					t.Errorf("%s, %s: the pattern of %s is only %.1f from its ground", background, vision, s.Name, d)
				}
			}
		}
	}
}

// TestConspicuousStates: running is near the background; a lock and a deadlock are farther from it than other states.
func TestConspicuousStates(t *testing.T) {
	for background, paper := range backgrounds {
		all := colours(background)
		if c := contrast(all["running"], paper); c > 2.5 {
			t.Errorf("%s: running has a contrast of %.1f to the background", background, c)
		}
		for _, loud := range []string{"blocked", "deadlocked"} {
			for _, quiet := range []string{"waiting", "joining", "sleeping", "dead"} {
				if p, q := distance(all[loud], all["running"], "full"), distance(all[quiet], all["running"],
					"full"); p < 1.1*q {
					t.Errorf("%s: %s is %.1f from running, %s is %.1f", background, loud, p, quiet, q)
				}
			}
		}
	}
	for _, s := range theme.States {
		if (s.Pattern == theme.Cross) != (s.Name == "deadlocked") {
			t.Errorf("%s is filled with %s", s.Name, s.Pattern)
		}
	}
}

// TestInteractionsStayApart: each has its own combination of line and head, and is clearly visible on its background.
func TestInteractionsStayApart(t *testing.T) {
	seen := map[string]string{}
	for _, i := range theme.Interactions {
		key := fmt.Sprint(i.Dash, i.Head)
		if seen[key] != "" {
			t.Errorf("%s and %s look alike without colour: %s", seen[key], i.Name, key)
		}
		seen[key] = i.Name
		if len(i.Dash)%2 != 0 || slices.ContainsFunc(i.Dash, func(d float64) bool { return d < 1 }) || i.Width < 1 {
			t.Errorf("%s has dashes %v of width %v", i.Name, i.Dash, i.Width)
		}
		for background, colour := range map[string]string{"light": i.Light, "dark": i.Dark} {
			if c := contrast(colour, backgrounds[background]); c < 4.5 {
				t.Errorf("%s: %s has a contrast of %.1f", background, i.Name, c)
			}
		}
	}
}

// TestJSON: the fields have the names that the page reads, and a solid line is an empty list.
func TestJSON(t *testing.T) {
	for want, value := range map[string]any{
		`{"name":"blocked","label":"BLOCKED","light":"#D7261E","dark":"#FF5A4E","pattern":"diagonal"}`:                              theme.States[2],
		`{"name":"join","label":"ends, a joiner goes on","light":"#5B2EA6","dark":"#A982F5","dash":[7,3],"width":1.5,"head":"bar"}`: theme.Interactions[1],
		`{"name":"hand-off","label":"hands off a lock","light":"#B93A00","dark":"#FFA657","dash":[],"width":1.5,"head":"filled"}`:   theme.Interactions[5],
		`{"label":"critical path","light":"#1F6FEB","dark":"#58A6FF"}`:                                                              theme.Path,
	} {
		if got, err := json.Marshal(value); err != nil || string(got) != want {
			t.Errorf("%s, %v, want %s", got, err, want)
		}
	}
}

func TestInk(t *testing.T) {
	for colour, want := range map[string]string{"#000000": "#737373", "#FFFFFF": "#B3B3B3", "#9B0034": "#C8738F"} {
		if got := theme.Ink(colour); got != want {
			t.Errorf("the ink of %s is %s, want %s", colour, got, want)
		}
	}
}
