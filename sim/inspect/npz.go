package inspect

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Archive is a .npz file: arrays with names, of which each is read when it is asked for.
type Archive struct{ members []*zip.File }

// OpenArchive reads the names of a .npz file of that size.
func OpenArchive(r io.ReaderAt, size int64) (*Archive, error) {
	z, err := zip.NewReader(r, size)
	if err != nil {
		return nil, errors.New("is no .npz file, such as np.savez of NumPy writes")
	}
	a := &Archive{z.File}
	if len(a.Names()) == 0 {
		return nil, errors.New("holds no arrays of NumPy (.npy), though it is an archive; is it a file of PyTorch? np.savez writes what is read here")
	}
	return a, nil
}

// Names are those of the arrays, sorted.
func (a *Archive) Names() (names []string) {
	for _, m := range a.members {
		if name, ok := strings.CutSuffix(m.Name, ".npy"); ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Has reports whether the file has an array of that name.
func (a *Archive) Has(name string) bool { return slices.Contains(a.Names(), name) }

// Array reads the array of that name. A file that has several of one name is refused.
func (a *Archive) Array(name string) (Array, error) {
	var found *zip.File
	for _, m := range a.members {
		if m.Name != name+".npy" {
			continue
		}
		if found != nil {
			return Array{}, fmt.Errorf("has two arrays with the name %q", name)
		}
		found = m
	}
	if found == nil {
		return Array{}, fmt.Errorf("has no array %q; it has %s", name, strings.Join(a.Names(), ", "))
	}
	r, err := found.Open()
	if err != nil {
		return Array{}, fmt.Errorf("array %q: %w", name, err)
	}
	defer r.Close()
	// The reader checks the sum of what it gives at its end, which readArray asks for.
	out, err := readArray(r)
	if err != nil {
		return Array{}, fmt.Errorf("array %q %w", name, err)
	}
	return out, nil
}
