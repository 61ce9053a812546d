package deadlock

// Known is how many threads and monitors the Finder knows.
func (f *Finder) Known() (threads, monitors int) { return len(f.threads), len(f.monitors) }
