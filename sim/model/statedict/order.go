package statedict

import (
	"regexp"
	"slices"
	"strings"
)

// Orders of the axes of a matrix of weights.
const (
	OrderOutIn = "out-in" // outputs × inputs: the code computes x @ Wᵀ, as PyTorch's nn.Linear
	OrderInOut = "in-out" // inputs × outputs: the code computes x @ W
)

// Orders lists both orders.
var Orders = []string{OrderOutIn, OrderInOut}

// order is the order of the axes of a layer's matrices, and how it was found.
type order struct {
	inOut  bool
	reason string
	isSure bool // false if the order is only assumed
}

// String describes the order and its reason.
func (o order) String() string {
	text := "outputs × inputs"
	if o.inOut {
		text = "inputs × outputs"
	}
	return text + " (" + o.reason + ")"
}

// findOrder finds the order by --order, by the shapes of the matrices, by their names, or by the
// shapes of other matrices.
func (l *Layer) findOrder() order {
	q, k := l.wq, l.wk
	if flag := l.opener.Order; flag != "" {
		return order{flag == OrderInOut, "as --order says", true}
	}
	if l.isKernel() {
		return order{true, "by its name", true}
	}
	found := order{reason: "seen by the shapes", isSure: true}
	isWeight := strings.HasSuffix(strings.TrimSuffix(l.queryArray, ":0"), "weight")
	switch {
	case l.isJoint() && q.Columns == 3*q.Rows, l.isJoint() && !isWeight && q.Columns > q.Rows:
		found.inOut = true
		return found
	case l.isJoint() && q.Rows > q.Columns:
		return found
	case !l.isJoint() && !isWeight && (q.Columns == k.Columns) != (q.Rows == k.Rows):
		found.inOut = q.Rows == k.Rows
		return found
	}
	outIn, inOut := l.countVotes()
	switch {
	case isWeight && (inOut == 0 || outIn > 0): // otherwise another framework, such as PaddlePaddle
		return order{reason: "by its name", isSure: true}
	case (outIn > 0) != (inOut > 0):
		return order{inOut > 0, "seen by the shapes of other arrays", true}
	}
	return order{reason: "assumed; --order in-out says that the code multiplies x @ W"}
}

// countVotes counts the arrays that indicate each order: W_K, the gain of the norm before the
// layer, and the arrays that arrayIndex.countVotes counts.
func (l *Layer) countVotes() (outIn, inOut int) {
	q, k := l.wq, l.wk
	shape := [2]int{q.Rows, q.Columns}
	if _, ok := l.opener.votes[shape]; !ok {
		outIn, inOut := l.files.countVotes(q.Rows, q.Columns)
		l.opener.votes[shape] = [2]int{outIn, inOut}
	}
	outIn, inOut = l.opener.votes[shape][0], l.opener.votes[shape][1]
	n, _ := l.files.findNamedNorm(l.enclosingModules())
	gain, err := l.files.Lookup(n.weight)
	switch {
	case !l.isJoint() && q.Columns == k.Columns && q.Rows != k.Rows:
		outIn++
	case err != nil || q.Rows == q.Columns: // a gain does not tell
	case slices.Equal(gain.Shape, []int{q.Columns}):
		outIn++
	case slices.Equal(gain.Shape, []int{q.Rows}):
		inOut++
	}
	return outIn, inOut
}

var (
	// tokenName matches names of embeddings and of tokens x, whose last axis is d_model.
	tokenName = regexp.MustCompile(`(?i)(^|[._/])(x|wte|wpe|\w*emb\w*)([._/]weight|[._/]table)?$`)
	// wideningName matches names of matrices that have the inputs of W_Q and more outputs than
	// inputs.
	wideningName = regexp.MustCompile(`(?i)(^|[._/])(up_proj|gate_proj|fc1|lin(ear)?1|w1|w3|wi(_[01])?)([._/]weight)?$`)
)

// countVotes counts the arrays of the files that indicate each order, if W_Q has the given rows and
// columns. A matrix with a bias indicates it by the length of the bias. A matrix of the
// feed-forward network indicates it by its inputs, and tokens by their number of components, which
// are inputs of W_Q.
func (files arrayIndex) countVotes(rows, columns int) (outIn, inOut int) {
	vote := func(fitsOutIn, fitsInOut bool) {
		if fitsOutIn && !fitsInOut {
			outIn++
		}
		if fitsInOut && !fitsOutIn {
			inOut++
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
		if len(a.Shape) == 2 && wideningName.MatchString(name) {
			// Zamba's W_Q takes twice the inputs of its feed-forward network.
			vote(a.Shape[1] == columns, a.Shape[0] == rows && a.Shape[1] > rows)
		}
		if bias, err := files.Lookup(files.findBias(name)); err == nil && len(bias.Shape) == 1 && len(a.Shape) == 2 {
			vote(bias.Shape[0] == a.Shape[0], bias.Shape[0] == a.Shape[1])
		}
	}
	return outIn, inOut
}
