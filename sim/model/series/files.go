package series

import (
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"mcsim/sim/base/tensor"
)

const indexName = "model.safetensors.index.json"

// ListFiles returns the files of the arguments, and whether each file is a model of its own: if an
// axis is given, if a folder has several files, or if the first two files have an array with the
// same name. Otherwise all files together are one model.
func ListFiles(paths []string, hasAxis bool) (all []string, areModels bool, err error) {
	areModels = hasAxis
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil || !info.IsDir() {
			all = append(all, path)
			continue
		}
		inFolder, err := listFolder(path)
		if err != nil {
			return nil, false, err
		}
		if len(inFolder) == 0 {
			return nil, false, fmt.Errorf("%s: is a folder without a .npz or .safetensors file", path)
		}
		all, areModels = append(all, inFolder...), areModels || len(paths) > 1 || len(inFolder) > 1
	}
	isRepeated := len(all) > 1 && all[0] == all[1] // is refused below, where the files are opened
	if !areModels && len(all) > 1 && !isRepeated {
		areModels, err = haveCommonArray(all[0], all[1])
	}
	return all, areModels, err
}

// listFolder returns the .npz and .safetensors files of a folder and of its subfolders. If a folder
// has an index of shards, it returns only the index.
func listFolder(dir string) (files []string, err error) {
	root := dir + string(filepath.Separator) // so that a link to a folder is followed
	err = filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		extension := filepath.Ext(path)
		switch {
		case err != nil:
			return err
		case e.IsDir():
			index := filepath.Join(path, indexName)
			if _, err := os.Stat(index); err == nil {
				files = append(files, index)
				return fs.SkipDir
			}
		case strings.HasPrefix(e.Name(), "optimizer"): // the state of training
		case extension == ".npz" || extension == ".safetensors":
			files = append(files, path)
		}
		return nil
	})
	return files, err
}

// haveCommonArray reports whether two files have an array with the same name.
func haveCommonArray(a, b string) (bool, error) {
	filesA, err := tensor.Open(a)
	if err != nil {
		return false, err
	}
	defer filesA.Close()
	filesB, err := tensor.Open(b)
	if err != nil {
		return false, err
	}
	defer filesB.Close()
	return slices.ContainsFunc(filesA.Names(), filesB.Has), nil
}

// ReadCoordinate returns the number of a file on the axis: of the array with the name of the axis,
// or after this name in the path, such as step100 or width=256. A folder "checkpoint-100" counts as
// a step. A width must be above 0.
func ReadCoordinate(files *tensor.Files, path, axis string) (x float64, err error) {
	saved, isSaved := 0.0, files.Has(axis)
	if isSaved {
		saved, err = files.Scalar(axis)
		if err != nil {
			return 0, err
		}
	}
	names := regexp.QuoteMeta(axis)
	if axis == "step" {
		names = "step|iter|iteration|checkpoint|ckpt"
	}
	pattern := regexp.MustCompile(`(?i)(?:^|[^a-z])(?:global_)?(?:` + names +
		`)s?[-_=. ]?([0-9]+(?:\.[0-9]+)?(?:e[-+]?[0-9]+)?)((?:_[0-9]{3})?)(?:[^0-9a-z,]|$)`)
	matches := pattern.FindAllStringSubmatch(strings.TrimSuffix(path, filepath.Ext(path)), -1)
	switch {
	case len(matches) == 0 && !isSaved:
		return 0, fmt.Errorf("%s: has no number after %q in its name, and no array %q; give --by NAME", path,
			axis, axis)
	case len(matches) == 0:
		x = saved
	default:
		match := matches[len(matches)-1]
		if match[2] != "" {
			return 0, fmt.Errorf("%s: %s%s after %q is one number or two; rename the file",
				path, match[1], match[2], axis)
		}
		x, err = strconv.ParseFloat(match[1], 64)
		if isSaved && x == -saved { // the sign may be a hyphen of the name
			x = saved
		}
	}
	const maxNumber = 1e15 // up to which whole numbers are printed with all digits
	switch {
	case err != nil:
		return 0, err
	case math.Abs(x) > maxNumber:
		return 0, fmt.Errorf("%s: the %s is %v; its size must be at most %v", path, axis, x, maxNumber)
	case isSaved && x != saved:
		return 0, fmt.Errorf("%s: its array %q is %v, but its name says %v", path, axis, saved, x)
	case axis == "width" && !(x > 0):
		return 0, fmt.Errorf("%s: the width is %v; it must be above 0", path, x)
	}
	return x, nil
}
