package statedict

import (
	"regexp"
	"slices"
	"strings"
)

// The orders of the axes of a matrix of weights.
const (
	OrderOutIn = "out-in" // outputs × inputs, W of x @ Wᵀ, as in PyTorch's nn.Linear
	OrderInOut = "in-out" // inputs × outputs, W of x @ W
)

// Orders are both of these.
var Orders = []string{OrderOutIn, OrderInOut}

// order is the order of the axes of a layer's matrices, and why.
type order struct {
	inOut bool
	why   string
	sure  bool // it is said, known or seen; else it is assumed
}

// String says the order, and why.
func (o order) String() string {
	text := "outputs × inputs"
	if o.inOut {
		text = "inputs × outputs"
	}
	return text + " (" + o.why + ")"
}

// findOrder returns how the matrices of a layer are arranged: as --order says, as their shapes show, as
// their names say, or as other matrices of the files show.
func (l *Layer) findOrder() order {
	q, k := l.wq, l.wk
	if said := l.opener.Order; said != "" {
		return order{said == OrderInOut, "as --order says", true}
	}
	if l.isKernel() {
		return order{true, "by its name", true}
	}
	seen := order{why: "seen by the shapes", sure: true}
	isWeight := strings.HasSuffix(strings.TrimSuffix(l.query, ":0"), "weight")
	switch {
	case l.isOne() && q.Columns == 3*q.Rows, l.isOne() && !isWeight && q.Columns > q.Rows:
		seen.inOut = true
		return seen
	case l.isOne() && q.Rows > q.Columns:
		return seen
	case !l.isOne() && !isWeight && (q.Columns == k.Columns) != (q.Rows == k.Rows):
		seen.inOut = q.Rows == k.Rows
		return seen
	}
	out, in := l.votes()
	switch {
	case isWeight && (in == 0 || out > 0): // else it is of another framework, such as PaddlePaddle
		return order{why: "by its name", sure: true}
	case (out > 0) != (in > 0):
		return order{in > 0, "seen by the shapes of other arrays", true}
	}
	return order{why: "assumed; --order in-out says that the code multiplies x @ W"}
}

// votes counts the arrays that show either order: those of all files, W_K, and the gain of the norm
// before the layer.
func (l *Layer) votes() (out, in int) {
	q, k := l.wq, l.wk
	shape := [2]int{q.Rows, q.Columns}
	if _, ok := l.opener.votes[shape]; !ok {
		out, in := l.files.votes(q.Rows, q.Columns)
		l.opener.votes[shape] = [2]int{out, in}
	}
	out, in = l.opener.votes[shape][0], l.opener.votes[shape][1]
	n, _ := l.files.usualNorm(l.enclosing())
	gain, err := l.files.Lookup(n.weight)
	switch {
	case !l.isOne() && q.Columns == k.Columns && q.Rows != k.Rows:
		out++
	case err != nil || q.Rows == q.Columns:
	case slices.Equal(gain.Shape, []int{q.Columns}):
		out++
	case slices.Equal(gain.Shape, []int{q.Rows}):
		in++
	}
	return out, in
}

var (
	// tokenName matches names of arrays whose last axis is that of tokens: embeddings, and tokens x.
	tokenName = regexp.MustCompile(`(?i)(^|[._/])(x|wte|wpe|\w*emb\w*)([._/]weight|[._/]table)?$`)
	// widening matches names of matrices that take as many inputs as W_Q, and have more outputs.
	widening = regexp.MustCompile(`(?i)(^|[._/])(up_proj|gate_proj|fc1|lin(ear)?1|w1|w3|wi(_[01])?)([._/]weight)?$`)
)

// votes counts the arrays that show either order: matrices by the length of their bias, those of the
// feed-forward network by their inputs, and, if W_Q is not square, tokens by the number of components.
func (files arrays) votes(rows, columns int) (out, in int) {
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
		if bias, err := files.Lookup(files.biasOf(name)); err == nil && len(bias.Shape) == 1 && len(a.Shape) == 2 {
			vote(bias.Shape[0] == a.Shape[0], bias.Shape[0] == a.Shape[1])
		}
	}
	return out, in
}
