package testtool

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// Programs returns a folder with what examples and scripts record: the programs of docs/testdata/java as app.jar,
// server.jar and probe.jar, the agent's library libtrcxagent.so, and jdk, a link to the newest JDK. The folder is
// shared and must not be changed. The test is skipped where it cannot be made; see Need.
func Programs(t testing.TB) string {
	t.Helper()
	Agent(t)
	folder, err := programs()
	if err != nil {
		t.Fatal(err)
	}
	return folder
}

// CanRecord is Programs for those that have no test: it returns the tool that is missing, if any.
func CanRecord() (folder string, missing *Tool, err error) {
	for _, name := range []string{"gcc", "JDK"} {
		if tool := Lookup(name); !found(tool) {
			return "", &tool, nil
		}
	}
	folder, err = programs()
	return folder, nil, err
}

func found(tool Tool) bool {
	_, found := tool.Find()
	return found
}

var programs = sync.OnceValues(func() (string, error) {
	library, err := agent()
	if err != nil {
		return "", err
	}
	all := FindJDKs(Oldest)
	jdk := all[len(all)-1]
	sources, err := filepath.Glob(filepath.Join(root, "docs", "testdata", "java", "*.java"))
	if err != nil {
		return "", err
	}
	classes, err := javac(jdk, []string{"--release", "17"}, sources)
	if err != nil {
		return "", err
	}
	key := sha256.Sum256([]byte(classes + library + jdk.Home))
	return cached(fmt.Sprintf("programs-%x", key), func(folder string) error {
		if err := os.Symlink(jdk.Home, filepath.Join(folder, "jdk")); err != nil {
			return err
		}
		if err := os.Symlink(library, filepath.Join(folder, "libtrcxagent.so")); err != nil {
			return err
		}
		return jars(jdk, classes, folder)
	})
})

// jars makes a jar of each program, which is a class of its own and those nested in it.
func jars(jdk JDK, classes, folder string) error {
	for _, main := range []string{"App", "Server", "Probe"} {
		names, err := filepath.Glob(filepath.Join(classes, main+"*.class"))
		if err != nil {
			return err
		}
		jar := filepath.Join(folder, strings.ToLower(main)+".jar")
		args := []string{"--create", "--file", jar, "--main-class", main}
		for _, name := range names {
			args = append(args, "-C", classes, filepath.Base(name))
		}
		if err := run(jdk.Tool("jar"), args...); err != nil {
			return err
		}
	}
	return nil
}
