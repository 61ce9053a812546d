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

	"github.com/fsouza/fake-gcs-server/fakestorage"
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

// objects returns the traces by their names in a bucket.
func objects(t *testing.T, folder string) map[string]string {
	t.Helper()
	files, err := filepath.Glob(folder + "/*/*/*")
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		texts[strings.TrimPrefix(name, folder+"/")] = string(text)
	}
	return texts
}

// TestS3 uses a stand-in for s3://.
func TestS3(t *testing.T) {
	folder, backend := traces(t), s3mem.New()
	for _, bucket := range []string{"traces", "out"} {
		if err := backend.CreateBucket(bucket); err != nil {
			t.Fatal(err)
		}
	}
	for key, text := range objects(t, folder) {
		if _, err := backend.PutObject("traces", key, nil, strings.NewReader(text), int64(len(text)), nil); err != nil {
			t.Fatal(err)
		}
	}
	cut := &cutting{Handler: gofakes3.New(backend).Server(), seen: map[string]bool{}}
	server := httptest.NewServer(cut)
	defer server.Close()
	buckets(t, "s3://", folder, []string{"AWS_ENDPOINT_URL=" + server.URL, "AWS_ACCESS_KEY_ID=a", "AWS_SECRET_ACCESS_KEY=b",
		"AWS_REGION=here"})
	if len(cut.seen) < 6 {
		t.Errorf("only %v were asked for", cut.seen)
	}
}

// TestGS uses a stand-in for gs://.
func TestGS(t *testing.T) {
	folder := traces(t)
	var all []fakestorage.Object
	for key, text := range objects(t, folder) {
		all = append(all, fakestorage.Object{ObjectAttrs: fakestorage.ObjectAttrs{BucketName: "traces", Name: key},
			Content: []byte(text)})
	}
	cut := &cutting{seen: map[string]bool{}}
	plain := httptest.NewUnstartedServer(cut)
	address := plain.Listener.Addr().String()
	server, err := fakestorage.NewServerWithOptions(fakestorage.Options{InitialObjects: all, NoListener: true, PublicHost: address})
	if err != nil {
		t.Fatal(err)
	}
	server.CreateBucketWithOpts(fakestorage.CreateBucketOpts{Name: "out"})
	cut.Handler = server.HTTPHandler()
	plain.Start()
	defer plain.Close()
	buckets(t, "gs://", folder, []string{"STORAGE_EMULATOR_HOST=" + address})
	if len(cut.seen) < 6 {
		t.Errorf("only %v were asked for", cut.seen)
	}
}

// buckets sums up traces of a bucket into another one, and compares with the same traces on this machine. The first
// connection for each trace breaks off.
func buckets(t *testing.T, scheme, folder string, environment []string) {
	t.Helper()
	local, sums := t.TempDir(), scheme+"out/sums"
	for range 2 { // the second run replaces the files of the first one
		said := runs(t, exitDone, environment, "run", scheme+"traces/*/*/*", "-o", sums, "--shards", "2")
		if !strings.Contains(said, "6 files: 6 complete") {
			t.Errorf("it says: %s", said)
		}
	}
	must(t, exitDone, "run", folder+"/*/*/*", "-o", local)
	for _, table := range []string{"classes", "callers", "sites", "blame"} {
		of := filepath.Join(t.TempDir(), table)
		runs(t, exitDone, environment, "stats", sums, "--by", "service", "--table", table, "--format", "csv", "-o", of)
		got, err := os.ReadFile(of)
		if err != nil {
			t.Fatal(err)
		}
		if want, _ := must(t, exitDone, "stats", local, "--by", "service", "--table", table, "--format", "csv"); string(got) != want {
			t.Errorf("%s from the bucket differ:\n%s\nwant\n%s", table, got, want)
		}
	}
	for _, of := range []struct {
		status int
		want   string
		args   []string
	}{
		{exitIO, "no file matches", []string{"run", scheme + "traces/nothing/*", "-o", local}},
		{exitIO, "cannot be listed", []string{"run", scheme + "missing/*", "-o", local}},
		{exitIO, "cannot be written", []string{"run", folder + "/*/*/*", "-o", scheme + "missing/out"}},
		{exitUsage, "would be both read and written", []string{"run", sums + "/rows/*", "-o", sums + "/"}},
	} {
		if said := runs(t, of.status, environment, of.args...); !strings.Contains(said, of.want) {
			t.Errorf("%q says: %s, want %q", of.args, said, of.want)
		}
	}
}
