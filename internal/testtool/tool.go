package testtool

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Tool is what tests need in addition to Go.
type Tool struct {
	Name     string
	Programs []string // names on the PATH, one of which is enough; nil for a JDK, for jars and for a package of npm
	Jars     []string // patterns of names in the folder of jars, all of which are needed; see findJars
	Debian   []string // the packages that have it
	NPM      string   // the package of npm that has it, with its version
	Tests    string   // what is tested with it
	Optional bool     // CI does without it, and make deps does not install it
}

// idleThreads describes the tests with libraries that have pools.
const idleThreads = "threads of pools and event loops that wait for work"

// Tools are all tools.
var Tools = []Tool{
	{Name: "gcc", Programs: []string{"gcc"}, Debian: []string{"gcc", "libc6-dev"},
		Tests: "the agent: everything that records JVMs"},
	{Name: "JDK", Debian: []string{"openjdk-17-jdk-headless"},
		Tests: "the agent, and the readers of heap dumps, flight recordings and thread dumps, on running JVMs"},
	{Name: "chromium", Programs: []string{"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"},
		Debian: []string{"chromium-headless-shell", "fonts-noto-core", "fonts-noto-color-emoji"},
		Tests:  "the report's page in a browser"},
	{Name: "xmllint", Programs: []string{"xmllint"}, Debian: []string{"libxml2-utils"},
		Tests: "the parser, DTD validation and queries, compared with libxml2"},
	{Name: "dot", Programs: []string{"dot"}, Debian: []string{"graphviz"}, Tests: "graphs, drawn by Graphviz"},
	{Name: "protoc", Programs: []string{"protoc"}, Debian: []string{"protobuf-compiler"},
		Tests: "Perfetto's protobuf, decoded by another program"},
	{Name: "sh", Programs: []string{"sh"}, Debian: []string{"dash"}, Tests: "examples of the documentation"},
	{Name: "bash", Programs: []string{"bash"}, Debian: []string{"bash"}, Tests: "completion, and the CI action"},
	{Name: "zsh", Programs: []string{"zsh"}, Debian: []string{"zsh"}, Tests: "completion"},
	{Name: "fish", Programs: []string{"fish"}, Debian: []string{"fish"}, Tests: "completion"},
	{Name: "groff", Programs: []string{"groff"}, Debian: []string{"groff-base"}, Tests: "the manual page"},
	{Name: "zip", Programs: []string{"zip"}, Debian: []string{"zip"}, Tests: "nothing; make release packs with it"},
	{Name: "gzip", Programs: []string{"gzip"}, Debian: []string{"gzip"}, Tests: "compressed traces"},
	{Name: "zstd", Programs: []string{"zstd"}, Debian: []string{"zstd"}, Tests: "compressed traces"},
	{Name: "jq", Programs: []string{"jq"}, Debian: []string{"jq"}, Tests: "examples of the documentation that use jq"},
	{Name: "node", Programs: []string{"node"}, Debian: []string{"nodejs"}, Tests: "see speedscope and @duckdb/node-api"},
	{Name: "npm", Programs: []string{"npm"}, Debian: []string{"npm"}, Tests: "see speedscope, typescript and @duckdb/node-api"},
	{Name: "speedscope", NPM: "speedscope@1.25.0", Tests: "Trace Event JSON, imported by speedscope"},
	{Name: "typescript", NPM: "typescript@7.0.2", Tests: "types of the page's scripts"},
	{Name: "@duckdb/node-api", NPM: "@duckdb/node-api@1.5.6-r.1", Tests: "rows of trcx-fleet, queried by DuckDB"},
	{Name: "soffice", Programs: []string{"soffice"}, Debian: []string{"libreoffice-calc"},
		Tests: "tables, opened by LibreOffice", Optional: true},
	{Name: "visualvm", Programs: []string{"visualvm"}, Debian: []string{"visualvm"},
		Tests: "heap dumps, compared with VisualVM's analysis", Optional: true},
	{Name: "tomcat", Jars: []string{"tomcat10-*[a-z].jar"}, Debian: []string{"libtomcat10-java"},
		Tests: "recordings of a web server", Optional: true},
	{Name: "h2", Jars: []string{"h2.jar"}, Debian: []string{"libh2-java"}, Tests: "recordings of a database",
		Optional: true},
	{Name: "derby", Jars: []string{"derby.jar"}, Debian: []string{"libderby-java"}, Tests: "recordings of a database",
		Optional: true},
	{Name: "jetty", Jars: []string{"jetty9-server.jar", "jetty9-util.jar", "jetty9-io.jar", "jetty9-http.jar",
		"servlet-api.jar"}, Debian: []string{"libjetty9-java"}, Tests: idleThreads, Optional: true},
	{Name: "netty", Jars: []string{"netty-*[a-z].jar"}, Debian: []string{"libnetty-java"}, Tests: idleThreads, Optional: true},
	{Name: "xnio", Jars: []string{"xnio-api.jar", "xnio-nio.jar", "jboss-logging.jar", "jboss-threads.jar",
		"wildfly-common.jar", "wildfly-client-config.jar"}, Debian: []string{"libjboss-xnio-java"}, Tests: idleThreads,
		Optional: true},
	{Name: "hikari", Jars: []string{"HikariCP.jar", "h2.jar", "slf4j-api.jar"},
		Debian: []string{"libhikaricp-java", "libh2-java"}, Tests: idleThreads, Optional: true},
	{Name: "dbcp", Jars: []string{"commons-dbcp2.jar", "commons-pool2.jar", "commons-logging.jar",
		"geronimo-jta-1.2-spec.jar", "h2.jar"},
		Debian: []string{"libcommons-dbcp2-java", "libgeronimo-jta-1.2-spec-java", "libh2-java"}, Tests: idleThreads, Optional: true},
	{Name: "c3p0", Jars: []string{"c3p0.jar", "h2.jar"},
		Debian: []string{"libc3p0-java", "libh2-java"}, Tests: idleThreads, Optional: true},
}

// Find reports whether a tool is installed, and where: the path of a program, the home of the oldest JDK, a class path
// of jars, or the folder of a package of npm.
func (t Tool) Find() (path string, found bool) {
	switch {
	case t.NPM != "":
		path = filepath.Join(Modules(), "node_modules", t.Name)
		return path, exists(path)
	case t.Name == "JDK":
		if all := FindJDKs(Oldest); len(all) > 0 {
			return all[0].Home, true
		}
		return "", false
	case t.Jars != nil:
		return findJars(t.Jars)
	}
	for _, program := range t.Programs {
		if path, err := exec.LookPath(program); err == nil {
			return path, true
		}
	}
	return "", false
}

// findJars returns a class path of the jars of these names or patterns in Debian's folder, or in the folder that
// TRCX_JARS names.
func findJars(patterns []string) (path string, found bool) {
	folder := cmp.Or(os.Getenv("TRCX_JARS"), "/usr/share/java")
	var all []string
	for _, pattern := range patterns {
		jars, err := filepath.Glob(filepath.Join(folder, pattern))
		if err != nil || len(jars) == 0 {
			return "", false
		}
		all = append(all, jars...)
	}
	return strings.Join(all, string(filepath.ListSeparator)), true
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// String is the tool's name and what installs it.
func (t Tool) String() string {
	if t.NPM != "" {
		return fmt.Sprintf("%s (npm: %s)", t.Name, t.NPM)
	}
	return fmt.Sprintf("%s (Debian: %s)", t.Name, strings.Join(t.Debian, " "))
}

// Lookup returns the tool of a name, which must be in the table.
func Lookup(name string) Tool {
	i := slices.IndexFunc(Tools, func(t Tool) bool { return t.Name == name })
	if i < 0 {
		panic("testtool: unknown tool " + name)
	}
	return Tools[i]
}

// Need returns where a tool is; see Tool.Find. The test is skipped under -short and where the tool is missing; in CI it
// fails if make deps should have installed the tool.
func Need(t testing.TB, name string) string {
	t.Helper()
	Long(t)
	tool := Lookup(name)
	path, found := tool.Find()
	if !found {
		missing(t, tool)
	}
	return path
}

// Long skips a test under -short: one that takes more than a second or two, or needs more than Go.
func Long(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("SKIPPED by -short, which leaves out what takes long or needs more than Go")
	}
}

// CI reports whether the tests run in CI, where all tools must be installed.
func CI() bool { return os.Getenv("CI") == "true" }

// missing ends a test for which a tool is missing.
func missing(t testing.TB, tool Tool) {
	t.Helper()
	switch {
	case tool.Optional:
		t.Skipf("SKIPPED: %v is not installed", tool)
	case CI():
		t.Fatalf("%v is not installed, and CI=true; run make deps", tool)
	}
	t.Skipf("SKIPPED: %v is not installed; make deps installs it where it can", tool)
}

// Times returns how often a test of random inputs is repeated, or how large a generated input is: n with
// TRCX_TRIALS=all, else a third of it, or a tenth under -short.
func Times[N int | uint64](n N) N {
	switch {
	case testing.Short():
		return max(n/10, 1)
	case os.Getenv("TRCX_TRIALS") != "all":
		return max(n/3, 1)
	}
	return n
}
