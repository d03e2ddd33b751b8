package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"

	"mcsim/cmd/mcsim/show"
	"mcsim/sim/result"
)

// Files of a results folder.
const (
	resultsFile   = "results.json"
	estimatesFile = "estimates.csv"
	runFile       = "run.json"
	nodesFile     = "nodes.bin"
)

// readResults reads a folder's document.
func readResults(dir string) (*result.Document, error) {
	path := filepath.Join(dir, resultsFile)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: does not exist; `mcsim run -o %s` makes it", path, dir)
	}
	return readFile(path)
}

// readFile reads a document's file.
func readFile(path string) (*result.Document, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: does not exist", path)
	}
	if err != nil {
		return nil, err
	}
	doc, err := result.Decode(text)
	if err != nil {
		return nil, fmt.Errorf("%s %w", path, err)
	}
	return doc, nil
}

// readDocument reads a results folder's document, or a document's file.
func readDocument(path string) (*result.Document, error) {
	info, err := os.Stat(path)
	if err == nil && !info.IsDir() || err != nil && filepath.Ext(path) == ".json" {
		return readFile(path)
	}
	return readResults(path)
}

// writable makes the folder and refuses one that cannot be written to, before
// any time is spent.
func writable(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("the folder %s cannot be made: %w", dir, err)
	}
	f, err := os.CreateTemp(dir, ".mcsim-*")
	if err != nil {
		return fmt.Errorf("the folder %s cannot be written to: %w", dir, err)
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// writeResults writes the three files, results.json last.
func writeResults(dir string, doc *result.Document, info RunInfo) error {
	for _, file := range []struct {
		name  string
		write func(io.Writer) error
	}{
		{estimatesFile, func(w io.Writer) error { return result.WriteCSV(w, doc.Estimates) }},
		{runFile, func(w io.Writer) error { return show.JSON(w, info) }},
		{resultsFile, func(w io.Writer) error { return result.Write(w, doc) }},
	} {
		if err := writeFile(filepath.Join(dir, file.name), file.write); err != nil {
			return err
		}
	}
	return nil
}

// writeFile writes a file atomically, without holding its text.
func writeFile(path string, write func(io.Writer) error) error {
	f, err := renameio.NewPendingFile(path, renameio.WithPermissions(0o644))
	if err != nil {
		return err
	}
	defer f.Cleanup()
	if err := write(f); err != nil {
		return err
	}
	return f.CloseAtomicallyReplace()
}

// writeJUnit writes a JUnit report to the named file, or to out where it is "-".
func writeJUnit(out io.Writer, name string, text []byte) error {
	if name == "-" {
		_, err := out.Write(text)
		return err
	}
	err := replaceFile(name, text)
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err // its name is that of a temporary file
	}
	if err != nil {
		return fmt.Errorf("the JUnit file %s cannot be written: %w", name, err)
	}
	return nil
}

// replaceFile writes a file whole or not at all. What is no regular file, a
// pipe or /dev/stdout, is written to and not replaced.
func replaceFile(name string, text []byte) error {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return os.WriteFile(name, text, 0o644)
	}
	return renameio.WriteFile(name, text, 0o644)
}
