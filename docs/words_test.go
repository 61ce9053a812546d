package docs

import (
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestWords proves that names, comments, messages and pages do without the words that glossary.md lists as not used.
// The glossary itself is left out, and so are test data and the changelog.
func TestWords(t *testing.T) {
	unused := unusedWords(t)
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (skippedFolder(entry.Name()) && path != root):
			return filepath.SkipDir
		case entry.IsDir() || !slices.Contains([]string{".go", ".c", ".h", ".ts", ".md", ".sh", ".txtar"}, filepath.Ext(path)):
			return nil
		case entry.Name() == "glossary.md" || entry.Name() == "CHANGELOG.md" || entry.Name() == "words_test.go":
			return nil
		}
		text := read(t, path)
		if !unused.mayBeIn(text) {
			return nil
		}
		number := 0
		for line := range strings.Lines(text) {
			number++
			if word := unused.find(formatNames.Replace(line)); word != "" {
				t.Errorf("%s:%d: %q is not used here: %s", path, number, word, strings.TrimSpace(line))
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// puzzlingSentences are parts of sentences that readers could not make sense of. No output may have them again.
var puzzlingSentences = []string{"of them still were; trcx deadlocks", "let go on but not running yet", "what is wrong it has said on",
	"CGProf is not there", "is no question\"", "it does not answer as trcxml", "is next to nothing of it",
	"in turn, longest by", "Whose moment is not known"}

// TestPuzzlingSentences proves that neither sources nor goldens nor pages have one of these sentences.
func TestPuzzlingSentences(t *testing.T) {
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && skippedFolder(entry.Name()) && path != root:
			return filepath.SkipDir
		case entry.IsDir() || entry.Name() == "words_test.go" ||
			!slices.Contains([]string{".go", ".c", ".ts", ".md", ".txtar", ".golden", ".txt"}, filepath.Ext(path)):
			return nil
		}
		text := read(t, path)
		for _, sentence := range puzzlingSentences {
			if strings.Contains(text, sentence) {
				t.Errorf("%s has %q again", path, sentence)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// formatNames removes the names of output formats that contain such a word: they cannot change.
var formatNames = strings.NewReplacer("`behind`", "", `"behind"`, "", `"behind`, "")

// folderOf returns a file's folder, relative to the root, with slashes.
func folderOf(path string) string {
	folder, _ := filepath.Rel(root, filepath.Dir(path))
	return filepath.ToSlash(folder)
}

// skippedFolder reports whether a folder's files are not the project's own text.
func skippedFolder(name string) bool {
	return strings.HasPrefix(name, ".") || slices.Contains([]string{"bin", "assets", "node_modules", "fuzz", "recorded"}, name)
}

// wordList is a list of words, and the pattern for the forms in which they occur.
type wordList struct {
	words   []string // in lower case
	pattern *regexp.Regexp
}

// mayBeIn reports whether a text contains the letters of a word. It is much faster than the pattern.
func (l *wordList) mayBeIn(text string) bool {
	lower := strings.ToLower(text)
	return slices.ContainsFunc(l.words, func(word string) bool { return strings.Contains(lower, word) })
}

// find returns the first word of a line, or nothing.
func (l *wordList) find(line string) string {
	if !l.mayBeIn(line) {
		return ""
	}
	return l.pattern.FindString(line)
}

// unusedWords returns the words of the first column of the glossary's last table. In names a word also begins with a
// capital.
func unusedWords(t *testing.T) *wordList {
	t.Helper()
	_, table, ok := strings.Cut(read(t, "glossary.md"), "\n## Words that are not used\n")
	if !ok {
		t.Fatal("glossary.md has no list of words that are not used")
	}
	const ending = `(?:s|d|ed)?(?:\b|[A-Z_])`
	var words, forms []string
	for row := range strings.Lines(table) {
		first, _, _ := strings.Cut(strings.TrimPrefix(row, "| "), " | ")
		for _, word := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(first, -1) {
			lower := regexp.QuoteMeta(word[1])
			upper := strings.ToUpper(lower[:1]) + lower[1:]
			words = append(words, strings.ToLower(word[1]))
			forms = append(forms, `(?:\b|_)`+lower+ending, `(?:\b|_|[a-z0-9])`+upper+ending)
		}
	}
	if len(words) == 0 {
		t.Fatal("the glossary's list of words is empty")
	}
	return &wordList{words, regexp.MustCompile(strings.Join(forms, "|"))}
}
