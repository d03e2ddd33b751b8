package kernel

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"os"
	"testing"

	"mcsim/sim/base/distribution"
)

// pinned holds the draws: the start of a SHA-256 over the scores of Pairs and
// the draws of Vectors at many dimensions. Whoever changes one changes
// Version too.
var pinned = map[string]string{
	"normal":                    "d8401f06cc371964f7ad51ed",
	"uniform":                   "a167ee88da160d20fbafe798",
	"rademacher":                "afda0e261ce7d7431d1760ce",
	"laplace":                   "e2d0062ec95057ba817a6901",
	"triangular":                "b863c199be65db6739588d5e",
	"truncated-normal":          "859a5433db20446e5ae7fedb",
	"student-t(2.001)":          "2123a7a9946c614f52192bd2",
	"student-t(3)":              "4a6d202a971841afa568c53d",
	"student-t(5)":              "a5753542cf04737096a5891a",
	"student-t(10)":             "cd350964b903e7334554258e",
	"student-t(20)":             "8f4c28d67fd10a36fac00360",
	"student-t(1000)":           "f59a247999e8566733e33741",
	"bernoulli-gaussian(0.1)":   "caf8812b541422a1499e203e",
	"bernoulli-gaussian(0.5)":   "770acc39c73be9b0d0b181ee",
	"bernoulli-gaussian(0.999)": "fb8a9d880d22eb3c6018f19e",
	"sphere":                    "789e8095d9860baf5212eefa",
}

func TestBits(t *testing.T) {
	for _, k := range implementations {
		if !k.available {
			t.Logf("%s is not available here", k.name)
			continue
		}
		for _, name := range distributionNames {
			if got := k.hash(parse(t, name)); got != pinned[name] {
				t.Errorf("%q: %q, by %s", name, got, k.name)
			}
		}
	}
}

func (k implementation) hash(l distribution.Distribution) string {
	h, s := sha256.New(), lanesOf("bits/"+l.String())
	write := func(row *[Width]float32) {
		for _, x := range row {
			h.Write(binary.LittleEndian.AppendUint32(nil, math.Float32bits(x)))
		}
	}
	pairs, vectors := k.pairs(l), k.vectors(l)
	for _, d := range []int{1, 2, 3, 15, 16, 17, 31, 32, 33, 64, 512, 1000, 1008, 2017} {
		for range 2 {
			var scores [Width]float32
			pairs(s, d, &scores)
			write(&scores)
			dst := make([][Width]float32, d)
			vectors(s, dst)
			for j := range dst {
				write(&dst[j])
			}
		}
	}
	for _, word := range s.S {
		for _, x := range word {
			h.Write(binary.LittleEndian.AppendUint32(nil, x))
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// The tests run on the kernel that MCSIM_KERNEL asks for, and no other stands in.
func TestSelect(t *testing.T) {
	asked := os.Getenv("MCSIM_KERNEL")
	if err := Select(); err != nil || asked != "" && Name() != asked {
		t.Errorf("asked for %q: %s, error %v", asked, Name(), err)
	}
}

// A kernel that the processor or the build lacks is an error, and so is one
// that nobody has.
func TestChoose(t *testing.T) {
	for _, want := range implementations {
		got, err := choose(want.name)
		if want.available && (err != nil || got.name != want.name) || !want.available && err == nil {
			t.Errorf("asked for %s, got %s and error %v", want.name, got.name, err)
		}
	}
	if _, err := choose("sse"); err == nil {
		t.Error("an unknown kernel is no error")
	}
	if got, err := choose(""); err != nil || !got.available {
		t.Errorf("the fastest is %s, error %v", got.name, err)
	}
}
