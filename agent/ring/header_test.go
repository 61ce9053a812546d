package ring

import (
	"go/ast"
	"go/constant"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestHeader proves that native/ring.h has the same layout of memory as this package: every number that it names has
// the same name and value here.
func TestHeader(t *testing.T) {
	ours, theirs := constants(t), enums(t)
	if len(theirs) < 40 {
		t.Fatalf("ring.h has %d names only; is it parsed correctly?", len(theirs))
	}
	for name, value := range theirs {
		goName, known := spelling(name, ours)
		switch {
		case !known:
			t.Errorf("ring.h has %s, and layout.go nothing of that name (%s)", name, goName)
		case ours[goName] != value:
			t.Errorf("%s is %d in ring.h, and %s is %d in layout.go", name, value, goName, ours[goName])
		}
	}
	for _, kind := range []string{"ThreadStart", "DefineMethod", "HasPayload"} {
		if _, found := ours[kind]; !found {
			t.Errorf("layout.go has no %s", kind)
		}
	}
}

// TestHeaderFields proves that the fields of the structures in ring.h are at the offsets in layout.go.
func TestHeaderFields(t *testing.T) {
	text := header(t)
	sizes := map[string]int64{"uint64_t": 8, "int64_t": 8, "uint32_t": 4, "char": 1}
	field := regexp.MustCompile(`(?m)^\t(\w+) (\w+)(?:\[(\d+)\])?;`)
	ours := constants(t)
	for _, structure := range []string{"header", "control"} {
		body := regexp.MustCompile(`(?s)struct ` + structure + ` \{(.*?)\n\};`).FindStringSubmatch(text)
		if body == nil {
			t.Fatalf("ring.h has no struct %s", structure)
		}
		at, seen := int64(0), 0
		for _, found := range field.FindAllStringSubmatch(body[1], -1) {
			name := "at" + camel(found[2])
			if found[2] == "pid" || found[2] == "jvm" {
				name = "at" + strings.ToUpper(found[2])
			}
			if offset, known := ours[name]; known {
				seen++
				if offset != at {
					t.Errorf("%s of struct %s is at %d, and %s is %d", found[2], structure, at, name, offset)
				}
			} else if !strings.HasPrefix(found[2], "unused") {
				t.Errorf("struct %s has %s, and layout.go no %s", structure, found[2], name)
			}
			count := int64(1)
			if found[3] != "" {
				count, _ = strconv.ParseInt(found[3], 10, 64)
			}
			at += sizes[found[1]] * count
		}
		if seen < 6 {
			t.Errorf("only %d fields of struct %s were compared", seen, structure)
		}
	}
}

func header(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../native/ring.h")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// enums returns the constants of ring.h, evaluated as Go.
func enums(t *testing.T) map[string]int64 {
	t.Helper()
	values := make(map[string]int64)
	scope := types.NewPackage("ring.h", "ring")
	for _, enum := range regexp.MustCompile(`(?s)\nenum(?: \w+)? \{(.*?)\}`).FindAllStringSubmatch(header(t), -1) {
		next := int64(0)
		for _, item := range strings.Split(enum[1], ",") {
			name, expression, given := strings.Cut(strings.TrimSpace(item), "=")
			if name = strings.TrimSpace(name); name == "" {
				continue
			}
			if given {
				result, err := types.Eval(token.NewFileSet(), scope, token.NoPos, expression)
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				next, _ = constant.Int64Val(result.Value)
			}
			values[name] = next
			scope.Scope().Insert(types.NewConst(token.NoPos, scope, name, types.Typ[types.UntypedInt],
				constant.MakeInt64(next)))
			next++
		}
	}
	return values
}

// constants returns the integer constants of layout.go.
func constants(t *testing.T) map[string]int64 {
	t.Helper()
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "layout.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	config := types.Config{Importer: importer.Default()}
	pkg, err := config.Check("ring", files, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	values := make(map[string]int64)
	for _, name := range pkg.Scope().Names() {
		if c, ok := pkg.Scope().Lookup(name).(*types.Const); ok {
			values[name], _ = constant.Int64Val(c.Val())
		}
	}
	return values
}

// spellings has the names of ring.h that are not the Go names in capitals.
var spellings = map[string]string{
	"PHASE_WAITING": "Waiting", "PHASE_RECORDING": "Recording", "PHASE_ENDED": "Ended",
	"RING_FREE": "free", "RING_LIVE": "live", "RING_RETIRED": "retired",
	"HEADER_SIZE": "headerSize", "CONTROL_SIZE": "controlSize", "CONTROLS_AT": "controlsAt",
	"DEFINITIONS_AT": "definitionsAt", "RINGS_AT": "ringsAt", "EXTENSIONS_AT": "extensionsAt",
	"GC_START": "GCStart", "GC_FINISH": "GCFinish", "CPU_USED": "CPUUsed", "OWNER_NEWS": "OwnerNews",
}

// spelling returns the Go name for a name of ring.h.
func spelling(name string, ours map[string]int64) (string, bool) {
	goName, special := spellings[name]
	if !special {
		goName = camel(strings.ToLower(name))
	}
	_, known := ours[goName]
	return goName, known
}

// camel joins words_of_c to WordsOfGo.
func camel(name string) string {
	var joined strings.Builder
	for word := range strings.SplitSeq(name, "_") {
		joined.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return joined.String()
}
