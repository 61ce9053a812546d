package tables_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/trcx/trcx/fleet/rows"
	"github.com/trcx/trcx/fleet/tables"
)

// lower returns the median of numbers, rounded down.
func lower(numbers []*big.Int) *big.Int {
	sorted := slices.SortedFunc(slices.Values(numbers), (*big.Int).Cmp)
	sum := new(big.Int).Add(sorted[(len(sorted)-1)/2], sorted[len(sorted)/2])
	return sum.Rsh(sum, 1)
}

// standOut returns which rates are beyond the median by more than six median absolute deviations, with both.
func standOut(rates []*big.Int) (out []bool, median, mad *big.Int) {
	median = lower(rates)
	var deviations []*big.Int
	for _, rate := range rates {
		deviations = append(deviations, new(big.Int).Abs(new(big.Int).Sub(rate, median)))
	}
	mad = lower(deviations)
	limit := new(big.Int).Add(median, new(big.Int).Mul(mad, big.NewInt(6)))
	for _, rate := range rates {
		out = append(out, rate.Cmp(limit) > 0)
	}
	return out, median, mad
}

// TestOutliers compares the outliers of random fleets with a naive computation in big integers: JVMs by service, and
// hours by service. They are the same whatever labels the table has.
func TestOutliers(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	labels := []string{"service", "host", "hour"}
	join := func(values ...string) string { return rows.JoinLabels(values) }
	number := func() uint64 { return r.Uint64() >> r.IntN(64) } // also ones whose product with 1e9 overflows
	found := 0
	for round := range 400 {
		var set rows.Set
		small := round%2 == 0 // rates are small, so that many are just at the limit
		type jvm struct {
			service, name   string
			length, blocked uint64
		}
		var jvms, hours []jvm
		for i := range 1 + r.IntN(30) {
			of := jvm{service: fmt.Sprint("s", r.IntN(2)), name: fmt.Sprint("file", i), length: 1 + number()>>1}
			if r.IntN(3) > 0 {
				of.blocked = number() >> r.IntN(20)
			}
			if small {
				of.length, of.blocked = 1_000_000_000, of.blocked%16
			}
			jvms = append(jvms, of)
			host := fmt.Sprint("h", i)
			set.Add(rows.Key{Table: rows.Trace, Labels: join(of.service, host, ""), Trace: of.name},
				rows.Value{Length: of.length, Traces: 1, Status: rows.Complete})
			if of.blocked > 0 {
				set.Add(rows.Key{Table: rows.JVM, Labels: join(of.service, host, ""), Trace: of.name, Class: "C"},
					rows.Value{Total: of.blocked})
			}
		}
		for i := range 1 + r.IntN(30) {
			of := jvm{service: fmt.Sprint("s", i%2), name: fmt.Sprint("2026-11-27T", i/2), length: 1 + number()>>2}
			if r.IntN(3) > 0 {
				of.blocked = number() >> 1
			}
			hours = append(hours, of)
			for part, host := range []string{"h1", "h2"} { // an hour of a service is of all hosts
				length, blocked := of.length/2, of.blocked/2
				if part == 1 {
					length, blocked = of.length-length, of.blocked-blocked
				}
				set.Add(rows.Key{Table: rows.Hour, Labels: join(of.service, host, of.name)}, rows.Value{Length: length, Traces: 1})
				set.Add(rows.Key{Table: rows.Class, Labels: join(of.service, host, of.name), Class: "C", Time: "blocked"},
					rows.Value{Total: blocked})
			}
		}
		set.Add(rows.Key{Table: rows.Hour, Labels: join("s0", "h1", "")}, rows.Value{Length: 1, Traces: 1}) // unknown
		set.Add(rows.Key{Table: rows.Hour, Labels: join("s0", "h1", "2026-11-27Tdump")}, rows.Value{Traces: 1})
		for _, hour := range []string{"", "2026-11-27Tdump"} {
			set.Add(rows.Key{Table: rows.Class, Labels: join("s0", "h1", hour), Class: "C", Time: "blocked"}, rows.Value{Total: 9e9})
		}
		want := map[string]bool{}
		for kind, all := range map[string][]jvm{"jvm": jvms, "hour": hours} {
			for _, service := range []string{"s0", "s1"} {
				members := slices.DeleteFunc(slices.Clone(all), func(of jvm) bool { return of.service != service })
				if !slices.ContainsFunc(members, func(of jvm) bool { return of.blocked > 0 }) {
					continue
				}
				var rates []*big.Int
				for _, of := range members {
					rate := new(big.Int).Mul(new(big.Int).SetUint64(of.blocked), big.NewInt(1_000_000_000))
					rate.Quo(rate, new(big.Int).SetUint64(of.length))
					if !rate.IsUint64() {
						rate.SetUint64(1<<64 - 1)
					}
					rates = append(rates, rate)
				}
				out, median, mad := standOut(rates)
				for i, of := range members {
					if out[i] {
						want[fmt.Sprint(kind, of.name, "C", rates[i], median, mad, of.blocked, service)] = true
					}
				}
			}
		}
		for _, by := range [][]string{{"service"}, {}, labels} {
			all := tables.All(set.Sorted(), labels, by)
			outliers := all[slices.IndexFunc(all, func(t tables.Table) bool { return t.Name == "outliers" })].Rows
			for _, row := range outliers {
				if len(by) == 1 && !want[fmt.Sprint(row...)] {
					t.Fatalf("%v is no outlier", row)
				}
			}
			if len(outliers) != len(want) {
				t.Fatalf("by %q there are %d outliers, want %d", by, len(outliers), len(want))
			}
		}
		found += len(want)
	}
	if found < 100 {
		t.Errorf("there were %d outliers only", found)
	}
}
