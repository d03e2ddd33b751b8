package statedict

import (
	"regexp"
	"slices"
	"strings"

	"mcsim/sim/base/tensor"
)

// The orders in which a matrix of weights may stand.
const (
	OrderOutIn = "out-in" // outputs × inputs, W of x @ Wᵀ, as PyTorch's nn.Linear has it
	OrderInOut = "in-out" // inputs × outputs, W of x @ W
)

// Orders are both of these.
var Orders = []string{OrderOutIn, OrderInOut}

// order is how the matrices of a layer stand, and why.
type order struct {
	inOut bool
	why   string
	sure  bool // it is said, known or seen; else it is assumed
}

// String says it.
func (o order) String() string {
	text := "outputs × inputs"
	if o.inOut {
		text = "inputs × outputs"
	}
	return text + " (" + o.why + ")"
}

// orderOf returns how the matrices of a layer stand: as --order says, as their shapes show, as
// their names say, or as other matrices of the files show.
func (o *Options) orderOf(files *tensor.Files, f found, q, k tensor.Matrix) order {
	if o.Order != "" {
		return order{o.Order == OrderInOut, "as --order says", true}
	}
	if f.kernel {
		return order{true, "by its name", true}
	}
	seen := order{why: "seen by the shapes", sure: true}
	isWeight := strings.HasSuffix(strings.TrimSuffix(f.query, ":0"), "weight")
	one := f.query == f.key
	switch {
	case one && q.Columns == 3*q.Rows, one && !isWeight && q.Columns > q.Rows:
		seen.inOut = true
		return seen
	case one && q.Rows > q.Columns:
		return seen
	case !one && !isWeight && (q.Columns == k.Columns) != (q.Rows == k.Rows):
		seen.inOut = q.Rows == k.Rows
		return seen
	}
	shape := [2]int{q.Rows, q.Columns}
	if _, ok := f.votes[shape]; !ok {
		out, in := votes(files, q.Rows, q.Columns)
		f.votes[shape] = [2]int{out, in}
	}
	out, in := f.votes[shape][0], f.votes[shape][1]
	n, _ := usualNorm(files, f.enclosing())
	gain, err := files.Lookup(n.weight)
	switch {
	case !one && q.Columns == k.Columns && q.Rows != k.Rows:
		out++
	case err != nil || q.Rows == q.Columns:
	case slices.Equal(gain.Shape, []int{q.Columns}):
		out++
	case slices.Equal(gain.Shape, []int{q.Rows}):
		in++
	}
	switch {
	case isWeight && (in == 0 || out > 0): // else it is of another framework, such as PaddlePaddle
		return order{why: "by its name", sure: true}
	case (out > 0) != (in > 0):
		return order{in > 0, "seen by the shapes of other arrays", true}
	}
	return order{why: "assumed; --order in-out says that the code multiplies x @ W"}
}

var (
	// tokenName matches names of arrays whose last axis is that of tokens: embeddings, and tokens x.
	tokenName = regexp.MustCompile(`(?i)(^|[._/])(x|wte|wpe|\w*emb\w*)([._/]weight|[._/]table)?$`)
	// widening matches names of matrices that take as many inputs as W_Q, and have more outputs.
	widening = regexp.MustCompile(`(?i)(^|[._/])(up_proj|gate_proj|fc1|lin(ear)?1|w1|w3|wi(_[01])?)([._/]weight)?$`)
)

// votes counts the arrays that show either order: matrices by the length of their bias, those of the
// feed-forward network by their inputs, and, if W_Q is not square, tokens by the number of components.
func votes(files *tensor.Files, rows, columns int) (out, in int) {
	vote := func(isOut, isIn bool) {
		if isOut && !isIn {
			out++
		}
		if isIn && !isOut {
			in++
		}
	}
	for _, name := range files.Names() {
		a, err := files.Lookup(name)
		if err != nil || len(a.Shape) < 2 {
			continue
		}
		if tokenName.MatchString(name) {
			n := a.Shape[len(a.Shape)-1]
			vote(n == columns, n == rows)
		}
		if len(a.Shape) == 2 && widening.MatchString(name) {
			// Zamba's W_Q takes twice the inputs of its feed-forward network.
			vote(a.Shape[1] == columns, a.Shape[0] == rows && a.Shape[1] > rows)
		}
		if bias, err := files.Lookup(biasOf(files, name)); err == nil && len(bias.Shape) == 1 && len(a.Shape) == 2 {
			vote(bias.Shape[0] == a.Shape[0], bias.Shape[0] == a.Shape[1])
		}
	}
	return out, in
}

// biasOf returns the name of the bias of a matrix, such as bq of Wq; empty if there is none.
func biasOf(files *tensor.Files, weight string) string {
	cut := strings.LastIndexAny(weight, "./") + 1
	for _, pair := range [][2]string{{"weight", "bias"}, {"kernel", "bias"}, {"W", "b"}, {"w", "b"}} {
		for at := len(weight); at > cut; {
			if at = strings.LastIndex(weight[:at], pair[0]); at < cut {
				break
			}
			if name := weight[:at] + pair[1] + weight[at+len(pair[0]):]; files.Has(name) {
				return name
			}
		}
	}
	if m := ending.FindStringSubmatch(weight); m[2] != "" && files.Has(m[1]+"_bias") {
		return m[1] + "_bias"
	}
	return ""
}
