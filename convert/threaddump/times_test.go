package threaddump_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestTimes: each dump has a later time than the one before it. If how much later is not known of all dumps, or of none,
// the trace says that its times are no measure.
func TestTimes(t *testing.T) {
	const last = `<traceEnd time="%s" traceIdRef="1"/>`
	for _, c := range []struct {
		stamps, last string
		untimed      bool
	}{
		{"none", "0.000000000", false},
		{"none none none", "2.000000000", true},
		{"08 08 08", "1709622488.000000002", true},
		{"08 none", "1709622489.000000000", true},
		{"none 08", "1.000000000", true},
		{"08 08 09 09", "1709622489.000000001", false},
		{"08 11", "1709622491.000000000", false},
	} {
		var text strings.Builder
		for stamp := range strings.FieldsSeq(c.stamps) {
			if stamp != "none" {
				fmt.Fprintf(&text, "2024-03-05 07:08:%s\n", stamp)
			}
			text.WriteString("Full thread dump X VM (1):\n\n\"a\" prio=5 tid=0x0a nid=0x1 waiting for monitor entry\n" +
				"\tat app.Main.main(Main.java:3)\n\t- waiting to lock <0x88af0010> (a app.Log)\n\n")
		}
		got := readValid(t, []byte(text.String()))
		all := strings.Join(got.elements, "\n")
		if !strings.Contains(all, fmt.Sprintf(last, c.last)) || len(got.findings) > 1 ||
			strings.Contains(all, `<option key="TIMESTAMPS" value="false"/>`) != c.untimed {
			t.Errorf("%s: %q in\n%s", c.stamps, got.findings, all)
		}
	}
}
