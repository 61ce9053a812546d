package histogram

import "slices"

// Figures are the names of the figures.
func Figures() []string { return slices.Clone(figures) }

var figures = []string{"total", "count", "min", "max", "mean", "p50", "p90", "p99"}

// Figure returns the figure of the name: in nanoseconds, or a number for the count. "" is the total.
func (d *Distribution) Figure(name string) uint64 {
	switch name {
	case "count":
		return d.Count
	case "min":
		return uint64(d.Min)
	case "max":
		return uint64(d.Max)
	case "mean":
		return uint64(d.Mean())
	case "p50":
		return uint64(d.Percentile(50))
	case "p90":
		return uint64(d.Percentile(90))
	case "p99":
		return uint64(d.Percentile(99))
	}
	return d.Total
}
