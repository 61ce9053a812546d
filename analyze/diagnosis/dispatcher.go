package diagnosis

import (
	"strings"

	"github.com/trcx/trcx/enrich"
)

// dispatchers are the threads of the JDK that run the program's code for one thing after the other, by the beginnings
// of their names.
var dispatchers = []struct{ name, serves string }{
	{"AWT-EventQueue-", "all events of the user interface"},
	{"CompletableFutureDelayScheduler", "all timeouts and delays of CompletableFutures"},
	{"HTTP-Dispatcher", "all requests of the HTTP server"},
}

// addPeers adds whose input or output the threads wait for, and what else waits for it if a dispatcher does.
func (f *facts) addPeers(found *Finding, g *openGroup) {
	found.Evidence = append(found.Evidence, f.peers(g)...)
	at := g.Longest.Caller.Method
	if at != nil && !enrich.IsLibrary(at.Class) && len(g.Waiters) == 1 && g.Longest.Length() >= longWait {
		found.serveNothing(g.Longest.Thread.Name)
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
