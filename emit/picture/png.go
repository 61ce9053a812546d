package picture

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"math"

	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"

	"github.com/trcx/trcx/emit/internal/theme"
)

// raster is a canvas that becomes an image.
type raster struct {
	scale   float64
	image   *image.RGBA
	letters *letters
	faces   map[style]font.Face
	tiles   map[paint]*image.RGBA
	filler  vector.Rasterizer
}

// newPNG returns the canvas of a picture, or an error if it would have too many pixels.
func newPNG(l *layout, scale int) (*raster, error) {
	width, height := int(math.Ceil(l.width))*scale, int(math.Ceil(l.height))*scale
	if float64(width)*float64(height) > maxPixels {
		return nil, fmt.Errorf("picture: an image of %d by %d pixels is too large; fewer lanes, a smaller width or a "+
			"smaller scale would do", width, height)
	}
	return &raster{scale: float64(scale), image: image.NewRGBA(image.Rect(0, 0, width, height)), letters: l.letters,
		faces: make(map[style]font.Face), tiles: make(map[paint]*image.RGBA)}, nil
}

func (r *raster) finish(out io.Writer) error { return png.Encode(out, r.image) }

// begin and end do nothing: an image has no tooltips.
func (r *raster) begin(string) {}
func (r *raster) end()         {}

// box fills whole pixels, at least one, so that adjacent boxes have no seam.
func (r *raster) box(area rect, fill paint) {
	pixel := func(at float64) int { return int(math.Round(at * r.scale)) }
	x, y := pixel(area.x), pixel(area.y)
	target := image.Rect(x, y, max(x+1, pixel(area.right())), max(y+1, pixel(area.bottom())))
	if fill.pattern == "" || fill.pattern == theme.Plain {
		draw.Draw(r.image, target, image.NewUniform(rgba(fill.colour)), image.Point{}, draw.Src)
		return
	}
	r.tessellate(target, r.tile(fill))
}

// tessellate fills the target with the tile, repeated from the upper left corner of the image.
func (r *raster) tessellate(target image.Rectangle, tile *image.RGBA) {
	target = target.Intersect(r.image.Bounds())
	side := tile.Bounds().Dx()
	for y := target.Min.Y / side * side; y < target.Max.Y; y += side {
		for x := target.Min.X / side * side; x < target.Max.X; x += side {
			part := image.Rect(x, y, x+side, y+side).Intersect(target)
			draw.Draw(r.image, part, tile, image.Pt(part.Min.X-x, part.Min.Y-y), draw.Src)
		}
	}
}

// tile returns the square of a pattern.
func (r *raster) tile(fill paint) *image.RGBA {
	if tile := r.tiles[fill]; tile != nil {
		return tile
	}
	side := patternSize * int(r.scale)
	tile := image.NewRGBA(image.Rect(0, 0, side, side))
	draw.Draw(tile, tile.Bounds(), image.NewUniform(rgba(fill.colour)), image.Point{}, draw.Src)
	part := &raster{scale: r.scale, image: tile}
	for _, line := range patterns[fill.pattern].lines {
		part.line(line[:], pen{colour: theme.Ink(fill.colour), width: patterns[fill.pattern].width})
	}
	r.tiles[fill] = tile
	return tile
}

func (r *raster) line(points []point, pen pen) {
	var outlines [][]point
	for _, dash := range dashes(points, pen.dash) {
		for i := 1; i < len(dash); i++ {
			outlines = append(outlines, stroke(dash[i-1], dash[i], pen.width/2, i > 1, i < len(dash)-1))
		}
	}
	r.fill(outlines, pen.colour)
}

// stroke returns the outline of a straight line. It is longer where the line continues, so that corners are closed.
func stroke(from, to point, half float64, continuesBefore, continuesAfter bool) []point {
	length := math.Hypot(to.x-from.x, to.y-from.y)
	if length == 0 {
		return nil
	}
	dx, dy := (to.x-from.x)/length*half, (to.y-from.y)/length*half
	if continuesBefore {
		from = point{from.x - dx, from.y - dy}
	}
	if continuesAfter {
		to = point{to.x + dx, to.y + dy}
	}
	return []point{{from.x - dy, from.y + dx}, {from.x + dy, from.y - dx}, {to.x + dy, to.y - dx},
		{to.x - dy, to.y + dx}}
}

// dashes returns the parts of a dashed line that are drawn.
func dashes(points []point, lengths []float64) (parts [][]point) {
	if len(lengths) == 0 {
		return [][]point{points}
	}
	on, left, place := true, lengths[0], 0
	part := []point{points[0]}
	for i := 1; i < len(points); i++ {
		from, to := points[i-1], points[i]
		rest := math.Hypot(to.x-from.x, to.y-from.y)
		for rest > left {
			share := left / rest
			from = point{from.x + (to.x-from.x)*share, from.y + (to.y-from.y)*share}
			rest -= left
			if on {
				parts = append(parts, append(part, from))
			}
			on, place = !on, (place+1)%len(lengths)
			left, part = lengths[place], []point{from}
		}
		left -= rest
		part = append(part, to)
	}
	if on {
		parts = append(parts, part)
	}
	return parts
}

func (r *raster) shape(points []point, colour string) { r.fill([][]point{points}, colour) }

// fill fills polygons with antialiased edges.
func (r *raster) fill(outlines [][]point, colour string) {
	bounds := r.bounds(outlines)
	if bounds.Empty() {
		return
	}
	r.filler.Reset(bounds.Dx(), bounds.Dy())
	for _, outline := range outlines {
		for i, p := range outline {
			x, y := float32(p.x*r.scale-float64(bounds.Min.X)), float32(p.y*r.scale-float64(bounds.Min.Y))
			if i == 0 {
				r.filler.MoveTo(x, y)
			} else {
				r.filler.LineTo(x, y)
			}
		}
		r.filler.ClosePath()
	}
	r.filler.Draw(r.image, bounds, image.NewUniform(rgba(colour)), image.Point{})
}

// bounds returns the area of the image that the outlines touch.
func (r *raster) bounds(outlines [][]point) image.Rectangle {
	low, high := point{math.Inf(1), math.Inf(1)}, point{math.Inf(-1), math.Inf(-1)}
	for _, outline := range outlines {
		for _, p := range outline {
			low, high = point{min(low.x, p.x), min(low.y, p.y)}, point{max(high.x, p.x), max(high.y, p.y)}
		}
	}
	if low.x > high.x {
		return image.Rectangle{}
	}
	all := image.Rect(int(math.Floor(low.x*r.scale)), int(math.Floor(low.y*r.scale)), int(math.Ceil(high.x*r.scale)),
		int(math.Ceil(high.y*r.scale)))
	return all.Intersect(r.image.Bounds())
}

func (r *raster) text(t text) {
	x := t.at.x
	switch t.anchor {
	case center:
		x -= t.width / 2
	case right:
		x -= t.width
	}
	drawer := font.Drawer{Dst: r.image, Src: image.NewUniform(rgba(t.colour)), Face: r.face(t.style),
		Dot: fixed.Point26_6{X: r.fixed(x), Y: r.fixed(math.Round(t.at.y))}}
	drawer.DrawString(t.words)
}

func (r *raster) fixed(length float64) fixed.Int26_6 {
	return fixed.Int26_6(math.Round(length * r.scale * 64))
}

func (r *raster) face(s style) font.Face {
	if f := r.faces[s]; f != nil {
		return f
	}
	f, err := opentype.NewFace(r.letters.fonts[s.font()], &opentype.FaceOptions{Size: s.size * r.scale, DPI: 72,
		Hinting: font.HintingNone})
	if err != nil {
		panic(err) // the font is part of the program
	}
	r.faces[s] = f
	return f
}

func rgba(colour string) color.RGBA {
	red, green, blue := theme.RGB(colour)
	return color.RGBA{red, green, blue, 255}
}
