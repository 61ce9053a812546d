package bci

import "testing"

// BenchmarkCandidate measures candidate with the agent's hooks for a class of java.base, BenchmarkRewrite measures
// Rewrite with hooks at every place. Both use the first JDK that is found.
//
//	go test ./agent/bci -run '^$' -bench . -cpu 1
func BenchmarkCandidate(b *testing.B) {
	classes, hooks := benchmarked(b), agentHooks(25)
	b.ReportAllocs()
	for b.Loop() {
		for _, e := range classes {
			candidate(e.class, hooks)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(classes)), "ns/class")
}

func BenchmarkRewrite(b *testing.B) {
	classes := benchmarked(b)
	b.ReportAllocs()
	for b.Loop() {
		for _, e := range classes {
			if _, err := Rewrite(e.class, everywhere); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(classes)), "ns/class")
}

func benchmarked(b *testing.B) []extracted {
	b.Helper()
	j := jdks(b)[0]
	j.baseClasses(b, func(string, []byte) {})
	return javaBase[j.Version]
}
