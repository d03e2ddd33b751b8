package statedict

import (
	"regexp"
	"strings"

	"mcsim/sim/tensor"
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
	switch {
	case f.query == f.key && q.Columns == 3*q.Rows, f.query == f.key && !isWeight && q.Columns > q.Rows:
		seen.inOut = true
		return seen
	case f.query == f.key && q.Rows > q.Columns:
		return seen
	case isWeight:
		return order{why: "by its name", sure: true}
	case f.query != f.key && (q.Columns == k.Columns) != (q.Rows == k.Rows):
		seen.inOut = q.Rows == k.Rows
		return seen
	}
	if out, in := votes(files, f, q); (out > 0) != (in > 0) {
		return order{in > 0, "seen by the shapes of other arrays", true}
	}
	return order{why: "assumed; --order in-out says that the code multiplies x @ W"}
}

// tokenName matches names of arrays whose last axis is that of tokens: embeddings, and tokens x.
var tokenName = regexp.MustCompile(`(?i)(^|[._/])(x|wte|wpe|\w*emb\w*)([._/]weight|[._/]table)?$`)

// votes counts the arrays that show either order: matrices by the length of their bias, and, if W_Q is
// not square, the norm before attention and tokens by the number of components.
func votes(files *tensor.Files, f found, q tensor.Matrix) (out, in int) {
	vote := func(n, forOut, forIn int) {
		switch {
		case forOut == forIn:
		case n == forOut:
			out++
		case n == forIn:
			in++
		}
	}
	if n, _ := usualNorm(files, enclosing(f.prefix)); n.weight != "" {
		if a, err := files.Lookup(n.weight); err == nil && len(a.Shape) == 1 {
			vote(a.Shape[0], q.Columns, q.Rows)
		}
	}
	for _, name := range files.Names() {
		a, err := files.Lookup(name)
		if err != nil || len(a.Shape) < 2 {
			continue
		}
		if tokenName.MatchString(name) {
			vote(a.Shape[len(a.Shape)-1], q.Columns, q.Rows)
		}
		if bias, err := files.Lookup(biasOf(files, name)); err == nil && len(bias.Shape) == 1 && len(a.Shape) == 2 {
			vote(bias.Shape[0], a.Shape[0], a.Shape[1])
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
	return ""
}
