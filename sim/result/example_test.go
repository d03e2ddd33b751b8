package result_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"mcsim/sim/result"
)

// variance is a document of one row: Var(q·k) = d_k.
func variance() *result.Document {
	return &result.Document{
		Seed: 7, Plan: json.RawMessage(`{}`),
		Estimates: []result.Estimate{{Experiment: "variance", Cell: "variance/normal/d_k=64", Params: result.Params{"d_k": 64.0},
			Quantity: "score_variance", Estimator: "direct", N: 1000, Value: 63.5, SE: 2.9, Lo: result.Absent(), Hi: result.Absent(),
			Level: result.Absent(), Theory: 64, TheoryKind: "exact"}},
	}
}

// What is written carries a digest of its own text, so that nobody changes a
// number unnoticed.
func ExampleDecode() {
	text, err := result.Encode(variance())
	if err != nil {
		fmt.Println(err)
		return
	}
	doc, err := result.Decode(text)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(doc.Schema, doc.Estimates[0].Value, doc.Estimates[0].Theory)
	_, err = result.Decode(bytes.Replace(text, []byte("63.5"), []byte("64.0"), 1))
	fmt.Println(errors.Is(err, result.ErrDigest))
	_, err = result.Decode(text[:len(text)/2])
	fmt.Println(errors.Is(err, result.ErrTruncated))
	// Output:
	// mcsim/results/3 63.5 64
	// true
	// true
}

func ExampleWriteCSV() {
	if err := result.WriteCSV(os.Stdout, variance().Estimates); err != nil {
		fmt.Println(err)
	}
	// Output:
	// experiment,cell,d_k,quantity,estimator,n,value,se,lo,hi,level,theory,theory_kind,resolution
	// variance,variance/normal/d_k=64,64,score_variance,direct,1000,63.5,2.9,,,,64,exact,
}

func ExampleNumber() {
	text, err := json.Marshal([]result.Number{0.5, result.Absent()})
	fmt.Println(string(text), err)
	var back []result.Number
	err = json.Unmarshal(text, &back)
	fmt.Println(back[0].Present(), back[1].Present(), err)
	// Output:
	// [0.5,null] <nil>
	// true false <nil>
}
