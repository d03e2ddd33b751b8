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

// maxPlainEstimates is the largest number of estimates for which files are written without gzip, so
// that a user can open them. The size of a packed file is about a seventh of the plain one.
const maxPlainEstimates = 1 << 13

// PrepareDir makes a folder and checks that a run will be able to write its files there, so that
// the run fails before it spends time on sampling.
func PrepareDir(dir string) error {
	if dir == "-" {
		return errors.New("-o -: results are several files; name a folder")
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("the folder %s cannot be made: %w", dir, err)
	}
	replace.SyncFolder(filepath.Dir(dir))
	for _, name := range runFiles {
		path := filepath.Join(dir, name)
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			return fmt.Errorf("%s: is a folder, but the run writes a file there; "+
				"remove it, or name another folder", path)
		}
	}
	if err := replace.CheckWritable(dir); err != nil {
		if pathErr, ok := errors.AsType[*fs.PathError](err); ok {
			err = pathErr.Err // omits the name of the temporary file
		}
		return fmt.Errorf("the folder %s cannot be written to: %w", dir, err)
	}
	return nil
}

// Write replaces the files of a run as one set, so that a folder never has files of two runs. It
// stores the digest of the document in the record. The caller must hold the lock of the folder's
// nodes.
func Write(dir string, doc *result.Document, record Record) error {
	if err := result.Seal(doc); err != nil {
		return err
	}
	record.Results = doc.Digest
	isPacked := len(doc.Estimates) > maxPlainEstimates
	var files replace.Set
	defer files.Discard()
	// A file is written either plain or packed. stale are the paths of the other forms, which an
	// earlier run may have written.
	var stale []string
	add := func(name string, write func(io.Writer) error) error {
		path := filepath.Join(dir, name)
		if !isPacked {
			stale = append(stale, path+packedSuffix)
			return files.Add(path, write)
		}
		stale = append(stale, path)
		return files.Add(path+packedSuffix, pack(write))
	}
	err := add(DocumentFile, func(w io.Writer) error { return result.Layout(w, doc) })
	if err != nil {
		return err
	}
	err = add(EstimatesFile, func(w io.Writer) error { return result.WriteCSV(w, doc.Estimates) })
	if err != nil {
		return err
	}
	err = files.Add(filepath.Join(dir, RunFile), func(w io.Writer) error { return show.JSON(w, record) })
	if err != nil {
		return err
	}
	if err := files.Commit(); err != nil {
		return err
	}
	for _, path := range stale {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// pack returns a function that writes the output of write, packed with gzip. The packed file has no
// date, so that equal results have equal bytes.
func pack(write func(io.Writer) error) func(io.Writer) error {
	return func(w io.Writer) error {
		z := gzip.NewWriter(w)
		return errors.Join(write(z), z.Close())
	}
}
