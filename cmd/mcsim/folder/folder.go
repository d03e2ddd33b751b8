// Package folder reads and writes the folder of a run's results.
package folder

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"mcsim/cmd/mcsim/record"
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
	Next      = "nodes.next.bin" // of an interrupted run, beside the nodes of finished results
)

// errEmpty says that no folder is named, where one is asked for.
var errEmpty = errors.New("--out is empty; it wants a folder, such as out")

// Read reads a folder's document, and gives its text too.
func Read(dir string) ([]byte, *result.Document, error) {
	if dir == "" {
		return nil, nil, errEmpty
	}
	path := filepath.Join(dir, Results)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, nil, fmt.Errorf("%s: does not exist; `mcsim run -o %s` makes it", path, dir)
	}
	return ReadFile(path)
}

// ReadFile reads a document's file.
func ReadFile(path string) ([]byte, *result.Document, error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, fmt.Errorf("%s: does not exist", path)
	}
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, nil, err
	}
	if info.IsDir() {
		return nil, nil, fmt.Errorf("%s: is a folder, not a file", path)
	}
	text, doc, err := result.Read(file, info.Size())
	if err != nil {
		return nil, nil, fmt.Errorf("%s %w", path, err)
	}
	return text, doc, nil
}

// ReadDocument reads a results folder's document, or a document's file.
func ReadDocument(path string) (*result.Document, error) {
	info, err := os.Stat(path)
	read := Read
	if err == nil && !info.IsDir() || err != nil && filepath.Ext(path) == ".json" {
		read = ReadFile
	}
	_, doc, err := read(path)
	return doc, err
}

// Writable makes the folder and refuses one that cannot be written to, or that has a
// folder where a file of the run is to stand, before any time is spent.
func Writable(dir string) error {
	if dir == "" {
		return errEmpty
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("the folder %s cannot be made: %w", dir, err)
	}
	for _, name := range []string{Results, Estimates, Run, Nodes, Next} {
		path := filepath.Join(dir, name)
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			return fmt.Errorf("%s: is a folder, where the run is to write a file; remove it, or name another folder", path)
		}
	}
	f, err := os.CreateTemp(dir, ".mcsim-*")
	if err != nil {
		return fmt.Errorf("the folder %s cannot be written to: %w", dir, err)
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// Write replaces the files of a run together, so that those of two runs never
// stand side by side: the nodes that the set has, results, the same as CSV, and what is
// known of the run, which carries the digest of the results.
func Write(set *replace.Set, dir string, doc *result.Document, info record.Run) error {
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
		if err := set.Add(filepath.Join(dir, file.name), file.write); err != nil {
			return err
		}
	}
	return set.Commit()
}

// WriteJUnit writes a JUnit report to the named file, or to out where it is "-".
func WriteJUnit(out io.Writer, name string, text []byte) error {
	if name == "-" {
		_, err := out.Write(text)
		return err
	}
	if err := replace.Text(name, text); err != nil {
		return fmt.Errorf("the JUnit file %w", err)
	}
	return nil
}
