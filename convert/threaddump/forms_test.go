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

// TestNoThread: a dump of which no thread can be read is an error in each form, whatever stands around it, and no thread is taken to have ended by it.
func TestNoThread(t *testing.T) {
	printed := string(dumps(t)["jdk8_deadlock.txt"])
	head := "2024-05-06 07:08:10\nFull thread dump OpenJDK 64-Bit Server VM (17.0.15+6 mixed mode, sharing):\n\n"
	last := "\nJNI global refs: 4, weak refs: 0\n"
	for name, c := range map[string]struct{ text, says string }{
		"printed":       {head + last, `"name" #7 prio=5`},
		"of the VM":     {head + "\"VM Thread\" os_prio=0 tid=0x00007f0000000600 nid=0x106 runnable\n" + last, `"name" #7 prio=5`},
		"escaped":       {strings.NewReplacer(`"`, "&quot;", "<", "&lt;", ">", "&gt;").Replace(printed), "the source of a web page"},
		"escaped plain": {"30\n2026-11-22T08:42:57Z\n21.0.4+7\n\n#26 &quot;main&quot;\n      app.Main.main(Main.java:5)\n\n", "the source of a web page"},
		"JSON":          {`{"threadDump": {}}`, `"threadContainers"`},
		"JSON, less":    {`{"threadDump": {"threadContainers": [{"container": "<root>", "threads": []}]}}`, `"threadContainers"`},
	} {
		got := readValid(t, []byte(c.text))
		if said := strings.Join(got.findings, "\n"); strings.Count(said, "[threaddump-empty]") != 1 || !strings.Contains(said, c.says) {
			t.Errorf("%s: the findings are %q", name, got.findings)
		}
	}
	behind := readValid(t, []byte(printed+head+last))
	if said := strings.Join(behind.findings, "\n"); !strings.Contains(said, "[threaddump-empty]") || strings.Contains(strings.Join(behind.elements, ""), "<threadEnd ") {
		t.Errorf("behind another one: %q\n%s", behind.findings, strings.Join(behind.elements, ""))
	}
	cut := readValid(t, []byte(head))
	if len(cut.findings) != 1 || !strings.Contains(cut.findings[0], "[threaddump-truncated]") {
		t.Errorf("cut off: %q", cut.findings)
	}
}
