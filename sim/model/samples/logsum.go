package samples

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"mcsim/sim/base/tensor"
	"mcsim/sim/model/inspect"
	"mcsim/sim/names"
)

var (
	logSumPattern  = newNamePattern("lse|softmax_lse|logsumexp|log_sum_exp")
	logKeysPattern = newNamePattern("lse_keys")
)

// HasLogSums reports whether the files have arrays of log-sum-exps.
func HasLogSums(files *tensor.Files) bool {
	return slices.ContainsFunc(files.Names(), logSumPattern.MatchString)
}

// MaxLogSumKeys limits the number of keys of a row whose log-sum-exp is known.
const MaxLogSumKeys = 1 << 24

// MeasureLogSums estimates every head from log-sum-exps of rows: arrays of rows, heads × rows, or
// texts × heads × rows. All arrays must have the same shape. keys is the number of keys that the
// last row sees; if it is 0, the number in the array lse_keys is used. If isCausal is set, or if
// the file says so, each row sees one key more than the row before it. about describes the arrays.
func MeasureLogSums(files *tensor.Files, keys int, isCausal bool) (heads []inspect.LogSumHead, about string,
	err error) {
	var layers []*logSumLayer
	for _, name := range files.Names() {
		if !logSumPattern.MatchString(name) {
			continue
		}
		l, err := readLogSumLayer(files, name, keys, isCausal)
		if err != nil {
			return nil, "", fmt.Errorf("%s: %w", name, err)
		}
		layers = append(layers, l)
	}
	slices.SortStableFunc(layers, func(a, b *logSumLayer) int { return compareTitles(a.title, b.title) })
	first := layers[0]
	for _, l := range layers {
		if l.describe() != first.describe() {
			return nil, "", fmt.Errorf("%s has %s, and %s %s: layers judged together must be the same", first.name,
				first.describe(), l.name, l.describe())
		}
		estimates, err := l.estimate()
		if err != nil {
			return nil, "", err
		}
		for i := range estimates {
			if len(layers) > 1 {
				estimates[i].Layer = l.title
			}
		}
		heads = append(heads, estimates...)
	}
	about = "Log-sum-exps: " + first.name
	if len(layers) > 1 {
		about += fmt.Sprintf(" and %d more", len(layers)-1)
	}
	return heads, about + ", " + first.describe() + ".", nil
}

// logSumLayer is an array of log-sum-exps: texts × heads × rows.
type logSumLayer struct {
	name, title        string // the title is the numbers in the name, as of queries
	array              *tensor.Array
	texts, heads, rows int
	keys               int // number of keys that the last row sees
	isCausal           bool
}

// describe returns the axes of the array, and the keys that rows see.
func (l *logSumLayer) describe() string {
	text := fmt.Sprintf("%s × %s × %s; the last row sees %s", names.Count(l.texts, "text"),
		names.Count(l.heads, "head"),
		names.Count(l.rows, "row"), names.Count(l.keys, "key"))
	if l.isCausal {
		text += ", and each row one key more than the row before it (causal)"
	}
	return text
}

// readLogSumLayer reads the shape of an array, and the number of keys and the mask that are saved
// next to it.
func readLogSumLayer(files *tensor.Files, name string, keys int, isCausal bool) (*logSumLayer, error) {
	a, err := files.Lookup(name)
	if err != nil {
		return nil, err
	}
	const maxAxes = 3
	isPrecise := a.Type == "F32" || a.Type == "F64"
	if len(a.Shape) < 1 || len(a.Shape) > maxAxes || slices.Contains(a.Shape, 0) || !isPrecise {
		return nil, fmt.Errorf("has the shape %s and the type %s; it needs texts × heads × rows of type F32 or F64",
			a.Dimensions(), a.Type)
	}
	call, err := readCall(files, name)
	if err != nil {
		return nil, err
	}
	if keys == 0 {
		if keys, err = readLogSumKeys(files, name); err != nil {
			return nil, err
		}
	}
	shape := append(slices.Repeat([]int{1}, maxAxes-len(a.Shape)), a.Shape...)
	l := &logSumLayer{name: name, title: cmp.Or(strings.Join(numbers.FindAllString(name, -1), "."), name), array: a,
		texts: shape[0], heads: shape[1], rows: shape[2], keys: keys, isCausal: isCausal || call.causal}
	switch {
	case call.masked:
		return nil, errors.New(
			"the file says that a mask was given, so the numbers of keys are not known: save q and k")
	case l.isCausal && keys < l.rows:
		return nil, fmt.Errorf("has %d rows; under a causal mask the last row sees at least as many keys, not %d",
			l.rows,
			keys)
	}
	return l, nil
}

// readLogSumKeys returns the number of keys that is saved next to log-sum-exps.
func readLogSumKeys(files *tensor.Files, name string) (int, error) {
	sibling := findSibling(files, name, logKeysPattern, false)
	if sibling == "" {
		return 0, errors.New("say --keys, the number of keys that the last row sees")
	}
	var keys float64
	isRead, err := readNumber(files, sibling, &keys)
	if err != nil {
		return 0, err
	}
	if !isRead || keys != math.Trunc(keys) || keys < 2 || keys > MaxLogSumKeys {
		return 0, fmt.Errorf("%s must be one float, a whole number in 2..%d", sibling, MaxLogSumKeys)
	}
	return int(keys), nil
}

// estimate estimates the heads of a layer.
func (l *logSumLayer) estimate() (heads []inspect.LogSumHead, err error) {
	keysOfRow := slices.Repeat([]int{l.keys}, l.rows)
	if l.isCausal {
		for i := range keysOfRow {
			keysOfRow[i] -= l.rows - 1 - i
		}
	}
	sums := make([][][]float64, l.heads) // head, text, row
	for text := range l.texts {
		var indexes []int // of the axes before heads and rows
		if len(l.array.Shape) > 2 {
			indexes = []int{text}
		}
		m, err := l.array.Matrix(indexes...)
		if err != nil {
			return nil, err
		}
		data := make([]float64, l.heads*l.rows)
		if err := tensor.Read(m, data); err != nil {
			return nil, err
		}
		for h := range sums {
			sums[h] = append(sums[h], data[h*l.rows:(h+1)*l.rows])
		}
	}
	for h := range sums {
		estimate := inspect.EstimateLogSums(sums[h], keysOfRow)
		estimate.Head = h
		heads = append(heads, estimate)
	}
	return heads, nil
}
