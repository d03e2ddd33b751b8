package ask

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mcsim/sim/base/replace"
	"mcsim/sim/model/series"
	"mcsim/sim/statistics/theory"
)

// checkOutputs refuses output files that are inputs, that two flags name, or whose folder does not
// exist.
func (f *inspectFlags) checkOutputs(inputs []string) error {
	type output struct{ flag, path string }
	var outputs []output
	for _, o := range []output{{"--map", f.mapPath}, {"--junit", f.junit}, {"--summary", f.summary}} {
		if o.path == "" || o.path == "-" {
			continue
		}
		switch filepath.Ext(o.path) {
		case ".npz", ".npy", ".safetensors", ".json": // arrays, shards that an index names, configurations
			return fmt.Errorf("%s %s: has the name of an input; choose another ending, such as .txt", o.flag, o.path)
		}
		if info, err := os.Stat(filepath.Dir(o.path)); err != nil || !info.IsDir() {
			return fmt.Errorf("%s %s: there is no folder %s", o.flag, o.path, filepath.Dir(o.path))
		}
		isSame := func(path string) bool { return replace.IsSameFile(o.path, path) }
		if slices.ContainsFunc(inputs, isSame) {
			return fmt.Errorf("%s %s: is an input; name another file", o.flag, o.path)
		}
		for _, other := range outputs {
			if isSame(other.path) {
				return fmt.Errorf("%s and %s both name %s", other.flag, o.flag, o.path)
			}
		}
		outputs = append(outputs, o)
	}
	return nil
}

// writable is a report from which the files of the flags are made.
type writable interface {
	HeadMap(lo, hi float64, meaning string) series.HeadMap
	MarkdownSummary() string
}

// write writes the files that the flags name. It writes the map before the report, so that there is
// no report if the map fails.
func (f *inspectFlags) write(
	w io.Writer, a writable, keys int, encodeJUnit func() ([]byte, error), outputs Outputs,
) error {
	for _, output := range []struct {
		path       string
		isStandard bool // standard output in place of a file
		encode     func() ([]byte, error)
	}{
		{f.mapPath, false, func() ([]byte, error) { return outputs.DrawMap(a.HeadMap(f.mapBand(keys)), f.mapFormat()) }},
		{f.summary, false, func() ([]byte, error) { return []byte(a.MarkdownSummary()), nil }},
		{f.junit, f.junit == "-", encodeJUnit},
	} {
		if output.path == "" {
			continue
		}
		text, err := output.encode()
		if err != nil {
			return err
		}
		if output.isStandard {
			_, err = w.Write(text)
		} else {
			err = outputs.ReplaceFile(output.path, text)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (f *inspectFlags) mapFormat() string { return strings.TrimPrefix(filepath.Ext(f.mapPath), ".") }

// mapBand returns the band of a map and its meaning. It is the band of --gate; without this flag it
// has the standard deviations of logits for which rows of that number of keys are spread.
func (f *inspectFlags) mapBand(keys int) (lo, hi float64, meaning string) {
	if f.gate.Hi > 0 {
		return f.gate.Lo, f.gate.Hi, "the band of --gate"
	}
	return 0, theory.FreezingSigma(max(2, keys)), fmt.Sprintf("spread, if logits are normal, with %d keys", keys)
}
