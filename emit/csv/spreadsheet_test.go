package csv_test

import (
	"archive/zip"
	"bytes"
	standard "encoding/csv"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trcx/trcx/enrich/sinktest"
	"github.com/trcx/trcx/internal/testtool"
)

// TestSpreadsheet: LibreOffice opens the tables, shows each cell as written, and takes no cell for a formula.
func TestSpreadsheet(t *testing.T) {
	testtool.Need(t, "soffice")
	recorded, err := os.ReadFile(filepath.Join(root, "testdata/recorded/warehouse-jdk25.trcxml"))
	sinktest.Check(t, err)
	all := map[string][]byte{"formula": []byte("a\n=1+2\n")}
	all["hostile events"], all["hostile interactions"] = tables(t, sinktest.HostileDocument())
	all["events"], all["interactions"] = tables(t, recorded)
	folder := t.TempDir()
	for name, table := range all {
		sinktest.Check(t, os.WriteFile(filepath.Join(folder, name+".csv"), table, 0o644))
	}
	out := openedBySpreadsheet(t, folder)
	for name, table := range all {
		if formulas := hasFormulas(t, filepath.Join(out, name+".xlsx")); formulas != (name == "formula") {
			t.Errorf("%s: it has formulas: %v", name, formulas)
		}
		text, err := os.ReadFile(filepath.Join(out, name+".csv"))
		sinktest.Check(t, err)
		if name != "formula" && !bytes.Equal(cells(t, text), cells(t, table)) {
			t.Errorf("%s: of the table\n%s\nthe spreadsheet makes\n%s", name, table, text)
		}
	}
}

// openedBySpreadsheet makes a spreadsheet program open the tables of the folder and write each again, as a table and as
// a workbook. It returns their folder.
func openedBySpreadsheet(t *testing.T, folder string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.csv"))
	sinktest.Check(t, err)
	out := filepath.Join(folder, "out")
	// comma, quotes, UTF-8; cells as shown
	for _, format := range []string{"csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false", "xlsx"} {
		command := exec.Command("soffice",
			append([]string{"-env:UserInstallation=file://" + filepath.Join(folder, "profile"), "--headless",
				"--infilter=CSV:44,34,76,1", "--convert-to", format, "--outdir", out}, files...)...)
		if printed, err := command.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v: %s", command, err, printed)
		}
	}
	return out
}

// hasFormulas reports whether a cell of the workbook is computed.
func hasFormulas(t *testing.T, path string) bool {
	t.Helper()
	book, err := zip.OpenReader(path)
	sinktest.Check(t, err)
	defer book.Close()
	first, err := book.Open("xl/worksheets/sheet1.xml")
	sinktest.Check(t, err)
	content, err := io.ReadAll(first)
	sinktest.Check(t, err)
	return bytes.Contains(content, []byte("<f"))
}

// cells returns the cells of a table in a comparable form. In a cell, a return counts as a line feed.
func cells(t *testing.T, table []byte) []byte {
	t.Helper()
	records, err := standard.NewReader(bytes.NewReader(table)).ReadAll()
	sinktest.Check(t, err)
	var out bytes.Buffer
	for _, record := range records {
		out.WriteString(strings.ReplaceAll(strings.Join(record, "\x00"), "\r", "\n") + "\x00\x00")
	}
	return out.Bytes()
}
