package critical_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/trace"
)

// oraclePause is a pause, in nanoseconds since 1970.
type oraclePause struct{ from, to int64 }

// oraclePauses are the pauses of the document: "gcStart and gcFinish pair as brackets do; one without the other, or
// that ends before it begins, is none; overlapping ones are united. An unreadable paused is no pause. A gcStart with
// the annotation paused … is a pause only if paused is at least nine tenths of its length".
func oraclePauses(t *testing.T, document []byte) (united []oraclePause) {
	t.Helper()
	type open struct {
		at     int64
		paused string
		noted  bool
	}
	var brackets []open
	var all []oraclePause
	for name, attributes := range oracleElements(t, document) {
		at, reading := trace.ParseTime([]byte(attributes["time"]))
		if reading != trace.Exact {
			continue
		}
		switch last := len(brackets) - 1; {
		case name == "gcStart":
			paused, noted := attributes["note paused"]
			brackets = append(brackets, open{int64(at), paused, noted})
		case name == "gcFinish" && last >= 0:
			begin := brackets[last]
			brackets = brackets[:last]
			length := int64(at) - begin.at
			if length <= 0 || begin.noted && !isNineTenths(begin.paused, length) {
				continue
			}
			all = append(all, oraclePause{begin.at, int64(at)})
		}
	}
	slices.SortFunc(all, func(a, b oraclePause) int { return int(a.from - b.from) })
	for _, p := range all {
		if last := len(united) - 1; last >= 0 && p.from <= united[last].to {
			united[last].to = max(united[last].to, p.to)
			continue
		}
		united = append(united, p)
	}
	return united
}

// pausesSince returns the pauses with times since the start.
func pausesSince(pauses []oraclePause, start int64) []oraclePause {
	for i := range pauses {
		pauses[i].from, pauses[i].to = pauses[i].from-start, pauses[i].to-start
	}
	return pauses
}

func isNineTenths(paused string, length int64) bool {
	if paused == "" || strings.Trim(paused, "0123456789") != "" {
		return false
	}
	part, _ := new(big.Int).SetString(paused+"0", 10)
	return part.Cmp(new(big.Int).Mul(big.NewInt(9), big.NewInt(length))) >= 0
}

// withPauses inserts random beginnings and ends of collections into the document, between its elements.
func withPauses(document []byte, chance *rand.Rand) []byte {
	at := func() string {
		times := timesOf.FindAllString(string(document), -1)
		return times[chance.IntN(len(times))]
	}
	insert := func(when string) (element string) {
		switch chance.IntN(9) {
		case 0, 1:
			return "<gcStart " + when + "/>"
		case 2, 3, 4:
			return "<gcFinish " + when + "/>"
		case 5: // anywhere
			return "<gcFinish " + at() + "/>"
		case 6:
			return "<gcStart " + at() + "/>"
		case 7:
			paused := []string{"", "x", "-1", "1", "900000", "5000000", "20000000", "900000000"}[chance.IntN(8)]
			return fmt.Sprintf(`<gcStart %s><annotation name="paused" value="%s"/></gcStart>`, when, paused)
		}
		return `<gcStart time="soon"/>`
	}
	var b strings.Builder
	depth := 0
	for element := range strings.SplitAfterSeq(string(document), ">") {
		b.WriteString(element)
		tag := strings.TrimSpace(element)
		switch {
		case strings.HasPrefix(tag, "</"):
			depth--
		case strings.HasPrefix(tag, "<") && !strings.HasPrefix(tag, "<?") && !strings.HasPrefix(tag, "<!") &&
			!strings.HasSuffix(tag, "/>"):
			depth++
		}
		if when := timesOf.FindString(element); depth == 1 && when != "" && chance.IntN(3) == 0 {
			b.WriteString(insert(when))
		}
	}
	return []byte(b.String())
}

// TestPauses compares the pauses of random collections with the oracle's.
func TestPauses(t *testing.T) {
	found := 0
	for seed := range testtool.Times(uint64(300)) {
		chance := rand.New(rand.NewPCG(seed, 13))
		var b strings.Builder
		b.WriteString("<TRACE>")
		different := []int64{10, 1000, 1_000_000_000}[seed%3]
		now := int64(0)
		for range 60 {
			if now += chance.Int64N(different / 10); chance.IntN(4) == 0 {
				now = chance.Int64N(different)
			}
			fmt.Fprintf(&b, `<objAlloc objId="1" time="1700000000.%09d"/>`, now%1_000_000_000)
		}
		document := withPauses([]byte(b.String()+"</TRACE>"), chance)
		r := recorded(t, document)
		var want []critical.Pause
		for _, p := range oraclePauses(t, document) {
			want = append(want, critical.Pause{From: trace.Time(p.from), To: trace.Time(p.to)})
		}
		if got := r.Pauses(); !slices.Equal(got, want) {
			t.Fatalf("seed %d: got %v, want %v of\n%s", seed, got, want, document)
		}
		found += len(want)
		for range 20 {
			from, to := 1_700_000_000_000_000_000+chance.Int64N(different), 1_700_000_000_000_000_000+chance.Int64N(different)
			sum := int64(0)
			for _, p := range want {
				sum += max(min(int64(p.To), to)-max(int64(p.From), from), 0)
			}
			if from >= to {
				sum = 0
			}
			if got := r.PausedBetween(trace.Time(from), trace.Time(to)); got != sum {
				t.Fatalf("seed %d: %d ns of pauses from %d to %d, want %d; pauses %v", seed, got, from, to, sum, want)
			}
		}
	}
	if found == 0 {
		t.Error("there was no pause")
	}
}
