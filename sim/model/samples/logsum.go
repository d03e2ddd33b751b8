package samples

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"mcsim/sim/base/tensor"
	"mcsim/sim/model/inspect"
)

var (
	logSumPattern  = newNamePattern("lse|softmax_lse|logsumexp|log_sum_exp")
	logKeysPattern = newNamePattern("lse_keys")
)

// HasLogSums reports whether the files have arrays of log-sum-exps.
func HasLogSums(files *tensor.Files) bool {
	return slices.ContainsFunc(files.Names(), logSumPattern.MatchString)
}

// MeasureLogSums estimates every head from log-sum-exps of rows: arrays of rows, heads × rows, or texts ×
// heads × rows. keys is the number of keys that the last row sees; 0 takes the number that the hook saved.
// If isCausal is set, or if the file says so, each row sees one key more than the row before it.
func MeasureLogSums(files *tensor.Files, keys int, isCausal bool) (heads []inspect.LogSumHead, about []string, err error) {
	var found []string
	for _, name := range files.Names() {
		if logSumPattern.MatchString(name) {
			found = append(found, name)
		}
	}
	for _, name := range found {
		layer, sentence, err := measureLogSumLayer(files, name, keys, isCausal)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", name, err)
		}
		if len(found) > 1 {
			for i := range layer {
				layer[i].Layer = cmp.Or(strings.Join(numbers.FindAllString(name, -1), "."), name)
			}
		}
		heads, about = append(heads, layer...), append(about, sentence)
	}
	slices.SortStableFunc(heads, func(a, b inspect.LogSumHead) int { return compareTitles(a.Layer, b.Layer) })
	return heads, about[:1], nil
}

// measureLogSumLayer estimates the heads of one array.
func measureLogSumLayer(
	files *tensor.Files, name string, keys int, isCausal bool,
) (heads []inspect.LogSumHead, about string, err error) {
	a, err := files.Lookup(name)
	if err != nil {
		return nil, "", err
	}
	if len(a.Shape) < 1 || len(a.Shape) > 3 || slices.Contains(a.Shape, 0) || a.IsWhole() {
		return nil, "", fmt.Errorf("has the shape %s and the type %s; it needs numbers of texts × heads × rows",
			a.Dimensions(), a.Type)
	}
	call, err := readCall(files, name)
	if err != nil {
		return nil, "", err
	}
	if keys == 0 {
		var saved float64
		if _, err := readNumber(files, findSibling(files, name, logKeysPattern, false), &saved); err != nil {
			return nil, "", err
		}
		keys = int(saved)
	}
	shape := append(slices.Repeat([]int{1}, 3-len(a.Shape)), a.Shape...)
	texts, headCount, rows := shape[0], shape[1], shape[2]
	isCausal = isCausal || call.causal
	switch {
	case keys == 0:
		return nil, "", errors.New("say --keys, the number of keys that the last row sees")
	case isCausal && keys < rows:
		return nil, "", fmt.Errorf("has %d rows; under a causal mask the last row sees at least as many keys, not %d", rows,
			keys)
	case keys < 2:
		return nil, "", errors.New("rows see one key, whose weight is 1; it needs at least two")
	}
	keysOfRow := slices.Repeat([]int{keys}, rows)
	kind := ""
	if isCausal {
		for i := range keysOfRow {
			keysOfRow[i] = max(1, keys-rows+i+1)
		}
		kind = ", causal: each row sees one key more than the row before it"
	}
	sums := make([][][]float64, headCount) // head, text, row
	for text := range texts {
		m, err := a.Matrix([]int{text}[:len(a.Shape)/3]...)
		if err != nil {
			return nil, "", err
		}
		data := make([]float64, headCount*rows)
		if err := tensor.Read(m, data); err != nil {
			return nil, "", err
		}
		for h := range sums {
			sums[h] = append(sums[h], data[h*rows:(h+1)*rows])
		}
	}
	for h := range sums {
		estimate, err := inspect.EstimateLogSums(sums[h], keysOfRow)
		if err != nil {
			return nil, "", fmt.Errorf("head %d: %w", h, err)
		}
		estimate.Head = h
		heads = append(heads, estimate)
	}
	return heads, fmt.Sprintf("Log-sum-exps: %s, %d texts × %d heads × %d rows; the last row sees %d keys%s.", name, texts,
		headCount, rows, keys, kind), nil
}
