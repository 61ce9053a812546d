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

// whole is a document without white space between elements, because XPath would make texts of it.
const whole = `<TRACE>` +
	`<threadStart threadId="1" time="1000.5" threadName="main" groupName="system"/>` +
	`<monWait threadIdRef="1" time="1001.25" objIdRef="7" timeout="0"/>` +
	`<monWait threadIdRef="2" time="1002" objIdRef="8" timeout="50"><annotation name="stack" value="5 6"/><annotation name="x" value="1"/><annotation name="x" value="2"/></monWait>` +
	`<monWaited threadIdRef="2" time="1003" objIdRef="8" isTimedOut="1"><annotation name="stack" value="5 6">text</annotation></monWaited>` +
	`<odd a="1" b="1"><a><b c="3">x</b><b c="4">y z</b></a><a b="2"/>tail<monWait timeout="9"/></odd>` +
	`<odd a="" b="-1.5"><b c="3"><b c="5"><a>3</a></b></b></odd>` +
	`<num v="1_0" w="+5" a=" 7 " b="-.5">Infinity</num><num v="0x10p0" w="inf" a="5." b="1000"><num v="- 5" w="&#160;5">5</num>7</num>` +
	`<num v="NaN" w="--5" a="" b="."><b c="+1000"/><b c="1000"/></num>` +
	`<empty/>` +
	`</TRACE>`

// byXmllint returns what libxml2 selects by an expression; false if libxml2 does not understand it.
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
	return lines(strings.ReplaceAll(string(out), "&#xA0;", "\u00a0")), true
}

// lines returns the lines of the text, but not of elements that enclose others.
func lines(text string) []string {
	return slices.DeleteFunc(strings.Split(strings.TrimSuffix(text, "\n"), "\n"), func(line string) bool {
		return line == "" || strings.HasPrefix(line, "<TRACE") || strings.HasPrefix(line, "<?xml") || line == "</TRACE>"
	})
}

// byQuery returns what a query selects, in xmllint's form.
func byQuery(t *testing.T, q *query.Query, expression string) []string {
	t.Helper()
	if q.Formats()[0] == query.XML {
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
			values = append(values, fmt.Sprintf(` %s="%s"`, result.Attribute, result.Value))
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
	if err != nil || q.Formats()[0] == query.JSON {
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
		"//text()", "//*[@timeout]", "//annotation", "/TRACE//b", "TRACE//b", "/*//b", "/TRACE//*", "/TRACE//*/b",
		"/TRACE//@c", "/TRACE//text()", "//a//@b", "//odd//@*", "//a//text()", "//*/@c", "//*/text()", "/TRACE//*//@c", "//a//*//text()",
		"//annotation[1]", "//annotation[2]", "//annotation[last()]", "//annotation[01]", "//*[1 = 1]", "//*['a' != 'a']", "//annotation[2][@value = 1]",
		"//b//a", "//b//b", "//*[.='text']", "//*[. = 3]", "//b[@c=3]", "//b[@c='3']", "//b[@c!=3]",
		"//odd[.//@c > 4]", "//odd[@a = @b]", "//odd[@a != @b]", "//odd[not(@a = @b)]", "//odd[@a = '']",
		"//*[@timeout >= 50]", "//*[@timeout <= 9]", "//*[@timeout < 50.]", "//*[@b < 0]", "//*[@b = -1.5]", "//*[@b=-.5]",
		"//*[(@a = 1) and (@b = 1)]", "//*[@timeout and @objIdRef]", "//*[not((@timeout))]", "//*[(.) = 3]",
		"//*[@isTimedOut or @timeout=9]", "//*[@a = 1 or @b = 2 and @c]", "//*[(@a = 1 or @b = 2) and @a]",
		"//*[starts-with(@threadName, 'ma')]", "//*[starts-with(@none, 'x')]", "//*[contains(@value, '5')]",
		"//*[contains(., 'z')]", "//*[substring-before(@time, '.') = '1000']",
		"//*[substring-after(@time, '.') = '25']", "//*[substring-after(@none, '.') = '']",
		"//*[string-length(@time) = 4]", "//*[string-length(.) = 4]", "//*[string-length(@none) = 0]",
		"//*[name() = 'odd']", "//*[starts-with(name(), 'monW')]", "//*[contains(substring-after(@time, '1'), '.')]",
		"//*[count(annotation) = 3]", "//*[count(.//*) > 3]", "//*[count(.//b[@c]) = 2]", "//*[count(annotation[@name]) < 1]",
		"//odd[b]", "//odd[a/b]", "//odd[.//b]", "//odd[./a]", "//odd[./@a]", "//odd[*]",
		"//odd | //empty", "//empty | //odd", "//odd/a | //odd/b", "//odd | //odd/a | //odd", "//@a | //@b",
		"//odd//monWait", "//odd/a[2]", "//odd/*[2]", "//odd/*[last()]", "//odd//b[1]", "//odd//*[2]", "//odd//a[last()]",
		"//odd/a[b[@c=4]]", "//odd/a[b[2]]", "//odd[a[b[2]/@c = 4]/b/@c = 3]", "//odd[a[last()]/@b]", "//odd[.//a[1]/b]",
		"//*[@* = 1]", "//odd/a/b/text()", "//odd/text()", "//annotation/text()", "//*[text()]", "//*[text() = 'tail']",
		"//num[@v = 1000]", "//num[@v != 1000]", "//num[@w > 4]", "//num[@w < 5.5]", "//num[@w != 5]", "//num[@a = 7]",
		"//num[. > 1]", "//num[. != 5]", "//num[b/@c = 1000]", "//num[b/@c != 1000]", "//num[b[@c]/@c <= 1000]", "//*[(@v) > 0]",
		"//num[@b >= -0.5]", "//num[text() > 1]", "//num[b[1]/@c > 1]", "//num[b[2]/@c > 1]", "//*[(.) > 3]", "//*[.//@c > 5]",
		"//nothing", "//monWait[@nothing]", "//*[.//b and not(a)]", "//*[true()]", "//*[not(false())]",
		`//*[. = "x"]`, `//*[@value != "5 6"]`, "//*[a/b/@c = 4]", "//*[.//a/b/@c = 4]", "//*[.//a//b/@c = 4]",
	} {
		if !compare(t, file, expression) {
			_, err := query.Compile(expression)
			t.Errorf("%s is not compared: %v", expression, err)
		}
	}
}

// TestRefused: an expression that the library evaluates differently from the standard, or panics at, is refused, and
// the message says what is supported.
func TestRefused(t *testing.T) {
	for _, expression := range []string{
		// text or number first, two sets of nodes, booleans, and what is no condition
		"//b[3=@c]", "//b['3'=@c]", "//b['4'!=@c]", "//odd[5 > .//@c]", "//odd[.//@c = .//@a]", "//odd[a/@b = b/@c]",
		"//x[a[b] = c]", "//*[boolean(@a)]", "//*[true() = @a]", "//*[@a = true()]", "//*[(@a = 1) = (@b = 1)]",
		"//*[not(0)]", "//*[not('')]", "//*[@a and 'x']", "//*[name()]", "//*[string-length(@a)]", "//*[name() = @a]",
		"//*[@a = (@b = 1)]", "//*[substring-after(@time, '.') = 25]", "//*[name() > 5]", "//*[@a < '5']",
		"//*[@a < @b]", "//*[count(a) = '3']", "//*[name() < 'b']",
		// arguments
		"//x[starts-with(a[b], @c)]", "//*[starts-with(@none, '')]", "//*[contains(3, '3')]", "//*[contains(count(a), '1')]",
		"//*[count(@a = 1)]", "//*[count('a') = 1]", "//*[substring-after(@time, '') = 1]", "//*[matches(@a, '(')]",
		"//*[contains(.//b/@c, '3')]", "//*[count(.//b//b) = 1]", "//*[string-length() = 4]", "//*[name(@*) = 'c']",
		"//*[local-name(..) = 'odd']", "//*[contains(@a)]", "//*[true(1)]", "//*[lower-case(@a, 'b') = 'c']",
		// functions
		"//*[number(@b) = 1]", "//*[normalize-space(.) = 'xy z']", "//*[translate(@a, 'b', 'c') = 'd']", "//*[floor(@b) = 2]",
		"//*[concat(@a, '-', @b) = '1']", "//*[substring(@time, 3) = '03']", "//*[string(@a) = 'b']", "//*[sum(a) = 3]",
		"//*[id('a')]", "//*[replace(@a, 'b', 'c') = 'd']", "//*[reverse(a)]", "//*[string-join(a, 'b') = 'c']",
		// calculations, axes, positions, brackets
		"//*[@timeout div 2 = 25]", "//*[@timeout mod 7 = 1]", "//*[@timeout + 1 > 9]", "//*[-@timeout < 0]",
		"//annotation/following-sibling::annotation", "//annotation/preceding-sibling::*[1]", "//b/ancestor-or-self::b",
		"//annotation/..", "//b/b/..", "//a[../@a]", "//a[ancestor::odd/@b = 1]", "//odd/descendant::b",
		"//*[self::odd or self::empty]", "/descendant::monWait", "//child::a", "//attribute::a", "//namespace::a",
		"//monWait[1]", "//monWait[last()]", "//annotation[position() < 3]", "//odd/*[position() mod 2 = 1]",
		"//annotation[last() - 1]", "//annotation[@name][2]", "//annotation[1.5]", "//annotation[0]", "//annotation[-1]",
		"//annotation[last()][1]", "//text()[1]", "/TRACE/*[@timeout][2]", "(//monWait)[1]",
		"(//odd | //empty)[@a]", "(//annotation)[@name = 'x']/@value", "(//odd/a)/b", "//odd[(a)[1]/b]", "//*[a | b]",
		"//@c[. > 3]", "//*[@*[. = '1']]", "//text()[. = 'x']", "//@a/b", "//@a/@b", "//text()/a", "//odd[.[1]]",
		// nodes of other elements, and what a trace does not have
		"/", "/TRACE", "/*", ".", "..", "/TRACE/@x", "@timeout > 0", "/TRACE/text()", "text()", "/monWait", "//TRACE",
		"//*/b", "//*//b", "//*/*", "//*[a]/b", "//*[contains(., '3')]//text()", "//*//@c", "/TRACE[threadEnd]/monWait", "//monWait[//threadEnd]",
		"//monWait[@x = /TRACE/threadEnd/@y]", "//comment()", "//node()", "//processing-instruction()", "//x:y", "//x:*",
		"//*[@x:y]", "//monWait/position()", "//a/(b)",
		// values
		"count(//monWait)", "string-length(//monWait/@time)", "1 + 1", "1", "'x'", "name()", "//monWait | 3",
		"//monWait | //a = 3", "//a = 3 | //b", "position() = 1", "last()",
		// no XPath
		"", "  ", "//", "//@", "monWait/", "//monWait[]", "//monWait]", "//monWait)", "//monWait foo", "//monWait[@x",
		"//monWait[@x = 'a]", "//monWait[@x == 1]", "//monWait[@x <> 1]", "//monWait[@x && @y]", "//monWait[!@x]",
		"//monWait[@x || @y]", "//monWait[@x=$y]", "//monWait AND true()", "\x00", "a\xff", "//monWait[@x = \u201ca\u201d]",
		"//\u00e9", "(1)[1]", "'x'[1]", "//a[(]", "//a[contains(@b 'c')]",
		strings.Repeat("a or ", 2000) + "a", strings.Repeat("a[", 300) + "a" + strings.Repeat("]", 300),
	} {
		_, err := query.Compile(expression)
		var wrong *query.Error
		if !errors.As(err, &wrong) || wrong.At > len(expression) ||
			!strings.HasSuffix(err.Error(), "; "+query.Supported) {
			t.Errorf("%.60q: the error is %v", expression, err)
		}
	}
}

// TestRandomExpressions compares random expressions in the same way.
func TestRandomExpressions(t *testing.T) {
	file := needsXmllint(t)
	number, seed := 1500, uint64(1)
	if more, err := strconv.Atoi(os.Getenv("TRCX_DIFFERENTIAL")); err == nil {
		number, seed = max(number, more), uint64(os.Getpid())
	}
	g := &grammar{rand.New(rand.NewPCG(seed, 2))}
	compared := 0
	for range number {
		if compare(t, file, g.union()) {
			compared++
		}
	}
	t.Logf("%d of %d expressions were compared, seed %d", compared, number, seed)
	if compared < number/8 {
		t.Errorf("%d expressions were compared, which proves little", compared)
	}
}

// grammar writes expressions. Most of them are supported.
type grammar struct{ *rand.Rand }

func (g *grammar) one(of ...string) string { return of[g.IntN(len(of))] }

// rarely returns the text in one of 40 cases.
func (g *grammar) rarely(text string) string {
	if g.IntN(40) == 0 {
		return text
	}
	return ""
}

func (g *grammar) union() string {
	if g.IntN(6) == 0 {
		return g.path(0) + " | " + g.path(0)
	}
	return g.path(0)
}

func (g *grammar) path(depth int) string {
	var b strings.Builder
	if depth == 0 {
		b.WriteString(g.one("//", "//", "/TRACE/", "/TRACE//", "TRACE/", "/*/", "/*//"))
	} else {
		b.WriteString(g.one("", "", "", "", ".//", "./") + g.rarely("../") + g.rarely("//"))
	}
	for i := range 1 + g.IntN(3) {
		if i > 0 {
			b.WriteString(g.one("/", "/", "//"))
		}
		b.WriteString(g.rarely("descendant::") + g.rarely("self::") + g.rarely("following-sibling::"))
		b.WriteString(g.one("a", "b", "b", "odd", "num", "annotation", "monWait", "*", "*"))
		for depth < 3 && g.IntN(3) == 0 {
			b.WriteString("[" + g.condition(depth+1) + "]")
		}
	}
	switch g.IntN(6) {
	case 0, 1:
		b.WriteString(g.one("/", "/", "//") + g.one("@a", "@b", "@c", "@timeout", "@name", "@*"))
	case 2:
		b.WriteString(g.one("/", "/", "//") + "text()")
	}
	return b.String() + g.rarely("[1]")
}

func (g *grammar) condition(depth int) string {
	if depth > 4 {
		return "@a"
	}
	switch g.IntN(12) {
	case 0, 1:
		return g.path(depth)
	case 2:
		return g.one("1", "2", "3", "last()", "last()") + g.rarely(" - 1")
	case 3:
		return "not(" + g.condition(depth+1) + ")"
	case 4:
		return g.condition(depth+1) + g.one(" and ", " or ") + g.condition(depth+1)
	case 5:
		return "(" + g.condition(depth+1) + ")"
	case 6:
		return g.one("contains", "starts-with") + "(" + g.text(depth+1) + ", " + g.one("'0'", "'ode'", "'x'", "'3'") + ")"
	case 7:
		return g.one("@a", "@b", "@c") + g.one(" = ", " != ") + g.one("@a", "@b", "@c")
	case 8:
		return g.text(depth+1) + g.one(" = ", " != ", "=") + g.one("'x'", "''", "'3'", "'odd'", "'y z'")
	}
	return g.one(g.path(depth), g.number(), "string-length("+g.text(depth+1)+")", "count("+g.path(depth)+")", ".") +
		g.one(" = ", " != ", " < ", " <= ", ">", ">=") + g.one("0", "1", "3", "-1.5", "50", "4.", "1000", "5", "7", "-.5")
}

func (g *grammar) number() string { return g.one("@a", "@b", "@c", "@v", "@w", "@timeout", "@*") }

func (g *grammar) text(depth int) string {
	switch g.IntN(8) {
	case 0:
		return "name()"
	case 1, 2:
		if depth < 4 {
			return g.one("substring-after", "substring-before") + "(" + g.text(depth+1) + ", " + g.one("'0'", "'ode'") + ")"
		}
	case 3:
		return "."
	case 4:
		return g.one("@a", "@b", "@c", "@timeout", "@name", "@value")
	}
	return g.path(depth)
}
