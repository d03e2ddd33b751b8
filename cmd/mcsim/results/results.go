// Package results finds, reads and replaces the files of a run: its document, the estimates as CSV,
// the record of the run, and the file of nodes.
package results

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mcsim/sim/base/replace"
	"mcsim/sim/result"
)

// DefaultDir is the folder of the results if the user names none.
const DefaultDir = "out"

// Files of a results folder.
const (
	DocumentFile  = "results.json"
	EstimatesFile = "estimates.csv"
	RunFile       = "run.json"
	NodesFile     = "nodes.bin"
)

// runFiles are the files that a run writes.
var runFiles = []string{DocumentFile, EstimatesFile, RunFile, NodesFile}

// packedSuffix is the suffix of files that are packed with gzip.
const packedSuffix = ".gz"

// Path returns the path of a file of results in a folder. It is the path of the packed file if
// there is one, and otherwise the path of the plain file, which need not exist.
func Path(dir, name string) string {
	path := filepath.Join(dir, name)
	if _, err := os.Stat(path + packedSuffix); err == nil {
		return path + packedSuffix
	}
	return path
}

// Location is the path of a document. If its name is results.json, packed or not, the other files
// of its run are in the same folder; a document with another name has no other files.
type Location struct{ File string }

// Locate returns the location that an optional argument names: a folder, by default "out", or the
// file of a document, which may be packed. It refuses an argument of spaces, which would be
// invisible in an error.
func Locate(args []string) (Location, error) {
	path := DefaultDir
	if len(args) > 0 {
		path = args[0]
	}
	if strings.TrimSpace(path) == "" {
		return Location{}, errors.New("the argument is empty: name a folder or a file of results, such as " +
			DefaultDir)
	}
	info, err := os.Stat(path)
	isFile := err == nil && !info.IsDir()
	isMissingDocument := err != nil && filepath.Ext(strings.TrimSuffix(path, packedSuffix)) == ".json"
	switch {
	case isFile && slices.Contains([]string{".npy", ".npz", ".safetensors"}, filepath.Ext(path)):
		return Location{}, fmt.Errorf("%s: has arrays, not results; `mcsim inspect` judges samples and weights", path)
	case isFile:
		return Location{path}, nil
	case isMissingDocument:
		return Location{Path(filepath.Dir(path), filepath.Base(path))}, nil
	}
	return Location{Path(path, DocumentFile)}, nil
}

// LocateAndRead reads the document at the location that an optional argument names.
func LocateAndRead(args []string) (Location, *result.Document, error) {
	l, err := Locate(args)
	if err != nil {
		return l, nil, err
	}
	_, doc, err := l.Read()
	return l, doc, err
}

// Dir returns the folder of the document.
func (l Location) Dir() string { return filepath.Dir(l.File) }

// RefuseInput returns an error if an output would replace the document or a file next to it that the
// program reads. flag is the flag that names the output.
func (l Location) RefuseInput(flag, output string) error {
	inputs := []string{l.File, l.SiblingPath(NodesFile), l.SiblingPath(EstimatesFile), l.SiblingPath(RunFile)}
	isOutput := func(input string) bool { return input != "" && replace.IsSameFile(input, output) }
	if output != "" && slices.ContainsFunc(inputs, isOutput) {
		return fmt.Errorf("%s %s: is an input; name another file", flag, output)
	}
	return nil
}

// RefuseInputs returns an error if a run that writes its results to a folder would replace one of the
// files that it reads.
func RefuseInputs(dir string, inputs []string) error {
	for _, input := range inputs {
		isInput := func(name string) bool { return replace.IsSameFile(input, Path(dir, name)) }
		if slices.ContainsFunc(runFiles, isInput) {
			return fmt.Errorf("%s: is an input, and the results would replace it; rename it, or give another "+
				"folder with -o", input)
		}
	}
	return nil
}

// isRunDocument reports whether the document has the name that a run gives it.
func (l Location) isRunDocument() bool {
	return strings.TrimSuffix(filepath.Base(l.File), packedSuffix) == DocumentFile
}

// SiblingPath returns the path of another file of the same run. The path is empty if the document
// does not have the name that a run gives it, since the other files may then belong to other
// results.
func (l Location) SiblingPath(name string) string {
	if !l.isRunDocument() {
		return ""
	}
	return Path(l.Dir(), name)
}

// describeMissing says what to do if the document does not exist.
func (l Location) describeMissing() string {
	_, errHere := os.Stat(Path(".", DocumentFile))
	_, errNodes := os.Stat(l.SiblingPath(NodesFile))
	switch {
	case errNodes == nil:
		return "its run did not end; the command that began it continues it"
	case errHere == nil:
		return "but there are results in this folder: give the folder . instead"
	}
	return fmt.Sprintf("`mcsim run -o %s` draws the default plan", l.Dir())
}

// SiteDir returns the folder for the site of the results: the requested folder, or the folder of
// the document if no folder is requested. It refuses a folder with other results, since a reader
// would take the site for the site of those results.
func (l Location) SiteDir(requested string, isRequested bool) (string, error) {
	if !isRequested {
		return l.Dir(), nil
	}
	existing, err := os.Stat(Path(requested, DocumentFile))
	if err != nil {
		return requested, nil
	}
	if file, err := os.Stat(l.File); err == nil && os.SameFile(existing, file) {
		return requested, nil
	}
	return "", fmt.Errorf("--out: %s holds other results than %s, and a site next to them "+
		"would be mistaken for theirs; `mcsim report %s` renders them", requested, l.File, requested)
}

// Sweep removes the incomplete files that killed commands left in a folder of results and in its
// folder of figures.
func Sweep(dir string) {
	replace.Sweep(dir)
	replace.Sweep(filepath.Join(dir, "figures"))
}
