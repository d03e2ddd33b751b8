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

// pinnedBits has, for each distribution, the first bytes of a SHA-256. It is computed from the
// scores of Pairs and the draws of Vectors at many dimensions, and from the final state of the
// lanes. If these bits change, Version must change too.
var pinnedBits = map[string]string{
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
			if got := k.hashDraws(mustParse(t, name)); got != pinnedBits[name] {
				t.Errorf("%s by %s: the digest of the draws is %q, want %q", name, k.name, got, pinnedBits[name])
			}
		}
	}
}

func (k implementation) hashDraws(dist distribution.Distribution) string {
	h, s := sha256.New(), openLanes("bits/"+dist.String())
	write := func(row *[Width]float32) {
		for _, x := range row {
			h.Write(binary.LittleEndian.AppendUint32(nil, math.Float32bits(x)))
		}
	}
	pairs, vectors := k.pairs(dist), k.vectors(dist)
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

// TestSelect checks that the tests run with the kernel in MCSIM_KERNEL.
func TestSelect(t *testing.T) {
	must(t, CheckSelection())
	requested := os.Getenv("MCSIM_KERNEL")
	if requested != "" && Name() != requested {
		t.Errorf("the kernel is %s, want %s as requested", Name(), requested)
	}
}

// TestChoose checks that unavailable and unknown kernels are errors.
func TestChoose(t *testing.T) {
	for _, want := range implementations {
		got, err := chooseImplementation(want.name)
		if !want.available {
			if err == nil {
				t.Errorf("no error for the kernel %s, which is not available", want.name)
			}
			continue
		}
		if err != nil || got.name != want.name {
			t.Errorf("chose %s (error %v), want %s", got.name, err, want.name)
		}
	}
	if _, err := chooseImplementation("sse"); err == nil {
		t.Error("no error for an unknown kernel")
	}
	if got, err := chooseImplementation(""); err != nil || !got.available {
		t.Errorf("for an empty name: chose %s (error %v), want an available kernel", got.name, err)
	}
}
