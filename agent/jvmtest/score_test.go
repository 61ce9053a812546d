package jvmtest

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Key is what scores are counted by.
type Key struct {
	Kind    Kind
	Virtual bool // a virtual thread is involved
}

// Score counts claims and facts.
type Score struct {
	Claims, True int
	Facts, Found int      // facts that a trace must show
	Mistakes     []string // the first ones
}

// maxMistakes is the limit of mistakes kept for each kind.
const maxMistakes = 5

// Scores are the results of comparisons.
type Scores map[Key]*Score

// Thresholds are the least values for a trace: precision is the share of claims that are true, recall the share of
// facts that are found.
var Thresholds = map[Kind]struct{ Precision, Recall float64 }{
	Thread:        {0.99, 0.99},
	Start:         {0.99, 0.99},
	Notify:        {0.99, 0.99},
	NotifyAll:     {0.99, 0.99},
	Join:          {0.99, 0.99},
	Interrupt:     {0.99, 0.99},
	Timeout:       {0.99, 0.99},
	CallStart:     {0.99, 0.99},
	CallNotify:    {0.99, 0.99},
	CallInterrupt: {0.99, 0.99},
	Deadlock:      {0.99, 0.99},
	Sleep:         {0.99, 0.99},
	Handoff:       {0.99, 0.90},
	Barging:       {0.90, 0.90},
}

// reportedOnly are the kinds that need not be found for virtual threads: JVMs do not report the owner of a monitor that
// they are blocked on. The agent looks it up only if they are blocked for long.
var reportedOnly = map[Kind]bool{Handoff: true, Barging: true}

// short reports whether right out of all is less than the share, by more than scatter.
func short(all, right int, share float64, scatter int) bool {
	const rounding = 1e-9
	return float64(all-right) > (1-share)*float64(all)+float64(scatter)+rounding
}

func (s Scores) at(key Key) *Score {
	if s[key] == nil {
		s[key] = &Score{}
	}
	return s[key]
}

// claim counts a claim; wrong is its mistake, or "".
func (s Scores) claim(key Key, wrong string) {
	score := s.at(key)
	score.Claims++
	if wrong == "" {
		score.True++
		return
	}
	score.mistake(wrong)
}

// fact counts a fact that a trace must show.
func (s Scores) fact(key Key, found bool, missing func() string) {
	score := s.at(key)
	score.Facts++
	if found {
		score.Found++
		return
	}
	score.mistake(missing())
}

func (s *Score) mistake(text string) {
	if len(s.Mistakes) < maxMistakes {
		s.Mistakes = append(s.Mistakes, text)
	}
}

// Add adds other scores, without their mistakes.
func (s Scores) Add(others Scores) {
	for key, other := range others {
		score := s.at(key)
		score.Claims += other.Claims
		score.True += other.True
		score.Facts += other.Facts
		score.Found += other.Found
	}
}

// Subtract undoes Add.
func (s Scores) Subtract(others Scores) {
	for key, other := range others {
		score := s.at(key)
		score.Claims -= other.Claims
		score.True -= other.True
		score.Facts -= other.Facts
		score.Found -= other.Found
	}
}

// Precision returns the share of claims that are true, 1 without claims.
func (s *Score) Precision() float64 { return part(s.True, s.Claims) }

// Recall returns the share of facts that were found, 1 without facts.
func (s *Score) Recall() float64 { return part(s.Found, s.Facts) }

func part(some, all int) float64 {
	if all == 0 {
		return 1
	}
	return float64(some) / float64(all)
}

// keys returns the keys, sorted for a table.
func (s Scores) keys() []Key {
	return slices.SortedFunc(maps.Keys(s), func(a, b Key) int {
		return cmp.Or(cmp.Compare(a.threads(), b.threads()), strings.Compare(string(a.Kind), string(b.Kind)))
	})
}

func (k Key) threads() string {
	if k.Virtual {
		return "virtual"
	}
	return "platform"
}

// String returns a table.
func (s Scores) String() string {
	var text strings.Builder
	for _, key := range s.keys() {
		score := s[key]
		fmt.Fprintf(&text, "%-8s %-13s %7d claims %6.2f %% true %7d facts %6.2f %% found\n",
			key.threads(), key.Kind, score.Claims, 100*score.Precision(), score.Facts, 100*score.Recall())
	}
	return text.String()
}

// Mistakes returns the first mistakes of each kind.
func (s Scores) Mistakes() string {
	var text strings.Builder
	for _, key := range s.keys() {
		for _, mistake := range s[key].Mistakes {
			fmt.Fprintf(&text, "%s %s: %s\n", key.threads(), key.Kind, mistake)
		}
	}
	return text.String()
}

// Below returns the thresholds that are missed by more than scatter mistakes: the programs of a test run are a small
// sample.
func (s Scores) Below(scatter int) (all []string) {
	for _, key := range s.keys() {
		score, least := s[key], Thresholds[key.Kind]
		if short(score.Claims, score.True, least.Precision, scatter) {
			all = append(all, fmt.Sprintf("%s %s: %.2f %% of %d claims are true, at least %.0f %% must be",
				key.threads(), key.Kind,
				100*score.Precision(), score.Claims, 100*least.Precision))
		}
		if short(score.Facts, score.Found, least.Recall, scatter) && !(key.Virtual && reportedOnly[key.Kind]) {
			all = append(all, fmt.Sprintf("%s %s: %.2f %% of %d facts are found, at least %.0f %% must be",
				key.threads(), key.Kind,
				100*score.Recall(), score.Facts, 100*least.Recall))
		}
	}
	return all
}
