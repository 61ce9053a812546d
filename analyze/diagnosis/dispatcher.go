package diagnosis

import "strings"

// dispatchers are the threads of the JDK that run the program's code for one thing after the other, by the beginnings
// of their names.
var dispatchers = []struct{ name, serves string }{
	{"AWT-EventQueue-", "all events of the user interface"},
	{"CompletableFutureDelayScheduler", "all timeouts and delays of CompletableFutures"},
	{"HTTP-Dispatcher", "all requests of its HTTP server"},
}

// addServed adds to the finding on a thread that waits in the program's code for long what else waits for it, if it is
// such a thread.
func (found *Finding) addServed(g *openGroup) {
	if w := &g.Longest; len(g.Waiters) == 1 && isOfProgram(&w.Caller) && w.Length() >= longWait {
		found.serveNothing(w.Thread.Name)
	}
}

// serveNothing makes the finding on a thread that has not moved for long a fault if it is such a thread.
func (found *Finding) serveNothing(thread string) {
	for _, d := range dispatchers {
		if strings.HasPrefix(thread, d.name) {
			found.own = false
			found.Evidence = append(found.Evidence, "It serves "+d.serves+", so none of them is served meanwhile.")
		}
	}
}
