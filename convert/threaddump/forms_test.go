package threaddump_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// TestForms: dumps of several forms behind each other are all read, in any order, with one finding, also behind one that is cut off.
func TestForms(t *testing.T) {
	texts := dumps(t)
	whole := map[string]string{"printed": string(texts["jdk8_deadlock.txt"]), "json": string(texts["jdk25.json"]), "plain": string(texts["jdk21_plain.txt"])}
	named := map[string]string{}
	for form := range whole {
		_, rest, _ := strings.Cut(strings.Join(readValid(t, []byte(whole[form])).elements, ""), `threadName="`)
		name, _, _ := strings.Cut(rest, `"`)
		named[form] = `threadName="` + name + `"`
	}
	for first := range whole {
		for second := range whole {
			for _, between := range []string{"", "\n", "4711:\nCreated dump.json\n"} {
				if first == second {
					continue
				}
				got := readValid(t, []byte(whole[first]+between+whole[second]))
				all := strings.Join(got.elements, "")
				if !strings.Contains(all, named[first]) || !strings.Contains(all, named[second]) {
					t.Errorf("%s, then %s: one is missing:\n%s", first, second, all)
				}
				if said := strings.Join(got.findings, "\n"); strings.Count(said, "[threaddump-forms]") != 1 || strings.Contains(said, "error: ") || len(got.findings) > 3 {
					t.Errorf("%s, then %s: the findings are\n%s", first, second, said)
				}
			}
		}
	}
	cut := whole["json"][:len(whole["json"])*2/3]
	got := readValid(t, []byte(cut+"\n"+whole["printed"]))
	if all := strings.Join(got.elements, ""); !strings.Contains(all, `threadId="30"`) || !strings.Contains(all, named["printed"]) || len(got.findings) > 3 {
		t.Errorf("behind JSON that is cut off: %q\n%s", got.findings, all)
	}
}

// TestPlacesBehindAnotherForm: findings have the places that they have in the whole input.
func TestPlacesBehindAnotherForm(t *testing.T) {
	texts := dumps(t)
	printed := texts["jdk8_deadlock.txt"]
	got := readValid(t, append(bytes.Clone(printed), `{"threadDump": {"threadContainers": [{"threads": [{"name": "x"}]}]}}`...))
	want := fmt.Sprintf("%d:51: error: a thread has no", bytes.Count(printed, []byte("\n"))+1)
	if !strings.Contains(strings.Join(got.findings, "\n"), want) {
		t.Errorf("%q is not among %q", want, got.findings)
	}
}
