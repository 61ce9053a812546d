package main

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
)

// cutting breaks the connection off in the middle of the first answer to each request for an object.
type cutting struct {
	http.Handler
	mu   sync.Mutex
	seen map[string]bool
}

func (c *cutting) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	first := r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "/trace") && !c.seen[r.URL.Path]
	c.seen[r.URL.Path] = true
	c.mu.Unlock()
	if !first {
		c.Handler.ServeHTTP(w, r)
		return
	}
	whole := httptest.NewRecorder()
	c.Handler.ServeHTTP(whole, r)
	maps.Copy(w.Header(), whole.Header())
	w.WriteHeader(whole.Code)
	w.Write(whole.Body.Bytes()[:whole.Body.Len()/2])
	panic(http.ErrAbortHandler)
}

// TestS3 sums up traces in a bucket of a stand-in, into another one, and compares with the same traces on this machine.
// The first connection for each trace breaks off.
func TestS3(t *testing.T) {
	folder, local := traces(t), t.TempDir()
	backend := s3mem.New()
	for _, bucket := range []string{"traces", "out"} {
		if err := backend.CreateBucket(bucket); err != nil {
			t.Fatal(err)
		}
	}
	cut := &cutting{Handler: gofakes3.New(backend).Server(), seen: map[string]bool{}}
	server := httptest.NewServer(cut)
	defer server.Close()
	files, err := filepath.Glob(folder + "/*/*/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		key := strings.TrimPrefix(name, folder+"/")
		if _, err := backend.PutObject("traces", key, nil, strings.NewReader(string(text)), int64(len(text)), nil); err != nil {
			t.Fatal(err)
		}
	}
	environment := []string{"AWS_ENDPOINT_URL=" + server.URL, "AWS_ACCESS_KEY_ID=a", "AWS_SECRET_ACCESS_KEY=b", "AWS_REGION=here"}
	for range 2 { // the second run replaces the files of the first one
		said := runs(t, exitDone, environment, "run", "s3://traces/*/*/*", "-o", "s3://out/sums", "--shards", "2")
		if !strings.Contains(said, "6 files: 6 complete") {
			t.Errorf("it says: %s", said)
		}
	}
	if len(cut.seen) < len(files) {
		t.Errorf("only %v were asked for", cut.seen)
	}
	must(t, exitDone, "run", folder+"/*/*/*", "-o", local)
	for _, table := range []string{"classes", "callers", "sites", "blame"} {
		of := filepath.Join(t.TempDir(), table)
		runs(t, exitDone, environment, "stats", "s3://out/sums", "--by", "service", "--table", table, "--format", "csv", "-o", of)
		got, err := os.ReadFile(of)
		if err != nil {
			t.Fatal(err)
		}
		if want, _ := must(t, exitDone, "stats", local, "--by", "service", "--table", table, "--format", "csv"); string(got) != want {
			t.Errorf("%s from the bucket differ:\n%s\nwant\n%s", table, got, want)
		}
	}
	for _, of := range []struct {
		want string
		args []string
	}{
		{"no file matches", []string{"run", "s3://traces/nothing/*", "-o", local}},
		{"cannot be listed", []string{"run", "s3://missing/*", "-o", local}},
		{"cannot be written", []string{"run", folder + "/*/*/*", "-o", "s3://missing/out"}},
		{"would be both read and written", []string{"run", "s3://out/sums/rows/*", "-o", "s3://out/sums/"}},
	} {
		status := exitIO
		if strings.HasPrefix(of.want, "would") {
			status = exitUsage
		}
		if said := runs(t, status, environment, of.args...); !strings.Contains(said, of.want) || strings.Count(said, "\n") != 1 {
			t.Errorf("%q says: %s, want %q", of.args, said, of.want)
		}
	}
}
