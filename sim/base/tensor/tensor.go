// Package tensor reads arrays of numbers by name out of files that others wrote: .npy and .npz
// of NumPy, .safetensors, and an index of shards (model.safetensors.index.json). Nothing in a
// file is trusted: sizes are checked against what is there before anything is kept, and numbers
// are read in place, so that a file may be far larger than memory.
package tensor

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"mcsim/sim/names"
)

// Array is numbers of one type and shape in a file.
type Array struct {
	Name  string // in its file; of a .npy file the file's name without its ending
	File  string // the path it stands in
	Type  string // F64, F32, F16, BF16, I8 to U64, BOOL, F8_E4M3 and others that are not read
	Shape []int  // of one number empty

	open    func() (io.ReaderAt, error) // the array's bytes
	big     bool                        // the highest byte of a number stands first
	fortran bool                        // the first index runs fastest
}

// Files are the arrays of one or several files.
type Files struct {
	arrays map[string]func() (*Array, error)
	where  map[string]string // the file of an array
	listed []string
	paths  []string
	sorted []string
	open   []io.Closer

	mutex    sync.Mutex
	inflated uint64 // bytes of compressed arrays that are kept, or will be
}

// Open reads the headers of files. All shards of an index must be there.
func Open(paths ...string) (*Files, error) {
	f := &Files{arrays: map[string]func() (*Array, error){}, where: map[string]string{}}
	for _, path := range paths {
		if err := f.add(path); err != nil {
			f.Close()
			return nil, err
		}
	}
	return f, nil
}

// Close closes the files.
func (f *Files) Close() error {
	var all []error
	for _, c := range f.open {
		all = append(all, c.Close())
	}
	f.open = nil
	return errors.Join(all...)
}

// Names returns the names of the arrays, sorted.
func (f *Files) Names() []string {
	if len(f.sorted) != len(f.arrays) {
		f.sorted = slices.Sorted(maps.Keys(f.arrays))
	}
	return f.sorted
}

// Listed returns the names of the arrays in the order of the files, and within them.
func (f *Files) Listed() []string { return f.listed }

// Has reports whether there is an array of that name.
func (f *Files) Has(name string) bool { return f.arrays[name] != nil }

// Lookup returns the array of a name.
func (f *Files) Lookup(name string) (*Array, error) {
	find := f.arrays[name]
	if find == nil {
		if len(f.Names()) == 0 {
			return nil, fmt.Errorf("there is no array %q, nor any other", name)
		}
		const maxShown = 12
		others := strconv.QuoteToGraphic(names.List(f.Names(), ", ", maxShown))
		return nil, fmt.Errorf("there is no array %q; there are %s", name, strings.Trim(others, `"`))
	}
	a, err := find()
	if err != nil {
		return nil, fmt.Errorf("%s: array %q %w", f.where[name], name, err)
	}
	return a, nil
}

// put adds an array of a file. A name stands for one array.
func (f *Files) put(name, path string, find func() (*Array, error)) error {
	if other, twice := f.where[name]; twice && other != path {
		return fmt.Errorf("the array %q stands in %s too", name, other)
	} else if twice {
		find = func() (*Array, error) { return nil, errors.New("stands twice in the file") }
	}
	if f.where[name] == "" {
		f.listed = append(f.listed, name)
	}
	f.arrays[name], f.where[name] = find, path
	return nil
}

// add takes the arrays of a file.
func (f *Files) add(path string) error {
	if slices.Contains(f.paths, path) {
		return fmt.Errorf("%s is given twice", path)
	}
	file, size, err := regular(path)
	if err != nil {
		return err
	}
	f.paths = append(f.paths, path)
	f.open = append(f.open, file)
	var start [9]byte
	n, err := file.ReadAt(start[:], 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("%s cannot be read: %w", path, err)
	}
	err = f.read(path, file, size, start[:n])
	if err != nil && !strings.HasPrefix(err.Error(), path) {
		if subject.MatchString(err.Error()) {
			path += ":"
		}
		err = fmt.Errorf("%s %w", path, err)
	}
	return err
}

// subject matches what is said of a part of a file, not of the file.
var subject = regexp.MustCompile(`^(array|the|there) `)

// read takes the arrays of an open file by what it begins with.
func (f *Files) read(path string, file io.ReaderAt, size int64, start []byte) error {
	text := string(start)
	switch {
	case size == 0:
		return errors.New("is empty")
	case strings.HasPrefix(text, magic):
		name := strings.TrimSuffix(filepath.Base(path), ".npy")
		a, err := numpyAt(file, size)
		if err != nil {
			return err
		}
		a.Name, a.File = name, path
		return f.put(name, path, func() (*Array, error) { return a, nil })
	case pickled(path, text):
		return errors.New(pickles)
	case strings.HasPrefix(text, "version "):
		return errors.New("is a Git LFS pointer, which names the real file: run git lfs pull")
	case markup.MatchString(text):
		return errors.New("is a page of HTML or XML, not the file itself: download it again, " +
			"with a token if the repository needs one")
	case strings.HasPrefix(text, "GGUF"):
		return errors.New("is a GGUF file of llama.cpp, which is not read: " +
			"inspect the .safetensors of the model, of which it was made")
	case strings.HasSuffix(path, ".onnx"):
		return errors.New("is an ONNX file, which is not read. In Python: np.savez(\"model.npz\", " +
			"**{t.name: onnx.numpy_helper.to_array(t) for t in onnx.load(path).graph.initializer})")
	case strings.HasPrefix(text, "\x89HDF"):
		return errors.New("is an HDF5 file, which is not read. In Python: " +
			"np.savez(\"model.npz\", **{w.path: w.numpy() for w in model.weights})")
	case strings.HasPrefix(text, "PK"):
		return f.archive(path, file, size)
	case strings.HasSuffix(path, ".json"),
		strings.HasPrefix(strings.TrimSpace(text), "{") && !strings.HasSuffix(text, "{"):
		return f.index(path, io.NewSectionReader(file, 0, size), size)
	case len(text) == 9 && text[8] == '{' || strings.HasSuffix(path, ".safetensors"):
		arrays, err := safetensors(file, size)
		for _, a := range arrays {
			a.File = path
			err = errors.Join(err, f.put(a.Name, path, func() (*Array, error) { return a, nil }))
		}
		return err
	}
	return errors.New("is not a .npy, .npz or .safetensors file, nor an index of shards (model.safetensors.index.json)")
}

// markup matches how a page of a website begins.
var markup = regexp.MustCompile(`(?i)^\s*<(!doc|html|\?xml)`)

// pickles says how to save what is in a file that is never opened.
const pickles = "is a pickle, which may run code when it is opened, so it is not. In Python, save the arrays in " +
	"another form: safetensors.torch.save_file(state_dict, \"model.safetensors\"), or np.savez(\"qk.npz\", " +
	"q=q.numpy(), k=k.numpy())"

// pickled reports whether a file is one by its name or its first bytes.
func pickled(path, start string) bool {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".pt", ".pth", ".bin", ".ckpt", ".pkl", ".pickle":
		return true
	}
	return len(start) > 1 && start[0] == 0x80 && start[1] >= 2 && start[1] <= 5 && start[len(start)-1] != '{'
}

// regular opens a regular file, not a pipe, which would wait.
func regular(path string) (*os.File, int64, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, 0, err
	case info.IsDir():
		return nil, 0, fmt.Errorf("%s is a folder; name a file in it%s", path, inside(path))
	case !info.Mode().IsRegular():
		return nil, 0, fmt.Errorf("%s is not a regular file, but a pipe, a socket or a device", path)
	}
	file, err := os.Open(path)
	return file, info.Size(), err
}

// inside suggests what a folder holds.
func inside(path string) string {
	for _, name := range []string{"model.safetensors.index.json", "model.safetensors"} {
		if _, err := os.Stat(filepath.Join(path, name)); err == nil {
			return ", such as " + filepath.Join(path, name)
		}
	}
	return ""
}
