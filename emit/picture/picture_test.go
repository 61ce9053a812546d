package picture_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/trcx/trcx/analyze/timeline"
	"github.com/trcx/trcx/emit/internal/theme"
	"github.com/trcx/trcx/emit/picture"
	"github.com/trcx/trcx/enrich/sinktest"
	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/trace"
)

var update = flag.Bool("update", false, "write the golden files anew")

func svgOf(t testing.TB, p *picture.Picture) []byte {
	t.Helper()
	var out bytes.Buffer
	sinktest.Check(t, picture.SVG(&out, p))
	return out.Bytes()
}

func pngOf(t testing.TB, p *picture.Picture) image.Image {
	t.Helper()
	var out bytes.Buffer
	sinktest.Check(t, picture.PNG(&out, p))
	decoded, err := png.Decode(&out)
	sinktest.Check(t, err)
	return decoded
}

// TestTheTableIsInOrder: the tables of appearances have the order of a timeline's codes.
func TestTheTableIsInOrder(t *testing.T) {
	for state, name := range map[timeline.State]string{
		timeline.Running: "running", timeline.WaitingForObject: "waiting", timeline.WaitingForLock: "blocked",
		timeline.WaitingForJoin: "joining",
		timeline.Sleeping:       "sleeping", timeline.Deadlocked: "deadlocked", timeline.Dead: "dead",
		timeline.TimedWaiting: "timed waiting", timeline.Parked: "parked", timeline.InIO: "in I/O",
	} {
		if theme.States[state].Name != name {
			t.Errorf("state %d is called %s, want %s", state, theme.States[state].Name, name)
		}
	}
	for interaction, name := range map[timeline.Interaction]string{
		timeline.Start: "start", timeline.Join: "join", timeline.Notify: "notify", timeline.NotifyAll: "notifyAll",
		timeline.Interrupt: "interrupt",
		timeline.HandOff:   "hand-off", timeline.Timeout: "timeout",
	} {
		if theme.Interactions[interaction].Name != name {
			t.Errorf("interaction %d is called %s, want %s", interaction, theme.Interactions[interaction].Name, name)
		}
	}
	if len(theme.States) != int(timeline.StateCount)+1 || len(theme.Interactions) != int(timeline.InteractionCount) {
		t.Error("the table has more or less than there is")
	}
}

func TestGolden(t *testing.T) {
	p := scene()
	sinktest.Golden(t, filepath.Join("testdata", "scene.svg"), svgOf(t, p), *update)
	p.Dark, p.Groups, p.Width, p.Lanes, p.Arrows = true, true, 720, 4, 3
	sinktest.Golden(t, filepath.Join("testdata", "scene-dark.svg"), svgOf(t, p), *update)
}

// TestTheSameAgain: drawing a picture twice gives the same bytes.
func TestTheSameAgain(t *testing.T) {
	p := randomPicture(rand.New(rand.NewPCG(1, 2)))
	for _, write := range []func(io.Writer, *picture.Picture) error{picture.SVG, picture.PNG} {
		var first, second bytes.Buffer
		sinktest.Check(t, write(&first, p))
		sinktest.Check(t, write(&second, p))
		if !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Error("the same picture is drawn in two ways")
		}
	}
}

// TestWhatThePictureSays: the legend has everything that occurs, and the notes what is left out.
func TestWhatThePictureSays(t *testing.T) {
	p := scene()
	text := strings.Join(wordsOf(t, p), "\n")
	for _, want := range []string{"warehouse.trcxml", "picker-1 was blocked", "parked by java.util.concurrent",
		"500 ms of 6 threads", "250 ms", "critical path", "goes on at the trace's end", "shares of time"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in the picture:\n%s", want, text)
		}
	}
	for _, s := range theme.States {
		if !strings.Contains(text, s.Label) {
			t.Errorf("%s is not in the legend", s.Label)
		}
	}
	for _, i := range theme.Interactions {
		if !strings.Contains(text, i.Label) {
			t.Errorf("%s is not in the legend", i.Label)
		}
	}
	p.Lanes, p.Arrows = 4, 1
	p.Window.ArrowsOmitted = 7
	text = strings.Join(wordsOf(t, p), "\n")
	for _, want := range []string{
		"4 of 6 threads are shown", "500 ms of 4 of 6 threads", "8 arrows are left out",
		"6 arrows are not drawn, for they lead from or to threads that are left out",
		"transfer-1", "transfer-2", "main", "stocktake",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in the picture:\n%s", want, text)
		}
	}
	for _, gone := range []string{"\npicker-1\n", "\npicker-2\n", theme.Interactions[timeline.HandOff].Label,
		theme.Interactions[timeline.Timeout].Label} {
		if strings.Contains(text, gone) {
			t.Errorf("%q is in the picture:\n%s", gone, text)
		}
	}
}

// wordsOf returns the texts of a picture.
func wordsOf(t testing.TB, p *picture.Picture) (all []string) {
	t.Helper()
	drawn, err := picture.Draw(p, false)
	sinktest.Check(t, err)
	for _, w := range drawn.Texts {
		all = append(all, w.Text)
	}
	return all
}

// randomPicture has threads that do something at random, at very different speeds.
func randomPicture(r *rand.Rand) *picture.Picture {
	w := &timeline.Window{From: r.Int64N(2) * r.Int64N(1e12)}
	w.To = w.From + 1 + int64(math.Exp(r.Float64()*25))
	length := w.To - w.From
	p := &picture.Picture{Title: "random", Verdict: "Something happened. ", Window: w,
		Notes: []string{"A note.", "Another one."}}
	p.Width, p.Groups, p.Dark, p.Lanes = []int{0, 480, 900}[r.IntN(3)], r.IntN(2) == 0, r.IntN(2) == 0, 1+r.IntN(20)
	threads := r.IntN(25)
	at := func() int64 { return w.From - length/4 + r.Int64N(length+length/2+1) }
	for key := trace.ThreadKey(1); int(key) <= threads; key++ {
		p.Threads = append(p.Threads, timeline.Thread{
			Key: key, ID: fmt.Sprint(key), Name: strings.Repeat(string(rune('a'+r.IntN(26))), r.IntN(40)),
			Group:   []string{"", "main", "pool"}[r.IntN(3)],
			Session: r.IntN(2) * r.IntN(2), Died: at(), Dead: r.IntN(2) == 0,
		})
		lane := timeline.Lane{Thread: key}
		speed := math.Exp(-r.Float64() * 8)
		now := at()
		path := now
		for now < w.To+length/8 && len(lane.Spans)+len(lane.Mixes) < 4000 {
			if r.IntN(6) == 0 {
				now += 1 + int64(r.ExpFloat64()*float64(length)*speed)
			}
			end := now + 1 + int64(r.ExpFloat64()*float64(length)*speed)
			if r.IntN(5) > 0 {
				lane.Spans = append(lane.Spans, timeline.Span{Begin: now, End: end,
					State: timeline.State(r.IntN(int(timeline.StateCount))), Open: r.IntN(4) == 0})
			} else {
				m := timeline.Mix{Begin: now, End: end, Count: 2}
				part := r.Int64N(end - now + 1)
				m.Times[r.IntN(3)], m.Times[3+r.IntN(3)] = part, end-now-part
				lane.Mixes = append(lane.Mixes, m)
			}
			if r.IntN(8) == 0 {
				lane.Instants = append(lane.Instants, timeline.Instant{Time: now,
					Type: timeline.Interaction(r.IntN(int(timeline.InteractionCount))), Count: 1})
			}
			if r.IntN(5) == 0 && now > path {
				lane.Path = append(lane.Path, timeline.PathPart{Begin: path, End: now, Time: now - path})
				path = end
			}
			now = end
		}
		w.Lanes = append(w.Lanes, lane)
	}
	for range r.IntN(60) * min(threads, 1) {
		from, waited := at(), r.Int64N(length+1)
		end := func(time int64) timeline.End {
			return timeline.End{Event: trace.EventID(1 + r.IntN(1000)), Thread: trace.ThreadKey(1 + r.IntN(threads)),
				Time: time}
		}
		w.Arrows = append(w.Arrows, timeline.Arrow{Type: timeline.Interaction(r.IntN(int(timeline.Timeout))),
			From: end(from), To: end(from + waited/8), Waited: waited})
	}
	return p
}

// TestEverythingHasItsPlace: for any window, nothing leaves the picture, texts do not cover each other, and nothing
// covers the names.
func TestEverythingHasItsPlace(t *testing.T) {
	for seed := range uint64(60) {
		p := randomPicture(rand.New(rand.NewPCG(seed, 0)))
		d, err := picture.Draw(p, seed%2 == 0)
		sinktest.Check(t, err)
		const slack = 0.01
		for i, b := range d.Boxes {
			if b.W < 0 || b.H < 0 || b.X < -slack || b.Y < -slack || b.X+b.W > d.Width+slack ||
				b.Y+b.H > d.Height+slack {
				t.Fatalf("seed %d: box %+v is outside of the picture", seed, b)
			}
			if name := i > 0 && b.Y >= d.Top && b.Y < d.Bottom && b.X < d.Left-1; name && b.X > 18 {
				t.Fatalf("seed %d: box %+v covers names", seed, b)
			}
		}
		for _, point := range d.Points {
			x, y := point[0], point[1]
			if x < 0 || y < 0 || x > d.Width || y > d.Height || math.IsNaN(x+y) {
				t.Fatalf("seed %d: %v is outside of the picture", seed, point)
			}
			if y > d.Top && y < d.Bottom && x < d.Left-7 {
				t.Fatalf("seed %d: %v covers names", seed, point)
			}
		}
		for i, a := range d.Texts {
			if a.X < 0 || a.Y < 0 || a.X+a.W > d.Width+slack || a.Y+a.H > d.Height {
				t.Fatalf("seed %d: text %+v is outside of the picture", seed, a)
			}
			for _, b := range d.Texts[:i] {
				if a.X < b.X+b.W && b.X < a.X+a.W && a.Y < b.Y+b.H && b.Y < a.Y+a.H {
					t.Fatalf("seed %d: texts %+v and %+v cover each other", seed, a, b)
				}
			}
		}
	}
}

// TestBarsAreAsLongAsSpans: the area in a colour is proportional to the time that threads spent, within the window, in
// states of this colour, whatever is summed up.
func TestBarsAreAsLongAsSpans(t *testing.T) {
	for seed := range uint64(60) {
		p := randomPicture(rand.New(rand.NewPCG(seed, 1)))
		p.Lanes = len(p.Threads) + 1
		w := p.Window
		d, err := picture.Draw(p, false)
		sinktest.Check(t, err)
		for state := range timeline.StateCount {
			want := 0.0
			colour, height := picture.StateColour(state, p.Dark)
			isDrawn := func(other timeline.State) bool {
				same, _ := picture.StateColour(other, p.Dark)
				return same == colour
			}
			for _, lane := range w.Lanes {
				inside := func(begin, end int64) float64 { return float64(max(0, min(end, w.To)-max(begin, w.From))) }
				for _, s := range lane.Spans {
					if isDrawn(s.State) {
						want += inside(s.Begin, s.End)
					}
				}
				for _, m := range lane.Mixes {
					for other, time := range m.Times {
						if isDrawn(timeline.State(other)) {
							want += float64(time) * inside(m.Begin, m.End) / float64(m.End-m.Begin)
						}
					}
				}
			}
			got := 0.0
			for _, b := range d.Boxes {
				if b.Colour == colour && b.Y >= d.Top && b.Y < d.Bottom {
					got += b.W * b.H / height * float64(w.To-w.From) / (d.Right - d.Left)
				}
			}
			if math.Abs(got-want) > 1e-6*want+1 {
				t.Errorf("seed %d: %.0f ns are drawn of state %d, want %.0f", seed, got, state, want)
			}
		}
	}
}

// TestBoundsHold: a lane of a million short spans has not many more elements than pixels.
func TestBoundsHold(t *testing.T) {
	testtool.Long(t)
	lane := timeline.Lane{Thread: 1}
	for i := range int64(1_000_000) {
		lane.Spans = append(lane.Spans, timeline.Span{Begin: i * 10, End: i*10 + 9 + i%2, State: timeline.State(i % 3)})
		lane.Instants = append(lane.Instants, timeline.Instant{Time: i * 10, Type: timeline.Timeout, Count: 1})
		lane.Path = append(lane.Path, timeline.PathPart{Begin: i * 10, End: i*10 + 5, Time: 5})
	}
	p := &picture.Picture{Window: &timeline.Window{To: 10_000_000, Lanes: []timeline.Lane{lane}}}
	d, err := picture.Draw(p, false)
	sinktest.Check(t, err)
	if len(d.Boxes) > 3000 || len(d.Points) > 6000 {
		t.Errorf("%d boxes, %d points", len(d.Boxes), len(d.Points))
	}
}

func TestNothingIsAPicture(t *testing.T) {
	p := &picture.Picture{Window: &timeline.Window{}}
	checkSVG(t, svgOf(t, p))
	if b := pngOf(t, p).Bounds(); b.Dx() != 1200 || b.Dy() < 50 {
		t.Errorf("the picture of nothing has %v", b)
	}
}

// TestColours: at known places the pixels have the colours of the table: all of them without a pattern, only some with
// one.
func TestColours(t *testing.T) {
	for _, dark := range []bool{false, true} {
		for scale := 1; scale <= 3; scale++ {
			p := scene()
			p.Dark, p.Scale = dark, scale
			d, err := picture.Draw(p, true)
			sinktest.Check(t, err)
			got := pngOf(t, p)
			if got.Bounds().Dx() != 1200*scale || got.Bounds().Dy() != int(math.Ceil(d.Height))*scale {
				t.Errorf("scale %d: the image has %v", scale, got.Bounds())
			}
			for _, place := range []struct {
				lane, time int
				state      timeline.State
			}{
				{0, 50, timeline.Running}, {0, 200, timeline.WaitingForJoin}, {0, 450, timeline.WaitingForObject},
				{1, 160, timeline.WaitingForLock},
				{2, 120, timeline.Sleeping}, {4, 300, timeline.Deadlocked}, {1, 440, timeline.Dead},
			} {
				name := theme.States[place.state].Light
				if dark {
					name = theme.States[place.state].Dark
				}
				x := (d.Left + (d.Right-d.Left)*float64(place.time)/500) * float64(scale)
				seen := map[color.Color]int{}
				for dx := range 12 * scale {
					for dy := range 12 * scale {
						seen[got.At(int(x)+dx, int(d.Top+float64(24*place.lane+4))*scale+dy)]++
					}
				}
				ground := seen[rgba(name)]
				all, patterned := ground == 144*scale*scale, theme.States[place.state].Pattern != theme.Plain
				if ground == 0 || patterned && all || !patterned && !all && place.state != timeline.Dead {
					t.Errorf("dark %v, scale %d, %s: %d pixels of %s; there are %v", dark, scale,
						theme.States[place.state].Name, ground, name, seen)
				}
			}
			if got.At(1, 1) != rgba(d.Paper) {
				t.Errorf("the background is %v", got.At(1, 1))
			}
		}
	}
}

func rgba(colour string) color.Color {
	r, g, b := theme.RGB(colour)
	return color.RGBA{r, g, b, 255}
}

// hostile are names that a trace may have.
var hostile = map[string]string{
	"script": `</script><img src=x onerror=alert(1)>`, "markup": `"><svg onload='x'>&amp;&#0;]]>`,
	"long": strings.Repeat("0123456789", 1000), "long word of emoji": strings.Repeat("🧵", 10_000),
	"right to left": "שלום עולם العربية", "override": "\u202Egpj.exe\u202C", "isolates": "\u2066a\u2069\u2069",
	"controls": "\x00\x01\x1b[31mred\r\n\t\x7f\u0085", "invalid": "\xFF\xFE\xED\xA0\x80",
	"no characters": "\uFFFE\uFFFF\U0001FFFF", "accents": "Z" + strings.Repeat("\u0301\u0316", 5000),
	"joined": "👩‍👩‍👧‍👦 family", "east": "処理スレッド-1 线程", "spaces": "  a   b  ",
	"wide": strings.Repeat("\uFDFD", 30) + "\U0001242B", "empty": "", "formats": "%s%n{{.}}$(x)`",
}

// called returns the scene with the same name for everything that a trace names.
func called(name string) *picture.Picture {
	p := scene()
	p.Title, p.Verdict, p.Groups = name, "It was "+name+".", true
	p.Notes = []string{name, name}
	for i := range p.Threads {
		p.Threads[i].Name, p.Threads[i].Group, p.Threads[i].ID = name, name, name
	}
	for i := range p.Window.Lanes {
		spans := p.Window.Lanes[i].Spans
		for j := range spans {
			spans[j].Object = timeline.Object{ID: name, Class: name}
			spans[j].Caller = timeline.Frame{Class: name, Method: name, File: name, Line: 3}
			spans[j].OtherCaller = spans[j].Caller
		}
	}
	return p
}

// elements are the elements that a picture may have, with their attributes.
var elements = map[string]string{
	"svg":  " xmlns width height viewBox role aria-label font-family space ",
	"desc": "", "title": "", "defs": "", "g": " clip-path ", "clipPath": " id ",
	"pattern": " id width height patternUnits ",
	"rect":    " x y width height fill shape-rendering ", "path": " d fill stroke stroke-width stroke-dasharray ",
	"text": " x y font-size font-weight fill text-anchor textLength lengthAdjust unicode-bidi ",
}

// checkSVG checks that it is XML with only the elements and attributes that a picture may have, and returns the visible
// texts.
func checkSVG(t testing.TB, svg []byte) (texts []string) {
	t.Helper()
	if !utf8.Valid(svg) || bytes.ContainsAny(svg, "\x00\x1b\u202E\u2067") {
		t.Fatal("the picture is not plain text")
	}
	decoder := xml.NewDecoder(bytes.NewReader(svg))
	inside := ""
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			return texts
		}
		sinktest.Check(t, err)
		switch token := token.(type) {
		case xml.StartElement:
			inside = token.Name.Local
			allowed, ok := elements[inside]
			if !ok {
				t.Fatalf("there is an element %s", inside)
			}
			for _, a := range token.Attr {
				if !strings.Contains(allowed, " "+a.Name.Local+" ") {
					t.Fatalf("%s has an attribute %s", inside, a.Name.Local)
				}
				if a.Name.Local != "aria-label" && strings.Contains(a.Value, "url(") &&
					!strings.HasPrefix(a.Value, "url(#trcx-") {
					t.Fatalf("%s refers to %s", inside, a.Value)
				}
			}
		case xml.CharData:
			if inside == "text" {
				texts = append(texts, string(token))
			}
		case xml.EndElement:
			inside = ""
		case xml.Directive, xml.ProcInst, xml.Comment:
			t.Fatalf("there is %v", token)
		}
	}
}

// TestHostileNames: with any names, both pictures are drawn, nothing leaves its place, and the name is shown.
func TestHostileNames(t *testing.T) {
	testtool.Long(t)
	for about, name := range hostile {
		p := called(name)
		svg := svgOf(t, p)
		texts := checkSVG(t, svg)
		if len(svg) > 300_000 {
			t.Errorf("%s: the picture has %d bytes", about, len(svg))
		}
		for _, png := range []bool{false, true} {
			d, err := picture.Draw(p, png)
			sinktest.Check(t, err)
			for _, w := range d.Texts {
				if w.X+w.W > d.Width {
					t.Errorf("%s: %+v leaves the picture", about, w)
				}
			}
		}
		if shown := picture.Shown(name, false); len(shown) < 20 && name != "" && !slices.Contains(texts, shown) {
			t.Errorf("%s: %q is not in the picture: %q", about, shown, texts)
		}
		if pngOf(t, p).Bounds().Dx() != 1200 {
			t.Errorf("%s: the image has another width", about)
		}
	}
}

func TestShown(t *testing.T) {
	for text, want := range map[string][2]string{
		"worker-1 größer Ж": {"worker-1 größer Ж", "worker-1 größer Ж"},
		"a🧵b":               {"a🧵b", "aU+1F9F5b"},
		"שלום":              {"שלום", "U+05E9U+05DCU+05D5U+05DD"},
		"店\u202E\x00\xFF":   {`店\u202E\u0000\xFF`, `U+5E97\u202E\u0000\xFF`},
	} {
		for i, want := range want {
			if got := picture.Shown(text, i == 1); got != want {
				t.Errorf("%q is shown as %q, want %q", text, got, want)
			}
		}
	}
}

func TestFit(t *testing.T) {
	for _, text := range []string{"", "a", "pool-1-thread-1", strings.Repeat("wide W ", 40), strings.Repeat("🧵", 50),
		strings.Repeat("i", 999)} {
		for _, limit := range []float64{20, 50, 120, 1000} {
			got := picture.Fit(text, limit)
			if picture.Width(got) > limit || (got != text) != (picture.Width(text) > limit) {
				t.Errorf("%.20q becomes %q in %.0f pixels", text, got, limit)
			}
			head, tail, cut := strings.Cut(got, "…")
			if cut && (!strings.HasPrefix(text, head) || !strings.HasSuffix(text, tail) || limit > 60 &&
				(head == "" || tail == "")) {
				t.Errorf("%.20q becomes %q, which is not its ends", text, got)
			}
		}
	}
}

func TestWrap(t *testing.T) {
	for _, text := range []string{"", "one", "the quick brown fox jumps over the lazy dog and runs away from it",
		strings.Repeat("unbroken", 30), strings.Repeat("🧵 ", 30)} {
		for most := 1; most < 30; most += 7 {
			lines := picture.Wrap(text, 90, most)
			if len(lines) > most {
				t.Errorf("%d lines, want at most %d", len(lines), most)
			}
			for _, line := range lines {
				if picture.Width(line) > 90 {
					t.Errorf("line %q is %.1f wide", line, picture.Width(line))
				}
			}
			squeeze := func(s string) string { return strings.ReplaceAll(s, " ", "") }
			all := squeeze(strings.Join(lines, ""))
			if begin, cut := strings.CutSuffix(all, "…"); cut && !strings.HasPrefix(squeeze(text), begin) || !cut &&
				all != squeeze(text) {
				t.Errorf("%q becomes %q", text, lines)
			}
		}
	}
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		from, to int64
		width    float64
		want     string
	}{
		{0, 500 * ms, 1080, "0, 50 ms, 100 ms, 150 ms, 200 ms, 250 ms, 300 ms, 350 ms, 400 ms, 450 ms, 500 ms"},
		{0, 6_000 * ms, 400, "0, 1 s, 2 s, 3 s, 4 s, 5 s, 6 s"},
		{1_234_567_890, 1_234_567_900, 600,
			"1.234567890 s, 1.234567892 s, 1.234567894 s, 1.234567896 s, 1.234567898 s, 1.234567900 s"},
		{0, 7, 900, "0, 1 ns, 2 ns, 3 ns, 4 ns, 5 ns, 6 ns, 7 ns"},
		{90 * ms, 260 * ms, 300, "100 ms, 150 ms, 200 ms, 250 ms"},
		{0, 2_500, 300, "0, 1 µs, 2 µs"},
	} {
		if _, labels := picture.Ticks(c.from, c.to, c.width); strings.Join(labels, ", ") != c.want {
			t.Errorf("from %d to %d in %.0f pixels: %q, want %s", c.from, c.to, c.width, labels, c.want)
		}
	}
	for _, to := range []int64{1, 1000, math.MaxInt64 / 4, math.MaxInt64} {
		if times, _ := picture.Ticks(0, to, 500); len(times) > 15 || !slices.IsSorted(times) {
			t.Errorf("up to %d there are ticks at %v", to, times)
		}
	}
}

func TestOptionsAreChecked(t *testing.T) {
	for want, change := range map[string]func(p *picture.Picture){
		"width is 100": func(p *picture.Picture) { p.Width = 100 }, "width is 9000": func(p *picture.Picture) {
			p.Width = 9000
		}, "lanes is -1": func(p *picture.Picture) { p.Lanes = -1 },
		"arrows is -2": func(p *picture.Picture) { p.Arrows = -2 }, "scale is 5": func(p *picture.Picture) {
			p.Scale = 5
		},
	} {
		p := scene()
		change(p)
		for _, err := range []error{picture.SVG(io.Discard, p), picture.PNG(io.Discard, p)} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v, want that %s", err, want)
			}
		}
	}
	p := &picture.Picture{Window: &timeline.Window{To: 10, Lanes: make([]timeline.Lane, 3000)}}
	p.Lanes, p.Scale = 3000, 4
	if err := picture.PNG(io.Discard, p); err == nil || !strings.Contains(err.Error(), "too large") {
		t.Errorf("%v, want that the image is too large", err)
	}
}

var errFull = errors.New("full")

// full is a writer that fails after a number of bytes.
type full struct{ limit int }

func (f *full) Write(b []byte) (int, error) {
	if f.limit -= len(b); f.limit < 0 {
		return 0, errFull
	}
	return len(b), nil
}

func TestErrorsOfTheWriter(t *testing.T) {
	for _, limit := range []int{0, 5000} {
		for _, write := range []func(io.Writer, *picture.Picture) error{picture.SVG, picture.PNG} {
			if err := write(&full{limit}, scene()); !errors.Is(err, errFull) {
				t.Errorf("%v, want %v", err, errFull)
			}
		}
	}
}

func FuzzNames(f *testing.F) {
	f.Fuzz(func(t *testing.T, name string) {
		p := called(name)
		checkSVG(t, svgOf(t, p))
		p.Width = picture.MinWidth
		d, err := picture.Draw(p, true)
		sinktest.Check(t, err)
		for _, w := range d.Texts {
			if w.X < 0 || w.X+w.W > d.Width {
				t.Fatalf("%+v leaves the picture", w)
			}
		}
	})
}

// TestThreadWithoutEvents: the lane of a thread without events in the trace says so and has no state. If its events are
// outside of the window, the lane is empty.
func TestThreadWithoutEvents(t *testing.T) {
	w := &timeline.Window{From: 0, To: 100 * ms, Lanes: []timeline.Lane{
		{Thread: 1, Spans: []timeline.Span{{Begin: 0, End: 50 * ms}}}, {Thread: 2}, {Thread: 3},
		{Thread: 4, Instants: []timeline.Instant{{Time: 10 * ms, Type: timeline.Notify, Count: 1, Event: 9}}},
	}}
	later := timeline.Thread{Key: 3, ID: "3"}
	later.Counts[timeline.Running] = 1
	drawn, err := picture.Draw(&picture.Picture{Window: w, Threads: []timeline.Thread{{Key: 1, ID: "1"},
		{Key: 2, ID: "2"}, later, {Key: 4, ID: "4"}}}, false)
	if err != nil {
		t.Fatal(err)
	}
	silent := 0
	for _, words := range drawn.Texts {
		if words.Text == "no events" {
			silent++
		}
	}
	if silent != 1 {
		t.Errorf("%d lanes have no events, want 1: %v", silent, drawn.Texts)
	}
}

// TestThreadsOfTheJVM: the JVM's threads are left out, unless they are on the path, deadlocked or block others, or
// there are no other threads.
func TestThreadsOfTheJVM(t *testing.T) {
	p := scene()
	for i, name := range []string{"Common-Cleaner", "Finalizer", "Signal Dispatcher", "holder"} {
		key := trace.ThreadKey(10 + i)
		p.Threads = append(p.Threads, timeline.Thread{Key: key, ID: fmt.Sprint(key), Name: name, Group: "system"})
		p.Window.Lanes = append(p.Window.Lanes, timeline.Lane{Thread: key,
			Spans: []timeline.Span{{Begin: 0, End: 400 * ms, State: timeline.WaitingForObject}}})
	}
	p.Window.Lanes[7].Path = []timeline.PathPart{{Begin: 0, End: ms, Time: ms}}
	p.Window.Lanes[6].Spans = append(p.Window.Lanes[6].Spans, timeline.Span{Begin: 400 * ms, End: 500 * ms,
		State: timeline.WaitingForLock, Other: 13})
	text := strings.Join(wordsOf(t, p), "\n")
	for _, want := range []string{"500 ms of 8 of 10 threads", "2 threads of the JVM itself are left out.", "\nFinalizer\n",
		"\nholder\n", "\nmain\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in the picture:\n%s", want, text)
		}
	}
	if strings.Contains(text, "Common-Cleaner") || strings.Contains(text, "Signal Dispatcher") {
		t.Errorf("a thread of the JVM is in the picture:\n%s", text)
	}
	p.Window.Lanes = p.Window.Lanes[6:7]
	if text := strings.Join(wordsOf(t, p), "\n"); !strings.Contains(text, "Common-Cleaner") ||
		strings.Contains(text, "of the JVM itself") {
		t.Errorf("the only thread is left out:\n%s", text)
	}
}

// TestThePathHidesNothing: for any path, boxes in the colours of states are drawn over its links, and its bands run
// beside them.
func TestThePathHidesNothing(t *testing.T) {
	for seed := range uint64(30) {
		p := randomPicture(rand.New(rand.NewPCG(seed, 7)))
		d, err := picture.Draw(p, false)
		sinktest.Check(t, err)
		path := theme.Path.Light
		if p.Dark {
			path = theme.Path.Dark
		}
		states := map[string]bool{}
		for state := range timeline.StateCount {
			colour, _ := picture.StateColour(state, p.Dark)
			states[colour] = true
		}
		var bars []picture.Box
		for _, b := range d.Boxes {
			switch {
			case b.Y < d.Top || b.Y >= d.Bottom:
			case states[b.Colour]:
				bars = append(bars, b)
			case b.Colour == path && slices.ContainsFunc(bars, func(bar picture.Box) bool {
				return b.X < bar.X+bar.W && bar.X < b.X+b.W && b.Y < bar.Y+bar.H && bar.Y < b.Y+b.H
			}):
				t.Fatalf("seed %d: the path at %+v hides a state", seed, b)
			}
		}
	}
}
