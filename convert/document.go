package convert

import (
	"archive/zip"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/trcx/trcx/internal/sanitize"
	"github.com/trcx/trcx/internal/tempfile"
)

// Document is one recording to read: a file, the standard input, or an entry of a zip.
type Document struct {
	// Name is the name of the file. An entry of a zip is file.zip!entry, the standard input "-".
	Name string
	// Input is the index, from 0, of the input that the document is or is an entry of.
	Input int
	file  string // the file that the document is; "" for an entry of a zip and for standard input
	// metadata is the entry of the same zip with the metadata of this monitor log, or nil.
	metadata *Document
	guessed  bool // its name does not show that it belongs to this log
	live     bool // it may be written while it is read
	open     func() (io.ReadCloser, error)
	again    func() (io.ReadCloser, error) // opens it again, without counting progress; nil if that is impossible
}

// Open opens the document, decompressed. head has its first bytes, which text returns, too. The error is an
// *InputError.
func (d *Document) Open() (head []byte, text io.ReadCloser, err error) {
	in, err := d.open()
	if err != nil {
		return nil, nil, &InputError{d.Name, err}
	}
	head, again, err := readHead(in)
	if err != nil {
		in.Close()
		return nil, nil, &InputError{d.Name, err}
	}
	return head, opened{again, in}, nil
}

// Of returns the document with a text that is already open and is read only once.
func (d *Document) Of(text io.ReadCloser) Document {
	return Document{Name: d.Name, Input: d.Input, file: d.file, live: d.live, metadata: d.metadata, guessed: d.guessed,
		again: d.again, open: func() (io.ReadCloser, error) { return text, nil }}
}

// IsFile reports whether the document is a whole file, which can be read at the same time as others. Entries of a zip
// are read one after the other, because they share one limit of size.
func (d *Document) IsFile() bool { return d.file != "" }

// opened is a text whose beginning has been read already.
type opened struct {
	io.Reader
	io.Closer
}

// Inputs are opened inputs with their documents.
type Inputs struct {
	Documents []Document
	// Size is the number of stored bytes of all inputs, or 0 if unknown.
	Size      int64
	added     int
	files     []io.Closer // that stay open: zips, and files that may be written while they are read
	in        io.Reader   // the standard input
	protected []os.FileInfo
	read      atomic.Int64
	limit     int64
	follow    *following // nil if files are read as they are
}

// maxEntries limits the entries of a zip.
const maxEntries = 10_000

// Stdin is the name of the standard input.
const Stdin = "-"

// OpenInputs opens the files of the names. A limit above 0 bounds the decompressed bytes of each file, instead of a
// multiple of its compressed size. The error is an *InputError.
func OpenInputs(names []string, stdin io.Reader, limit int64) (*Inputs, error) {
	inputs := NewInputs(stdin, limit)
	for _, name := range names {
		if err := inputs.Add(name); err != nil {
			inputs.Close()
			return nil, err
		}
	}
	return inputs, nil
}

// NewInputs returns empty Inputs; see OpenInputs for the limit.
func NewInputs(stdin io.Reader, limit int64) *Inputs { return &Inputs{in: stdin, limit: limit} }

// Add opens one more input. The error is an *InputError; the others can be read all the same.
func (i *Inputs) Add(name string) error {
	before := len(i.Documents)
	if err := i.add(name); err != nil {
		return &InputError{name, err}
	}
	for at := before; at < len(i.Documents); at++ {
		i.Documents[at].Input = i.added
		if d := &i.Documents[at]; d.Name == name && name != Stdin {
			d.file = name
		}
	}
	i.added++
	return nil
}

// AddReader opens one more input, which is read from in and not closed. A zip is kept in a temporary file until Close.
// The error is an *InputError.
func (i *Inputs) AddReader(name string, in io.Reader) error {
	before := len(i.Documents)
	if err := i.addReader(name, in); err != nil {
		return &InputError{name, err}
	}
	for at := before; at < len(i.Documents); at++ {
		i.Documents[at].Input = i.added
	}
	i.added++
	return nil
}

// Read returns how many stored bytes of the inputs have been read so far. It may be called at any time.
func (i *Inputs) Read() int64 { return i.read.Load() }

// Close closes the files.
func (i *Inputs) Close() error {
	var errs []error
	for _, file := range i.files {
		errs = append(errs, file.Close())
	}
	i.files = nil
	return errors.Join(errs...)
}

// Protect makes Same return true for one more file, which is read and must not be overwritten.
func (i *Inputs) Protect(file os.FileInfo) { i.protected = append(i.protected, file) }

// Same reports whether the file is one of the inputs.
func (i *Inputs) Same(file os.FileInfo) bool {
	return slices.ContainsFunc(i.protected, func(kept os.FileInfo) bool { return os.SameFile(kept, file) })
}

func (i *Inputs) add(name string) error {
	if name == Stdin {
		return i.addStream(i.in)
	}
	file, err := os.Open(name)
	if err != nil {
		return plainError(err)
	}
	info, err := file.Stat()
	if err != nil {
		return errors.Join(plainError(err), file.Close())
	}
	i.Protect(info)
	if info.Mode().IsRegular() && i.follow == nil && !startsAsZip(file) {
		i.Size += info.Size()
		i.Documents = append(i.Documents, Document{Name: name,
			open:  func() (io.ReadCloser, error) { return i.openAgain(name, info) },
			again: func() (io.ReadCloser, error) { return (&Inputs{limit: i.limit}).openAgain(name, info) },
		})
		return file.Close()
	}
	i.files = append(i.files, file)
	switch {
	case info.IsDir():
		return errDirectory
	case !info.Mode().IsRegular():
		return i.addReader(name, file)
	case i.follow != nil:
		return i.addReader(name, &growing{following: i.follow, file: file})
	}
	i.Size += info.Size()
	return i.addZip(name, file, info.Size())
}

// startsAsZip reports whether a file begins as a zip does.
func startsAsZip(file *os.File) bool {
	var head [4]byte
	n, _ := file.ReadAt(head[:], 0)
	return isZip(head[:n])
}

// openAgain opens a file up to the size that it had when it was added. Files are closed after adding, because there can
// be more than a process may have open. Files of the kernel, as in /proc, have the size 0, whatever they hold.
func (i *Inputs) openAgain(name string, added os.FileInfo) (io.ReadCloser, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, plainError(err)
	}
	info, err := file.Stat()
	if err == nil && !os.SameFile(info, added) {
		err = errReplaced
	}
	if err != nil {
		return nil, errors.Join(plainError(err), file.Close())
	}
	var stored io.Reader = file
	if size := added.Size(); size > 0 {
		stored = io.NewSectionReader(file, 0, size)
	}
	text, err := i.decompress(stored)
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &decompressed{text, file}, nil
}

// errReplaced is the error for a file that another one has replaced since its name was looked up.
var errReplaced = errors.New("another file has replaced this one since it was opened first")

// decompressed is the text of a file.
type decompressed struct {
	io.ReadCloser
	file *os.File
}

// Close closes the text and the file.
func (d *decompressed) Close() error { return errors.Join(d.ReadCloser.Close(), d.file.Close()) }

// plainError returns an error without the file's name, which the message already has.
func plainError(err error) error {
	var at *os.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

// addReader adds an input that cannot be read twice.
func (i *Inputs) addReader(name string, in io.Reader) error {
	head, whole, err := peek(in, 4)
	switch {
	case err != nil:
		return err
	case isZip(head) && i.follow != nil:
		return errFollowedZip
	case isZip(head):
		return i.addSpooledZip(name, whole)
	}
	i.Documents = append(i.Documents, Document{Name: name, live: true, open: func() (io.ReadCloser, error) {
		return i.decompress(whole)
	}})
	return nil
}

func (i *Inputs) addStream(stdin io.Reader) error {
	for _, d := range i.Documents {
		if d.Name == Stdin {
			return errors.New("the standard input can only be read once")
		}
	}
	if file, ok := stdin.(*os.File); ok {
		if info, err := file.Stat(); err == nil {
			i.Protect(info)
		}
	}
	return i.addReader(Stdin, stdin)
}

// encrypted is the bit of a zip entry's flags for encryption.
const encrypted = 1

func isZip(head []byte) bool {
	return bytes.HasPrefix(head, []byte("PK\x03\x04")) || bytes.HasPrefix(head, []byte("PK\x05\x06"))
}

// addSpooledZip keeps a streamed zip in a temporary file, because its central directory is at its end.
func (i *Inputs) addSpooledZip(name string, in io.Reader) error {
	file, err := tempfile.NewScratch("", "trcx-input-*.zip")
	if err != nil {
		return err
	}
	i.files = append(i.files, file)
	size, err := io.Copy(file, in)
	if err != nil {
		return plainError(err)
	}
	return i.addZip(name, file, size)
}

func (i *Inputs) addZip(name string, file io.ReaderAt, size int64) error {
	archive, err := zip.NewReader(file, size)
	if err != nil {
		return fmt.Errorf("the zip cannot be opened: %w", err)
	}
	if len(archive.File) > maxEntries {
		return fmt.Errorf("the zip has %d entries; at most %d are read", len(archive.File), maxEntries)
	}
	if err := checkOverlap(archive.File); err != nil {
		return err
	}
	var entries []*zip.File
	var documents []Document
	shared := &budget{limit: i.limit}
	for _, entry := range archive.File {
		if strings.HasSuffix(entry.Name, "/") || entry.UncompressedSize64 == 0 {
			continue
		}
		entries = append(entries, entry)
		documents = append(documents, Document{Name: name + "!" + entry.Name,
			open:  func() (io.ReadCloser, error) { return openEntry(entry, shared, &i.read) },
			again: func() (io.ReadCloser, error) { return openEntry(entry, &budget{limit: i.limit}, nil) },
		})
	}
	if len(documents) == 0 {
		return errors.New("the zip is empty")
	}
	i.Documents = append(i.Documents, paired(entries, documents)...)
	return nil
}

// openEntry opens an entry of a zip. read receives the progress, if it is not nil.
func openEntry(entry *zip.File, budget *budget, read *atomic.Int64) (io.ReadCloser, error) {
	if entry.Flags&encrypted != 0 {
		return nil, errors.New("this entry of the zip is encrypted; unpack it first")
	}
	in, err := entry.Open()
	if err != nil {
		return nil, err
	}
	stored := int64(entry.CompressedSize64)
	budget.before += stored
	return &bounded{in: in, close: in.Close, budget: budget, stored: func() int64 { return 0 }, read: read,
		whole: stored}, nil
}

// checkOverlap returns an error if two entries share bytes, because then a small zip could have any number of large
// entries.
func checkOverlap(entries []*zip.File) error {
	type extent struct {
		entry      *zip.File
		begin, end int64
	}
	var extents []extent
	for _, entry := range entries {
		begin, err := entry.DataOffset()
		if err != nil {
			continue // opening it reports the error
		}
		extents = append(extents, extent{entry, begin, begin + int64(entry.CompressedSize64)})
	}
	slices.SortFunc(extents, func(a, b extent) int {
		return cmp.Or(cmp.Compare(a.begin, b.begin), cmp.Compare(a.end, b.end))
	})
	for i := 1; i < len(extents); i++ {
		if a, b := extents[i-1], extents[i]; b.begin < a.end {
			return fmt.Errorf("the entries %s and %s of the zip overlap", sanitize.Quote(a.entry.Name),
				sanitize.Quote(b.entry.Name))
		}
	}
	return nil
}
