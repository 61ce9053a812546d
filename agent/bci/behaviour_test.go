package bci

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// agentHooks returns all hooks that the agent uses in a JVM of this version.
func agentHooks(feature int) []Hook {
	if feature < 21 {
		return Synchronizers
	}
	return slices.Concat(Synchronizers, VirtualThreads, VirtualParks)
}

// TestBehaviour runs a program that compares the reports with its own calls: their number and arguments. The hooks are
// in all of java.base, too.
func TestBehaviour(t *testing.T) {
	for _, j := range jdks(t) {
		t.Run(fmt.Sprintf("JDK %d", j.Version), func(t *testing.T) {
			hooks, patched, fitting := agentHooks(j.Version), newPatches(t), 0
			rewrite := func(path string, class []byte) []byte {
				if !candidate(class, hooks) {
					return nil
				}
				result, err := Rewrite(class, hooks)
				if err != nil || len(result.LeftAlone) > 0 {
					t.Errorf("%s: %v, left alone %v", path, err, result.LeftAlone)
				}
				return result.Class
			}
			j.baseClasses(t, func(path string, class []byte) {
				if rewritten := rewrite(path, class); rewritten != nil {
					patched.add(t, path, rewritten)
					fitting++
				}
			})
			recorder, program := t.TempDir(), t.TempDir()
			j.compile(t, recorder, "--patch-module=java.base=testdata/recorder",
				"testdata/recorder/java/lang/TrcxRecorder.java")
			addRecorder(t, patched, recorder)
			j.compile(t, program, "testdata/Behaviour.java")
			rewriteFolder(t, program, rewrite)
			options := append(patched.options(t), "-Xverify:all", "-Xshare:off", "-cp", program, "Behaviour")
			output, err := j.run(t, "java", options...)
			t.Logf("%d classes of java.base rewritten; %d reports right", fitting, strings.Count(output, "\nright "))
			if err != nil || !strings.HasSuffix(output, "\nall right\n") {
				t.Errorf("%v\n%s", err, output)
			}
		})
	}
}

// addRecorder adds the compiled Recorder of testdata to java.base.
func addRecorder(t *testing.T, patched *patches, folder string) {
	t.Helper()
	class, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(recorderClass)+".class"))
	if err != nil {
		t.Fatal(err)
	}
	patched.add(t, "java.base/"+recorderClass+".class", class)
}

// rewriteFolder rewrites the classes in a folder.
func rewriteFolder(t *testing.T, folder string, rewrite func(string, []byte) []byte) {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(folder, "*.class"))
	for _, file := range files {
		class, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if rewritten := rewrite(file, class); rewritten != nil {
			if err := os.WriteFile(file, rewritten, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestHooksMatch proves that the methods of the agent's hooks exist in some version of the JDK.
func TestHooksMatch(t *testing.T) {
	for _, j := range jdks(t) {
		hooks := agentHooks(j.Version)
		fits := make([]int, len(hooks))
		j.baseClasses(t, func(path string, class []byte) {
			if !candidate(class, hooks) {
				return
			}
			for i := range hooks {
				if result, _ := Rewrite(class, hooks[i:i+1]); result.Methods > 0 {
					fits[i]++
				}
			}
		})
		for i, h := range hooks {
			if fits[i] == 0 {
				t.Errorf("JDK %d: no class has anything like %v", j.Version, h.Method)
			}
		}
	}
}
