// Package tensor reads named arrays of numbers from files of other programs: .npy and .npz of
// NumPy, .safetensors, and an index of shards (model.safetensors.index.json). It does not trust the
// files: it compares declared sizes with the file before it allocates memory. It reads numbers from
// the file when they are needed, so that a file may be larger than memory.
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

// Array is an array of numbers of one type in a file.
type Array struct {
	Name  string // name in the file; for a .npy file the name of the file without .npy
	File  string // path of the file
	Type  string // type as in safetensors; Read supports F64, F32, F16 and BF16, but not I8, BOOL, F8_E4M3 …
	Shape []int  // empty for one number

	open        func() (io.ReaderAt, error) // opens the bytes of the numbers
	bigEndian   bool                        // the highest byte of a number is first
	columnMajor bool                        // the first index changes fastest
}

// Files are the arrays of one or several files.
type Files struct {
	loaders map[string]func() (*Array, error) // functions that return the arrays, by name
	fileOf  map[string]string                 // paths of the files of the arrays, by name
	ordered []string                          // names of the arrays in the order of the files
	sorted  []string                          // sorted names of the arrays
	paths   []string                          // paths of the files
	closers []io.Closer                       // open files

	mutex    sync.Mutex
	inflated uint64 // bytes of the compressed arrays in memory, and of those that are being inflated
}

// Open opens files and reads their headers. All shards of an index must exist.
func Open(paths ...string) (*Files, error) {
	f := &Files{loaders: map[string]func() (*Array, error){}, fileOf: map[string]string{}}
	for _, path := range paths {
		if err := f.addFile(path, false); err != nil {
			f.Close()
			return nil, err
		}
	}
	return f, nil
}

// Close closes the files.
func (f *Files) Close() error {
	var errs []error
	for _, c := range f.closers {
		errs = append(errs, c.Close())
	}
	f.closers = nil
	return errors.Join(errs...)
}

// Names returns the sorted names of the arrays.
func (f *Files) Names() []string {
	if len(f.sorted) != len(f.loaders) {
		f.sorted = slices.Sorted(maps.Keys(f.loaders))
	}
	return f.sorted
}

// NamesInFileOrder returns the names of the arrays file by file, in the order of each file.
func (f *Files) NamesInFileOrder() []string { return f.ordered }

// Has reports whether there is an array with the name.
func (f *Files) Has(name string) bool { return f.loaders[name] != nil }

// Lookup returns the named array.
func (f *Files) Lookup(name string) (*Array, error) {
	load := f.loaders[name]
	if load == nil {
		if len(f.Names()) == 0 {
			return nil, fmt.Errorf("there is no array %q, nor any other", name)
		}
		const maxShown = 12
		others := strconv.QuoteToGraphic(names.List(f.Names(), ", ", maxShown))
		return nil, fmt.Errorf("there is no array %q; there are %s", name, strings.Trim(others, `"`))
	}
	a, err := load()
	if err != nil {
		return nil, fmt.Errorf("%s: array %q: %w", f.fileOf[name], name, err)
	}
	return a, nil
}

// maxName is the largest length of the name of an array in bytes.
const maxName = 1 << 10

// checkName returns an error if the name of an array is too long to be printed.
func checkName(name string) error {
	if len(name) > maxName {
		return fmt.Errorf("has an array whose name has %d bytes; at most %d are read", len(name), maxName)
	}
	return nil
}

// addArray adds an array of a file. It fails if another file has an array with the same name. If
// the name is repeated in one file, Lookup of the array fails.
func (f *Files) addArray(name, path string, load func() (*Array, error)) error {
	if err := checkName(name); err != nil {
		return err
	}
	existingPath, isRepeated := f.fileOf[name]
	switch {
	case !isRepeated:
		f.ordered = append(f.ordered, name)
	case existingPath != path:
		return fmt.Errorf("array %q is also in %s", name, existingPath)
	default:
		load = func() (*Array, error) { return nil, errors.New("is twice in the file") }
	}
	f.loaders[name], f.fileOf[name] = load, path
	return nil
}

// addFile adds the arrays of a file. A shard must not be another index.
func (f *Files) addFile(path string, isShard bool) error {
	if slices.Contains(f.paths, path) {
		return fmt.Errorf("%s: is given twice", path)
	}
	file, size, err := openRegular(path)
	if err != nil {
		return err
	}
	f.paths = append(f.paths, path)
	f.closers = append(f.closers, file)
	var start [9]byte
	n, err := file.ReadAt(start[:], 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("%s: cannot be read: %w", path, err)
	}
	if isShard && isIndex(path, string(start[:n])) {
		return fmt.Errorf("%s: is an index of shards, not a shard", path)
	}
	err = f.addArrays(path, file, size, start[:n])
	if err != nil && !strings.HasPrefix(err.Error(), path) {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return err
}

// addArrays adds the arrays of an open file. start has the first bytes of the file, up to nine,
// which show the format.
func (f *Files) addArrays(path string, file io.ReaderAt, size int64, start []byte) error {
	text := string(start)
	switch {
	case size == 0:
		return errors.New("is empty")
	case strings.HasPrefix(text, magic):
		name := strings.TrimSuffix(filepath.Base(path), ".npy")
		a, err := openNumPy(file, size)
		if err != nil {
			return err
		}
		a.Name, a.File = name, path
		return f.addArray(name, path, func() (*Array, error) { return a, nil })
	case isPickle(path, text):
		return errors.New(pickleError)
	case strings.HasPrefix(text, "version "):
		return errors.New("is a Git LFS pointer, which names the real file: run git lfs pull")
	case htmlPattern.MatchString(text):
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
		return f.addArchive(path, file, size)
	case isIndex(path, text):
		return f.addIndex(path, io.NewSectionReader(file, 0, size), size)
	case isSafetensors(path, text):
		arrays, err := readSafetensors(file, size)
		for _, a := range arrays {
			a.File = path
			err = errors.Join(err, f.addArray(a.Name, path, func() (*Array, error) { return a, nil }))
		}
		return err
	}
	return errors.New("is not a .npy, .npz or .safetensors file, nor an index of shards (model.safetensors.index.json)")
}

// isIndex reports whether a file is an index of shards by its name, or because it begins as a JSON
// object.
func isIndex(path, start string) bool {
	isObject := strings.HasPrefix(strings.TrimSpace(start), "{") && !strings.HasSuffix(start, "{")
	return isObject || strings.HasSuffix(path, ".json")
}

// isSafetensors reports whether a file is a .safetensors file by its name, or because the JSON of a
// header begins after 8 bytes.
func isSafetensors(path, start string) bool {
	hasHeader := len(start) == 9 && start[8] == '{'
	return hasHeader || strings.HasSuffix(path, ".safetensors")
}

// htmlPattern matches the beginning of a web page.
var htmlPattern = regexp.MustCompile(`(?i)^\s*<(!doc|html|\?xml)`)

// pickleError tells how to convert a pickle, which is never opened.
const pickleError = "is a pickle, which may run code when it is opened, so it is not. In Python, save the arrays in " +
	"another form: safetensors.torch.save_file(state_dict, \"model.safetensors\"), or np.savez(\"qk.npz\", " +
	"q=q.numpy(), k=k.numpy())"

// isPickle reports whether a file is a pickle by its name, or because it begins with the opcode
// 0x80 and the version of a pickle and has no header of safetensors.
func isPickle(path, start string) bool {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".pt", ".pth", ".bin", ".ckpt", ".pkl", ".pickle":
		return true
	}
	return len(start) > 1 && start[0] == 0x80 && start[1] >= 2 && start[1] <= 5 && start[len(start)-1] != '{'
}

// openRegular opens a regular file. It refuses pipes, which would block.
func openRegular(path string) (*os.File, int64, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, 0, err
	case info.IsDir():
		return nil, 0, fmt.Errorf("%s: is a folder; name a file in it%s", path, suggestFile(path))
	case !info.Mode().IsRegular():
		return nil, 0, fmt.Errorf("%s: is not a regular file, but a pipe, a socket or a device", path)
	}
	file, err := os.Open(path)
	return file, info.Size(), err
}

// suggestFile suggests a file in a folder.
func suggestFile(path string) string {
	for _, name := range []string{"model.safetensors.index.json", "model.safetensors"} {
		if _, err := os.Stat(filepath.Join(path, name)); err == nil {
			return ", such as " + filepath.Join(path, name)
		}
	}
	return ""
}
