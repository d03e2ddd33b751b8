// Package folder reads and writes the folder of a run's results, and draws what its file of
// nodes lacks.
package folder

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/klauspost/compress/gzip"
	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/flag"
	"mcsim/cmd/mcsim/show"
	"mcsim/sim/base/replace"
	"mcsim/sim/result"
)

// Usual is the folder of the results where none is named.
const Usual = "out"

// Files of a results folder.
const (
	Results   = "results.json"
	Estimates = "estimates.csv"
	Run       = "run.json"
	Nodes     = "nodes.bin"
)

// Packed ends the names of results and of their CSV where they have more than manyRows rows:
// with gzip they are a seventh as large. A smaller one is opened by hand.
const (
	Packed   = ".gz"
	manyRows = 1 << 13
)

// Of is the path of one of these files in a folder, packed or not.
func Of(dir, name string) string {
	path := filepath.Join(dir, name)
	if _, err := os.Stat(path + Packed); err == nil {
		return path + Packed
	}
	return path
}

// Place is where results stand, by the file of their document. One that is called
// results.json, or the same packed, has the other files of its run beside it; another is a file
// by itself.
type Place struct{ File string }

// isResults reports whether the file has the name that a run gives it.
func (p Place) isResults() bool { return strings.TrimSuffix(filepath.Base(p.File), Packed) == Results }

// At is the place that an optional argument names: a folder, the usual one where there is no
// argument, or a document's file. An argument of spaces alone is as an empty one, since nobody
// would see it in a complaint.
func At(args []string) (Place, error) {
	path := Usual
	if len(args) > 0 {
		path = args[0]
	}
	if strings.TrimSpace(path) == "" {
		return Place{}, errors.New("the argument is empty; it wants a folder or a file of results, such as " + Usual)
	}
	info, err := os.Stat(path)
	if err == nil && !info.IsDir() || err != nil && filepath.Ext(strings.TrimSuffix(path, Packed)) == ".json" {
		return Place{path}, nil
	}
	return Place{Of(path, Results)}, nil
}

// Complete completes so many arguments that name results.
func Complete(most int) cobra.CompletionFunc { return flag.FilesOnce(most, "json", "json.gz") }

// sweep removes what a command that was killed left half-written in a folder of results, and in
// that of its figures.
func sweep(dir string) {
	replace.Sweep(dir)
	replace.Sweep(filepath.Join(dir, "figures"))
}

// Dir is the folder of the document.
func (p Place) Dir() string { return filepath.Dir(p.File) }

// Beside is another file of the run that gave the results; empty where the document is a
// file by itself, and what stands beside it may be of other results.
func (p Place) Beside(name string) string {
	if !p.isResults() {
		return ""
	}
	return Of(p.Dir(), name)
}

// Read reads the document, and gives what reads its text again, from the file as it was.
func (p Place) Read() (again result.Opener, doc *result.Document, err error) {
	path := p.File
	sweep(p.Dir())
	file, size, err := Open(path)
	if errors.Is(err, fs.ErrNotExist) && p.isResults() {
		return nil, nil, fmt.Errorf("%w; `mcsim run -o %s` makes it", err, p.Dir())
	}
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	var held bytes.Buffer // the file as far as it was read, since a pipe can be read once; large ones are packed
	held.Grow(int(min(size, result.MaxSize)))
	rest := io.TeeReader(file, &held)
	again = func() (io.Reader, int64, error) {
		return unpacked(io.MultiReader(bytes.NewReader(held.Bytes()), rest), size)
	}
	if _, _, err := again(); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	if doc, err = result.Read(again); err != nil {
		return nil, nil, fmt.Errorf("%s %w", path, err)
	}
	rest = io.MultiReader() // all is held, and the file closed
	return again, doc, nil
}

// missing is a file that is not there.
type missing struct{ path string }

func (m missing) Error() string      { return m.path + ": does not exist" }
func (missing) Is(target error) bool { return target == fs.ErrNotExist }

// Open opens a file to read, of so many bytes. A pipe that nobody writes to is as an empty
// file, so that nothing waits for it.
func Open(path string) (file *os.File, size int64, err error) {
	file, err = os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, missing{path}
	}
	if err != nil {
		return nil, 0, err
	}
	info, err := file.Stat()
	if err == nil && info.IsDir() {
		err = fmt.Errorf("%s: is a folder, not a file", path)
	}
	if err != nil {
		return nil, 0, errors.Join(err, file.Close())
	}
	return file, info.Size(), nil
}

// unpacked is what a file of so many bytes has, and about how much that is, whether it is packed
// or not.
func unpacked(file io.Reader, size int64) (io.Reader, int64, error) {
	from := bufio.NewReader(file)
	if head, _ := from.Peek(2); !bytes.Equal(head, []byte{0x1f, 0x8b}) {
		return from, size, nil
	}
	const ratio = 8 // of what a run writes
	z, err := gzip.NewReader(from)
	return z, ratio * size, err
}

// Text is what a file has, packed or not, of a longer one than most a byte more.
func Text(path string, most int64) (text []byte, err error) {
	err = Reading(path, func(r io.Reader) (err error) {
		text, err = io.ReadAll(io.LimitReader(r, most+1))
		return err
	})
	return text, err
}

// Reading has what a file has read, packed or not.
func Reading(path string, read func(io.Reader) error) error {
	file, size, err := Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	from, _, err := unpacked(file, size)
	if err == nil {
		err = read(from)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return err
}

// ReadAt reads the document at the place that an optional argument names.
func ReadAt(args []string) (Place, *result.Document, error) {
	p, err := At(args)
	if err != nil {
		return p, nil, err
	}
	_, doc, err := p.Read()
	return p, doc, err
}

// ForSite is where the site of results is written: beside them, or in the folder that is
// asked for, if it is not that of other results, whose site it would replace.
func (p Place) ForSite(asked string, given bool) (string, error) {
	if !given {
		return p.Dir(), nil
	}
	there, err := os.Stat(Of(asked, Results))
	if err != nil {
		return asked, nil
	}
	if read, err := os.Stat(p.File); err == nil && os.SameFile(there, read) {
		return asked, nil
	}
	return "", fmt.Errorf("--out: %s holds other results than %s, and a site beside them would be taken for theirs; `mcsim report %s` renders them", asked, p.File, asked)
}

// Writable makes the folder and refuses one that cannot be written to, or that has a
// folder where a file of the run is to stand, before any time is spent.
func Writable(dir string) error {
	if dir == "-" {
		return errors.New("-o -: results are several files; name a folder")
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("the folder %s cannot be made: %w", dir, err)
	}
	replace.SyncFolder(filepath.Dir(dir))
	for _, name := range []string{Results, Estimates, Run, Nodes} {
		path := filepath.Join(dir, name)
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			return fmt.Errorf("%s: is a folder, where the run is to write a file; remove it, or name another folder", path)
		}
	}
	if err := replace.Try(dir); err != nil {
		if of, ok := errors.AsType[*fs.PathError](err); ok {
			err = of.Err // and not the name of a file that nobody knows
		}
		return fmt.Errorf("the folder %s cannot be written to: %w", dir, err)
	}
	return nil
}

// Write replaces the files of a run together, so that those of two runs never
// stand side by side: results, the same as CSV, and what is
// known of the run, which carries the digest of the results. The caller has the folder's nodes, and so
// nobody else writes there.
func Write(dir string, doc *result.Document, info Record) error {
	var set replace.Set
	defer set.Discard()
	if err := result.Seal(doc); err != nil {
		return err
	}
	info.Results = doc.Digest
	many, others := len(doc.Estimates) > manyRows, []string(nil)
	for _, file := range []struct {
		name  string
		write func(io.Writer) error
	}{
		{Results, func(w io.Writer) error { return result.Layout(w, doc) }},
		{Estimates, func(w io.Writer) error { return result.WriteCSV(w, doc.Estimates) }},
		{Run, func(w io.Writer) error { return show.JSON(w, info) }},
	} {
		path := filepath.Join(dir, file.name)
		write, other := file.write, path+Packed
		if many && file.name != Run {
			path, other, write = other, path, packed(file.write)
		}
		others = append(others, other)
		if err := set.Add(path, write); err != nil {
			return err
		}
	}
	if err := set.Commit(); err != nil {
		return err
	}
	for _, old := range others { // of a run of another size
		if err := os.Remove(old); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// UsualHeap is enough for most results.
const UsualHeap = 64 << 20

// seldom is the share of what is alive, in percent, that may be added before the garbage collector works.
const seldom = 400

// LimitHeap makes the garbage collector work seldom below a size, and hard beyond it; many cells take more.
// GOMEMLIMIT or GOGC in the environment overrides it.
func LimitHeap(least int64, cells int) {
	const fewCells, perCell = 10_000, 4 << 10
	if os.Getenv("GOMEMLIMIT")+os.Getenv("GOGC") == "" {
		debug.SetGCPercent(seldom)
		debug.SetMemoryLimit(max(least, 40<<20+perCell*int64(cells-fewCells)))
	}
}

// packed writes the same with gzip, which says nothing of when.
func packed(write func(io.Writer) error) func(io.Writer) error {
	return func(w io.Writer) error {
		z := gzip.NewWriter(w)
		return cmp.Or(write(z), z.Close())
	}
}
