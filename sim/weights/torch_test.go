package weights

import (
	"encoding/csv"
	"math"
	"os"
	"slices"
	"strconv"
	"testing"

	"mcsim/sim/law"
)

// torchRow is a line of torch.csv.
type torchRow struct {
	head      Head
	draws     float64
	quantity  string
	value, se float64
}

// lines are those of a file of comma-separated values, below its head.
func lines(t *testing.T, name string) [][]string {
	t.Helper()
	f, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comment = '#'
	all, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return all[1:]
}

func torchRows(t *testing.T) []torchRow {
	t.Helper()
	number := func(text string) float64 {
		if text == "" {
			return 0
		}
		x, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	var rows []torchRow
	for _, l := range lines(t, "torch.csv") {
		s, ok := Lookup(l[0])
		if !ok {
			t.Fatalf("there is no scheme %s", l[0])
		}
		shape := Shape{int(number(l[1])), int(number(l[2]))}
		rows = append(rows, torchRow{s.At(shape), number(l[3]), l[4], number(l[5]), number(l[6])})
	}
	return rows
}

// PyTorch 1.13 itself draws what the schemes named after its functions say:
// variance and kurtosis of entries, queries, keys and scores within 4.5 of its
// own errors. Its MultiheadAttention has biases of 0.
func TestSchemesAgainstPyTorch(t *testing.T) {
	rows := torchRows(t)
	var seen []string
	for _, r := range rows {
		h := r.head
		if !slices.Contains(seen, h.Scheme.Name) {
			seen = append(seen, h.Scheme.Name)
		}
		v := h.Query.Variance
		want := map[string]float64{
			"entry_square": v, "query_variance": h.QueryVariance(), "key_variance": h.KeyVariance(),
			"scaled_variance": h.ScaledVariance(), "entry_fourth": h.Query.Kurtosis * v * v,
		}[r.quantity]
		if h.Scheme.Orthogonal() && r.quantity == "entry_fourth" {
			want = 3 / (h.d() * (h.d() + 2)) // of a component of a unit vector
		}
		if r.quantity == "entry_greatest" {
			greatest(t, r)
			continue
		}
		if math.Abs(r.value-want) > 4.5*r.se+1e-6*want {
			t.Errorf("%s at %+v: PyTorch's %s is %v ± %v, %.1f errors from %v", h.Scheme.Name, h.Shape, r.quantity, r.value, r.se, (r.value-want)/r.se, want)
		}
	}
	if len(rows) != 2*12*6 || len(seen) != 12 {
		t.Errorf("%d lines of %d schemes", len(rows), len(seen))
	}
}

// greatest holds the greatest of all entries against where a uniform law ends,
// and against what a normal one reaches in so many draws: it is not cut.
func greatest(t *testing.T, r torchRow) {
	t.Helper()
	reach := r.value / math.Sqrt(r.head.Query.Variance)
	switch r.head.Scheme.Law {
	case law.Uniform:
		if reach > math.Sqrt(3)*(1+1e-6) || reach < math.Sqrt(3)*0.999 {
			t.Errorf("%s: the greatest entry is %v standard deviations", r.head.Scheme.Name, reach)
		}
	case law.Normal:
		if reach < 4.5 || reach > 7 {
			t.Errorf("%s: the greatest entry is %v standard deviations", r.head.Scheme.Name, reach)
		}
	}
}

// Where heads share keys, W_K or the packed matrix has fewer outputs, which PyTorch's
// Xavier counts: entries and scores of its draws are within 4.5 of its own errors.
func TestSharedKeysAgainstPyTorch(t *testing.T) {
	all := lines(t, "shared.csv")
	for _, l := range all {
		var numbers []float64
		for _, text := range append(l[1:5:5], l[6:]...) {
			x, err := strconv.ParseFloat(text, 64)
			if err != nil {
				t.Fatal(err)
			}
			numbers = append(numbers, x)
		}
		s, ok := Lookup(l[0])
		if !ok {
			t.Fatalf("there is no scheme %s", l[0])
		}
		layer := Layer{Shape{int(numbers[0]), int(numbers[1])}, int(numbers[2]), int(numbers[3])}
		h := s.In(layer)
		want, ok := map[string]float64{"query_entry_square": h.Query.Variance, "key_entry_square": h.Key.Variance, "scaled_variance": h.ScaledVariance()}[l[5]]
		if value, se := numbers[4], numbers[5]; !ok || !(math.Abs(value-want) <= 4.5*se) {
			t.Errorf("%s in %+v: PyTorch's %s is %v ± %v, by the scheme %v", l[0], layer, l[5], value, se, want)
		}
	}
	if len(all) != 18 {
		t.Errorf("%d lines", len(all))
	}
}
