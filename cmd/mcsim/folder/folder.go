// Package folder reads and writes the folder of a run's results, and draws what its file of
// nodes lacks.
package folder

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/flag"
	"mcsim/cmd/mcsim/show"
	"mcsim/sim/replace"
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

// Place is where results stand, by the file of their document. One that is called
// results.json has the other files of its run beside it; another is a file by itself.
type Place struct{ File string }

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
	if err == nil && !info.IsDir() || err != nil && filepath.Ext(path) == ".json" {
		return Place{path}, nil
	}
	return Place{filepath.Join(path, Results)}, nil
}

// Complete completes so many arguments that name results.
func Complete(most int) cobra.CompletionFunc { return flag.FilesOnce(most, "json") }

// Dir is the folder of the document.
func (p Place) Dir() string { return filepath.Dir(p.File) }

// Beside is another file of the run that gave the results; empty where the document is a
// file by itself, and what stands beside it may be of other results.
func (p Place) Beside(name string) string {
	if filepath.Base(p.File) != Results {
		return ""
	}
	return filepath.Join(p.Dir(), name)
}

// Read reads the document, and gives its text too.
func (p Place) Read() ([]byte, *result.Document, error) {
	path := p.File
	replace.Sweep(p.Dir())
	file, size, err := Open(path)
	if errors.Is(err, fs.ErrNotExist) && filepath.Base(path) == Results {
		return nil, nil, fmt.Errorf("%w; `mcsim run -o %s` makes it", err, p.Dir())
	}
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	text, doc, err := result.Read(file, size)
	if err != nil {
		return nil, nil, fmt.Errorf("%s %w", path, err)
	}
	return text, doc, nil
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

// Text is what a file has, of a file that is longer than most a byte more.
func Text(path string, most int64) ([]byte, error) {
	file, _, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, most+1))
	if err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return text, err
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
	there, err := os.Stat(filepath.Join(asked, Results))
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
	for _, file := range []struct {
		name  string
		write func(io.Writer) error
	}{
		{Results, func(w io.Writer) error { return result.Layout(w, doc) }},
		{Estimates, func(w io.Writer) error { return result.WriteCSV(w, doc.Estimates) }},
		{Run, func(w io.Writer) error { return show.JSON(w, info) }},
	} {
		path := filepath.Join(dir, file.name)
		if err := set.Add(path, file.write); err != nil {
			return err
		}
	}
	return set.Commit()
}
