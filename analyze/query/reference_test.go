package query_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/trcx/trcx/analyze/query"
	"github.com/trcx/trcx/internal/testtool"
)

// whole is a document without white space between elements, of which XPath would make texts.
const whole = `<TRACE>` +
	`<threadStart threadId="1" time="1000.5" threadName="main" groupName="system"/>` +
	`<monWait threadIdRef="1" time="1001.25" objIdRef="7" timeout="0"/>` +
	`<monWait threadIdRef="2" time="1002" objIdRef="8" timeout="50"><annotation name="stack" value="5 6"/><annotation name="x" value="1"/><annotation name="x" value="2"/></monWait>` +
	`<monWaited threadIdRef="2" time="1003" objIdRef="8" isTimedOut="1"><annotation name="stack" value="5 6">text</annotation></monWaited>` +
	`<odd a="1" b="1"><a><b c="3">x</b><b c="4">y z</b></a><a b="2"/>tail<monWait timeout="9"/></odd>` +
	`<odd a="" b="-1.5"><b c="3"><b c="5"><a>3</a></b></b></odd>` +
	`<empty/>` +
	`</TRACE>`

// byXmllint is what libxml2 says of an expression, or false if it understands it not.
func byXmllint(t *testing.T, file, expression string) ([]string, bool) {
	t.Helper()
	out, err := exec.Command("xmllint", "--xpath", expression, file).Output()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit) && exit.ExitCode() == 10: // nothing is selected
		return nil, true
	case err != nil:
		return nil, false
	}
	return lines(string(out)), true
}

// lines are those of the text but for the elements that are above the others.
func lines(text string) []string {
	return slices.DeleteFunc(strings.Split(strings.TrimSuffix(text, "\n"), "\n"), func(line string) bool {
		return line == "" || strings.HasPrefix(line, "<TRACE") || strings.HasPrefix(line, "<?xml") || line == "</TRACE>"
	})
}

// byQuery is what a query says, in xmllint's form.
func byQuery(t *testing.T, q *query.Query, expression string) []string {
	t.Helper()
	if q.Gives() == query.Elements {
		out, err := answered(q, whole, "trcxml")
		if err != nil {
			t.Fatalf("%s: %v", expression, err)
		}
		return lines(out)
	}
	out, err := answered(q, whole, "json")
	if err != nil {
		t.Fatalf("%s: %v", expression, err)
	}
	var values []string
	for line := range strings.Lines(out) {
		var result struct {
			Attribute, Value string
			Text             *string
		}
		if err := json.Unmarshal([]byte(line), &result); err != nil {
			t.Fatal(err)
		}
		if result.Text != nil {
			values = append(values, *result.Text)
		} else {
			values = append(values, fmt.Sprintf(" %s=%q", result.Attribute, result.Value))
		}
	}
	return values
}

func needsXmllint(t *testing.T) (file string) {
	t.Helper()
	testtool.Need(t, "xmllint")
	file = filepath.Join(t.TempDir(), "whole.xml")
	if err := os.WriteFile(file, []byte(whole), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// compare reports whether both results are equal; ok is false if one of them has none.
func compare(t *testing.T, file, expression string) (ok bool) {
	t.Helper()
	q, err := query.Compile(expression)
	if err != nil || q.Gives() == query.Elements|query.Values {
		return false
	}
	want, ok := byXmllint(t, file, expression)
	if !ok {
		return false
	}
	if got := byQuery(t, q, expression); !slices.Equal(got, want) {
		t.Errorf("%s selects\n%s\nwant\n%s", expression, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	return true
}

// TestAgainstXmllint compares what expressions select with what libxml2 selects in the whole document.
func TestAgainstXmllint(t *testing.T) {
	file := needsXmllint(t)
	for _, expression := range []string{
		"//monWait", "/TRACE/monWait", "TRACE/monWait", "/*/monWait", "/TRACE/*", "//monWait/@timeout", "//@*",
		"//text()", "//*[@timeout]", "//annotation",
		"//annotation[1]", "//annotation[2]", "//annotation[last()]", "//annotation[position() < 3]",
		"//annotation[position() = last()]", "//annotation/following-sibling::annotation",
		"//annotation/preceding-sibling::*", "//annotation/preceding-sibling::*[1]",
		"//annotation/..", "//annotation/ancestor::*", "//b/ancestor-or-self::b", "//b//a", "//b/b/..", "//*[.='text']",
		"//*[. = 3]", "//b[@c=3]", "//b[@c='3']", "//b[@c!=3]",
		"//b[3=@c]", "//b['3'=@c]", "//b['4'!=@c]", "//odd[5 > .//@c]", "//odd[4 < .//@c]", "//odd[.//@c > 4]",
		"//odd[.//@c = .//@a]", "//odd[a/@b = b/@c]",
		"//odd[@a = @b]", "//odd[@a != @b]", "//odd[not(@a = @b)]", "//odd[@a = '']", "//*[@timeout >= 50]",
		"//*[@timeout <= 9]", "//*[@timeout div 2 = 25]", "//*[@timeout mod 7 = 1]",
		"//*[@timeout + 1 > 9]", "//*[-@timeout < 0]", "//*[@b < 0]", "//*[@b = -1.5]", "//*[number(@b) = number(@b)]",
		"//*[boolean(@a)]", "//*[true() = @a]", "//*[@a = true()]",
		"//*[(@a = 1) = (@b = 1)]", "//*[not(0)]", "//*[not('')]", "//*[not('a')]", "//*[@timeout and @objIdRef]",
		"//*[@isTimedOut or @timeout=9]",
		"//*[starts-with(@threadName, 'ma')]", "//*[starts-with(@none, '')]", "//*[contains(@value, '5')]",
		"//*[contains(., 'z')]", "//*[substring-before(@time, '.') = 1000]",
		"//*[substring-after(@time, '.') = 25]", "//*[substring(@time, 3) = '03']",
		"//*[substring(@time, 1.5, 2.6) = '003']", "//*[substring(@time, 0, 3) = '10']",
		"//*[string-length(@time) = 4]",
		"//*[string-length() = 4]", "//*[normalize-space() = 'xy z']",
		"//*[translate(@threadName, 'main', 'MAI') = 'MAI']", "//*[concat(@threadId, '-', @time) = '1-1000.5']",
		"//*[name() = 'odd']", "//*[local-name(..) = 'odd']", "//*[name(@*) = 'c']", "//*[count(annotation) = 3]",
		"//*[count(.//*) > 3]",
		"//*[floor(@b) = -2]", "//*[ceiling(@b) = -1]", "//*[round(@b) = -1]", "//odd[b]", "//odd[a/b]", "//odd[.//b]",
		"//odd[*]", "//*[self::odd or self::empty]",
		"//odd | //empty", "//empty | //odd", "//odd/a | //odd/b", "(//odd | //empty)[@a]",
		"(//annotation)[@name = 'x']/@value", "(//odd/a)/b", "//odd[(a)[1]/b]", "//odd[(a)[2]/@b]",
		"//odd//monWait", "//odd/descendant::b", "//odd/descendant-or-self::*", "//*[descendant::b]", "//odd/a[2]",
		"//odd/*[2]", "//odd/*[last()]",
		"//odd/*[position() mod 2 = 1]", "//odd/a[b[@c=4]]", "//odd/a[b[2]]", "//odd[a[b[2]/@c = 4]/b/@c = 3]",
		"//@c[. > 3]", "//b/@c[../text()]", "//@*[name() = 'c']", "//*[@*[. = '1']]",
		"//*[@* = 1]", "//odd/a/b/text()", "//odd/text()", "//annotation/text()", "//*[text()]", "//*[text() = 'tail']",
		"//nothing", "//monWait[@nothing]", "//*[@timeout * 1 > 5 and not(@threadIdRef = 1)]",
		"//*[.//b and not(a)]", "/descendant::monWait", "/descendant-or-self::node()/monWait", "/TRACE//b",
		"/TRACE/descendant::b/@c", "//a[../@a]", "//a[ancestor::odd/@b = 1]", "/TRACE/self::*/odd",
	} {
		if !compare(t, file, expression) {
			_, err := query.Compile(expression)
			t.Errorf("%s is not compared: %v", expression, err)
		}
	}
}

// TestRandomExpressions does so for expressions that nobody would write.
func TestRandomExpressions(t *testing.T) {
	file := needsXmllint(t)
	number, seed := 1500, uint64(1)
	if more, err := strconv.Atoi(os.Getenv("TRCX_DIFFERENTIAL")); err == nil {
		number, seed = max(number, more), uint64(os.Getpid())
	}
	g := &grammar{rand.New(rand.NewPCG(seed, 2))}
	compared := 0
	for range number {
		if compare(t, file, g.path(0)) {
			compared++
		}
	}
	t.Logf("%d of %d expressions were compared, seed %d", compared, number, seed)
	if compared < number/8 {
		t.Errorf("%d expressions were compared, which proves little", compared)
	}
}

// grammar writes expressions.
type grammar struct{ *rand.Rand }

func (g *grammar) one(of ...string) string { return of[g.IntN(len(of))] }

func (g *grammar) path(depth int) string {
	var b strings.Builder
	if depth == 0 {
		b.WriteString(g.one("//", "//", "/TRACE/", "/TRACE//"))
	} else {
		b.WriteString(g.one("", "", "", ".//", "../"))
	}
	for i := range 1 + g.IntN(3) {
		if i > 0 {
			b.WriteString(g.one("/", "/", "//"))
		}
		b.WriteString(g.one("", "", "", "", "descendant::", "self::", "parent::", "ancestor::", "ancestor-or-self::",
			"descendant-or-self::", "following-sibling::", "preceding-sibling::", "@"))
		b.WriteString(g.one("a", "b", "c", "odd", "annotation", "monWait", "*", "*", "text()", "node()"))
		for depth < 3 && g.IntN(3) == 0 {
			b.WriteString("[" + g.condition(depth+1) + "]")
		}
	}
	return b.String()
}

func (g *grammar) condition(depth int) string {
	switch g.IntN(7) {
	case 0:
		return g.path(depth)
	case 1:
		return g.one("1", "2", "last()", "position() = 2", "position() < last()")
	case 2:
		return "not(" + g.value(depth) + ")"
	case 3:
		return g.value(depth) + g.one(" and ", " or ") + g.value(depth)
	default:
		return g.value(depth) + g.one(" = ", " != ", " < ", " <= ", " > ", " >= ") + g.value(depth)
	}
}

func (g *grammar) value(depth int) string {
	switch g.IntN(9) {
	case 0:
		return g.one("0", "1", "3", "-1.5", "50")
	case 1:
		return g.one("'x'", "''", "'3'", "'odd'", "true()", "false()")
	case 2:
		return g.one("@a", "@b", "@c", "@timeout", "@name", "@value")
	case 3:
		return "(" + g.value(depth) + g.one(" + ", " - ", " * ", " div ", " mod ") + g.value(depth) + ")"
	case 4:
		return g.one("count", "name", "boolean", "string", "number") + "(" + g.path(depth) + ")"
	case 5:
		return g.one("name()", "string-length()", "normalize-space()", "string(.)", "number()")
	case 6:
		if g.IntN(4) == 0 {
			return g.one("substring-after", "substring-before") + "(" + g.value(depth) + ", " + g.one("'0'", "'ode'") +
				")"
		}
		return g.one("contains", "starts-with", "concat") + "(" + g.value(depth) + ", " + g.value(depth) + ")"
	default:
		return g.path(depth)
	}
}
