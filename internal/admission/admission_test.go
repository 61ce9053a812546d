package admission_test

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/trcx/trcx/internal/admission"
)

// TestOldestDisplaced proves that connections without the token displace the oldest of them, and none with the token.
func TestOldestDisplaced(t *testing.T) {
	limit := admission.NewLimit(2, 2)
	var gone []int
	var places []*admission.Place
	enter := func() *admission.Place {
		number := len(places)
		places = append(places, limit.Enter(func() { gone = append(gone, number) }))
		return places[number]
	}
	enter()
	enter()
	enter().Leave() // 2 has displaced 0
	enter()         // 3 is the second one, after 1
	first := places[1].Welcome()
	if again := places[1].Welcome(); !first || !again {
		t.Error("1 is refused")
	}
	enter() // 4, after 3
	enter() // 5 displaces 3
	if !slices.Equal(gone, []int{0, 3}) {
		t.Errorf("displaced are %v", gone)
	}
	for i, want := range []bool{true, false, false, true, false, false} {
		if got := places[i].Displaced(); got != want {
			t.Errorf("displaced %d: %v", i, got)
		}
	}
}

// TestKnownLimit proves that a connection with the token counts once, whatever its state was before, until it leaves.
func TestKnownLimit(t *testing.T) {
	limit := admission.NewLimit(1, 2)
	enter := func() *admission.Place { return limit.Enter(func() {}) }
	late, first := enter(), enter()
	if !late.Displaced() || !late.Welcome() || late.Displaced() || !first.Welcome() {
		t.Error("a displaced connection with the token is at a disadvantage")
	}
	third := enter()
	if third.Welcome() {
		t.Error("a third one is within the limit of two")
	}
	late.Leave()
	late.Leave()
	if !third.Welcome() || enter().Welcome() {
		t.Error("the limit after one has left is not two")
	}
	if late.Welcome() {
		t.Error("one that has left is counted again")
	}
}

// TestEnterWaits proves that no more connections are displaced than the limit until one has left or is welcome.
func TestEnterWaits(t *testing.T) {
	for name, end := range map[string]func(*admission.Place){
		"leaves": (*admission.Place).Leave, "is welcome": func(p *admission.Place) { p.Welcome() },
	} {
		synctest.Test(t, func(t *testing.T) {
			limit := admission.NewLimit(2, 1)
			enter := func() *admission.Place { return limit.Enter(func() {}) }
			first := enter()
			for range 3 {
				enter()
			}
			var entered atomic.Bool
			go func() {
				enter()
				entered.Store(true)
			}()
			synctest.Wait()
			if entered.Load() {
				t.Error("a third connection is displaced")
			}
			end(first)
			synctest.Wait()
			if !entered.Load() {
				t.Errorf("no other is displaced after one %s", name)
			}
		})
	}
}

// TestAllEnter proves that all waiting connections enter when the displaced ones have left.
func TestAllEnter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limit := admission.NewLimit(2, 1)
		enter := func() *admission.Place { return limit.Enter(func() {}) }
		places := []*admission.Place{enter(), enter(), enter(), enter()}
		var entered atomic.Int32
		for range 5 {
			go func() {
				place := enter()
				entered.Add(1)
				place.Leave()
			}()
		}
		synctest.Wait()
		for _, p := range slices.Backward(places) { // the displaced are the last to leave
			p.Leave()
		}
		synctest.Wait()
		if n := entered.Load(); n != 5 {
			t.Errorf("%d of 5 entered", n)
		}
	})
}

// TestAtOnce proves that no number of connections at once exceeds a limit.
func TestAtOnce(t *testing.T) {
	limit := admission.NewLimit(8, 4)
	var all sync.WaitGroup
	var mu sync.Mutex
	with, welcomed := 0, 0
	for range 64 {
		all.Go(func() {
			for range 200 {
				place := limit.Enter(func() {})
				runtime.Gosched()
				if place.Welcome() {
					mu.Lock()
					welcomed++
					if with++; with > 4 {
						t.Errorf("%d connections have the token", with)
					}
					mu.Unlock()
					runtime.Gosched()
					mu.Lock()
					with--
					mu.Unlock()
				}
				place.Leave()
			}
		})
	}
	all.Wait()
	if welcomed == 0 {
		t.Error("no connection was welcome")
	}
}
