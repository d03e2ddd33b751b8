package results

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/gzip"

	"mcsim/cmd/mcsim/show"
	"mcsim/sim/base/replace"
	"mcsim/sim/result"
)

// maxPlainRows is the largest number of rows that are written without gzip, so that a user can
// open the files. Packed files are a seventh as large.
const maxPlainRows = 1 << 13

// PrepareDir makes a folder and checks that a run can write its files there, before it spends
// time on sampling.
func PrepareDir(dir string) error {
	if dir == "-" {
		return errors.New("-o -: results are several files; name a folder")
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("the folder %s cannot be made: %w", dir, err)
	}
	replace.SyncFolder(filepath.Dir(dir))
	for _, name := range []string{DocumentFile, EstimatesFile, RunFile, NodesFile} {
		path := filepath.Join(dir, name)
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			return fmt.Errorf("%s: is a folder, where the run is to write a file; "+
				"remove it, or name another folder", path)
		}
	}
	if err := replace.CheckWritable(dir); err != nil {
		if failed, ok := errors.AsType[*fs.PathError](err); ok {
			err = failed.Err // without the name of the temporary file
		}
		return fmt.Errorf("the folder %s cannot be written to: %w", dir, err)
	}
	return nil
}

// Write replaces the files of a run together, so that files of two runs never stand side by side.
// The record carries the digest of the document. The caller has locked the folder's nodes.
func Write(dir string, doc *result.Document, record Record) error {
	if err := result.Seal(doc); err != nil {
		return err
	}
	record.Results = doc.Digest
	isPacked := len(doc.Estimates) > maxPlainRows
	var set replace.Set
	defer set.Discard()
	var stale []string // files of a run of another size
	add := func(name string, write func(io.Writer) error) error {
		path := filepath.Join(dir, name)
		if !isPacked {
			stale = append(stale, path+packedSuffix)
			return set.Add(path, write)
		}
		stale = append(stale, path)
		return set.Add(path+packedSuffix, pack(write))
	}
	err := add(DocumentFile, func(w io.Writer) error { return result.Layout(w, doc) })
	if err != nil {
		return err
	}
	err = add(EstimatesFile, func(w io.Writer) error { return result.WriteCSV(w, doc.Estimates) })
	if err != nil {
		return err
	}
	err = set.Add(filepath.Join(dir, RunFile), func(w io.Writer) error { return show.JSON(w, record) })
	if err != nil {
		return err
	}
	if err := set.Commit(); err != nil {
		return err
	}
	for _, path := range stale {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// pack returns a function that writes the same with gzip, without a date.
func pack(write func(io.Writer) error) func(io.Writer) error {
	return func(w io.Writer) error {
		z := gzip.NewWriter(w)
		return errors.Join(write(z), z.Close())
	}
}
