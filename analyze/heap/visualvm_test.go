package heap

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/trace/javaname"
)

// visualVM returns what VisualVM reports of a dump: by name the classes' objects and bytes, and by id the own and
// retained sizes of the objects that retain most.
func visualVM(t *testing.T, jdk testtool.JDK, file string, most int) (classes map[string][2]uint64,
	objects map[uint64][2]uint64) {
	t.Helper()
	testtool.Need(t, "visualvm")
	var jars []string
	for _, name := range []string{"org-graalvm-visualvm-lib-jfluid-heap.jar", "org-openide-util*.jar"} {
		found, err := filepath.Glob(filepath.Join("/usr/share/visualvm", "*", "*", name))
		check(t, err)
		jars = append(jars, found...)
	}
	path := strings.Join(jars, string(filepath.ListSeparator))
	driver := testtool.Javac(t, jdk, []string{"-cp", path}, "testdata/Biggest.java")
	out, err := exec.CommandContext(t.Context(), jdk.Tool("java"), "-cp", driver+string(filepath.ListSeparator)+path,
		"Biggest", file, fmt.Sprint(most)).Output()
	check(t, err)
	classes, objects = map[string][2]uint64{}, map[uint64][2]uint64{}
	for line := range strings.Lines(string(out)) {
		var name string
		var id, a, b uint64
		if _, err := fmt.Sscanf(line, "class %s %d %d", &name, &a, &b); err == nil {
			classes[name] = [2]uint64{a, b}
		} else if _, err := fmt.Sscanf(line, "object %d %d %d", &id, &a, &b); err == nil {
			objects[id] = [2]uint64{a, b}
		}
	}
	return classes, objects
}

// TestAgreementWithVisualVM: VisualVM counts the same objects and bytes for each class, and the same retained sizes for
// most of the objects that retain most. Where these differ, VisualVM is wrong: counting what becomes unreachable
// without the object shows it. VisualVM does not know the fields that HotSpot adds to some classes (isEnlarged), so
// objects that retain objects of these are left out.
func TestAgreementWithVisualVM(t *testing.T) {
	testtool.Need(t, "visualvm")
	for _, jdk := range testtool.JDKs(t, 17) {
		t.Run(jdk.String(), func(t *testing.T) {
			file := dumpFile(t, jdk, "Heap")
			classes, objects := visualVM(t, jdk, file, 300)
			g, _ := graphOf(t, file)
			compareClasses(t, g, classes)
			compareRetained(t, g, objects)
		})
	}
}

func compareClasses(t *testing.T, g *Graph, visualVM map[string][2]uint64) {
	t.Helper()
	compared := 0
	for _, row := range g.Classes(nil) {
		if row.Class.Name == "java/lang/Class" {
			continue // VisualVM only counts arrays of primitive types
		}
		name := javaname.Class(row.Class.Name)
		got, want := visualVM[name], [2]uint64{row.Count, row.Bytes}
		if isEnlarged(row.Class) {
			got[1] = want[1]
		}
		if got != want {
			t.Errorf("%s: VisualVM counts %d, want %d", name, got, want)
		}
		compared++
	}
	if compared < 100 {
		t.Errorf("%d classes are compared", compared)
	}
}

func compareRetained(t *testing.T, g *Graph, visualVM map[uint64][2]uint64) {
	t.Helper()
	d := g.Dominators()
	left, all := retainsEnlarged(g, d), reached(g, func(uint32) bool { return false })
	equal, different := 0, 0
	for id, sizes := range visualVM {
		o, found := g.Find(id)
		switch {
		case !found:
			t.Errorf("the dump has no object %d", id)
		case left[o]:
		case d.Retained(o) == sizes[1]:
			equal++
		default:
			different++
			if got, want := d.Retained(o), lost(g, all, func(x uint32) bool { return x == uint32(o) }); got != want {
				t.Errorf("%s %d retains %d bytes, want %d; VisualVM says %d", g.ClassOf(o).ClassName(), id, got, want, sizes[1])
			}
		}
	}
	if equal < 100 || different > equal/10 {
		t.Errorf("%d objects retain what VisualVM says, and %d do not", equal, different)
	}
}

// isEnlarged reports whether HotSpot adds fields to the objects of a class: its static fields, or fields of threads,
// loaders and modules.
func isEnlarged(c *Class) bool {
	switch c.Name {
	case "java/lang/Class", "java/lang/Module", "java/lang/ref/Reference$ReferenceHandler":
		return true
	}
	return strings.HasSuffix(c.Name, "Thread") || strings.HasSuffix(c.Name, "ClassLoader")
}

// retainsEnlarged marks the objects that retain an object of a class that isEnlarged, and such objects.
func retainsEnlarged(g *Graph, d *Dominators) []bool {
	retains := make([]bool, g.Size())
	for o := range g.Size() {
		if !isEnlarged(g.ClassOf(Object(o))) {
			continue
		}
		for at, is := Object(o), true; is && !retains[at]; at, is = d.Dominator(at) {
			retains[at] = true
		}
	}
	return retains
}
