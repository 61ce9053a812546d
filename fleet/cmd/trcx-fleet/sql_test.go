package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trcx/trcx/enrich/enrichtest"
	"github.com/trcx/trcx/internal/testtool"
)

// queryScript prints what DuckDB answers to its standard input, as JSON. Its argument is DuckDB's package.
const queryScript = `const {DuckDBInstance} = require(process.argv[1]);
(async () => {
	const connection = await (await DuckDBInstance.create(":memory:")).connect();
	const result = await connection.runAndReadAll(require("fs").readFileSync(0, "utf8"));
	console.log(JSON.stringify(result.getRowObjectsJson()));
})()`

// TestSQL executes the query of docs/fleet.md with DuckDB, on rows by label in several files, and compares its figures
// with those of trcx-fleet stats.
func TestSQL(t *testing.T) {
	node, duckdb := testtool.Need(t, "node"), testtool.Need(t, "@duckdb/node-api")
	page, err := os.ReadFile("../../../docs/fleet.md")
	if err != nil {
		t.Fatal(err)
	}
	_, query, _ := strings.Cut(string(page), "```sql\n")
	query, _, found := strings.Cut(query, "```")
	if !found {
		t.Fatal("docs/fleet.md has no query")
	}
	folder := generated(t, 40, 200)
	must(t, exitDone, "run", folder+"/*/*/*", "-o", filepath.Join(folder, "out"), "--shards", "3", "--format", "json",
		"--allow-dead", "40")
	asked := exec.Command(node, "-e", queryScript, duckdb)
	asked.Dir, asked.Stdin, asked.Stderr = folder, strings.NewReader(query), os.Stderr
	text, err := asked.Output()
	if err != nil {
		t.Fatal(err)
	}
	var got []map[string]any
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	stdout, _ := must(t, exitDone, "stats", filepath.Join(folder, "out"), "--format", "json")
	var rows []struct {
		Class   string
		Blocked map[string]any
	}
	decoder := json.NewDecoder(strings.NewReader(stdout))
	decoder.UseNumber()
	if err := decoder.Decode(&rows); err != nil {
		t.Fatal(err)
	}
	want, most := map[any]map[string]any{}, 0
	for _, row := range rows {
		if count := len(fmt.Sprint(row.Blocked["count"])); row.Blocked["count"] != json.Number("0") {
			want[row.Class], most = row.Blocked, max(most, count)
		}
	}
	if len(got) != len(want) || most < 3 {
		t.Errorf("%d classes, want %d, whose counts have %d digits at most", len(got), len(want), most)
	}
	for _, row := range got {
		for _, figure := range []string{"count", "total", "min", "max", "p50", "p99"} {
			if a, b := fmt.Sprint(row[figure]), fmt.Sprint(want[row["class"]][figure]); a != b {
				t.Errorf("%s of %s is %s, want %s", figure, row["class"], a, b)
			}
		}
	}
}

// generated returns the folder of traces with generated ones beside them.
func generated(t *testing.T, number, events int) string {
	t.Helper()
	folder := traces(t)
	for seed := range number {
		name := filepath.Join(folder, "service=generated", fmt.Sprint("release=", seed%3), fmt.Sprint(seed))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, enrichtest.Simulate(uint64(seed), events).XML, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}
