package attention

import (
	"encoding/json"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// torchCase is a case of attention.json, which testdata/attention.py writes. Shared is the number
// of heads of K and V.
type torchCase struct {
	Name                                  string
	Batches, Heads, Shared, Queries, Keys int
	Dk                                    int `json:"d_k"`
	Dv                                    int `json:"d_v"`
	Scale                                 hex
	Mask                                  string
	Weights, Blend                        []hex
}

// hex is a float64 in hexadecimal.
type hex float64

func (x *hex) UnmarshalText(text []byte) error {
	v, err := strconv.ParseFloat(string(text), 64)
	*x = hex(v)
	return err
}

// readTorchCases reads the output of attention.py.
func readTorchCases(t testing.TB, data []byte) []torchCase {
	t.Helper()
	var file struct{ Cases []torchCase }
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Cases) == 0 {
		t.Fatal("attention.json has no cases, want at least one")
	}
	return file.Cases
}

// pseudorandom returns the same number as number in attention.py.
func pseudorandom(which, b, h, i, j int) float64 {
	return float64((which*7919+b*104729+h*1299709+i*15485863+j*32452843+12345)*40503%65536%16384-8192) / 4096
}

// fill fills a tensor with pseudorandom numbers.
func fill(t Tensor, which int) Tensor {
	for b := range t.Batches {
		for h := range t.Heads {
			for i := range t.Rows {
				row := t.Row(b, h, i)
				for j := range row {
					row[j] = pseudorandom(which, b, h, i, j)
				}
			}
		}
	}
	return t
}

func (c torchCase) input() Input {
	tensor := func(heads, rows, columns int) Tensor { return NewTensor(c.Batches, heads, rows, columns) }
	return Input{
		Q: fill(tensor(c.Heads, c.Queries, c.Dk), 1), K: fill(tensor(c.Shared, c.Keys, c.Dk), 2),
		V:     fill(tensor(c.Shared, c.Keys, c.Dv), 3),
		Scale: float64(c.Scale), Mask: c.mask(),
	}
}

// mask returns the mask of the case, which is the same as that of allowed in attention.py.
func (c torchCase) mask() (m Mask) {
	if c.Mask == "causal" {
		return Mask{Causal: true}
	}
	if c.Mask == "none" {
		return m
	}
	m.Bias = NewTensor(1, c.Heads, c.Queries, c.Keys)
	for h := range c.Heads {
		for i := range c.Queries {
			for j := range c.Keys {
				distance := math.Abs(float64(i - j))
				switch {
				case c.Mask == "window" && distance > 1:
					m.Bias.Row(0, h, i)[j] = Forbidden
				case c.Mask == "bias":
					m.Bias.Row(0, h, i)[j] = -distance * math.Pow(2, -float64(h+1))
				}
			}
		}
	}
	return m
}

// TestAgainstPyTorch checks that the weights and the blend of Forward agree with PyTorch to 10⁻¹².
func TestAgainstPyTorch(t *testing.T) {
	data, err := os.ReadFile("testdata/attention.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range readTorchCases(t, data) {
		input := c.input()
		output, err := Forward(input)
		if err != nil {
			t.Errorf("%s: %v", c.Name, err)
			continue
		}
		for name, pair := range map[string]struct {
			got  Tensor
			want []hex
		}{"weights": {output.Weights, c.Weights}, "blend": {output.Blend, c.Blend}} {
			if len(pair.got.Data) != len(pair.want) {
				t.Fatalf("%s: got %d numbers of %s, want %d", c.Name, len(pair.got.Data), name, len(pair.want))
			}
			for i, w := range pair.want {
				if got := pair.got.Data[i]; !(math.Abs(got-float64(w)) <= 1e-12*max(1, math.Abs(float64(w)))) {
					t.Errorf("%s: number %d of %s is %v, want %v of PyTorch", c.Name, i, name, got, w)
				}
			}
		}
	}
}

// TestThreeTokensOfPyTorch compares Forward with the worked example of testdata/three_tokens.py.
// The numbers that PyTorch printed in float32 (three_tokens.txt) must agree to the printed digits.
func TestThreeTokensOfPyTorch(t *testing.T) {
	readNumbers := func(file string) (numbers []float64) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, lists := range regexp.MustCompile(`\[[-0-9. ]+,[-0-9., ]+\]`).FindAllString(string(data), -1) {
			for _, text := range strings.Split(strings.Trim(lists, "[]"), ",") {
				x, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
				if err != nil {
					t.Fatal(err)
				}
				numbers = append(numbers, x)
			}
		}
		return numbers
	}
	script, printed := readNumbers("testdata/three_tokens.py"), readNumbers("testdata/three_tokens.txt")
	if len(script) != 36 || len(printed) != 9+12 {
		t.Fatalf("got %d numbers in three_tokens.py and %d in three_tokens.txt, want 36 and 21", len(script),
			len(printed))
	}
	tensor := func(i int) Tensor { return NewTensorFrom(script[12*i:12*i+12], 1, 1, 3, 4) }
	output, err := Forward(Input{Q: tensor(0), K: tensor(1), V: tensor(2), Scale: 0.5})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range append(output.Weights.Data, output.Blend.Data...) {
		if math.Abs(printed[i]-want) > 0.0005+1e-6 {
			t.Errorf("number %d is %v, but PyTorch printed %v", i, want, printed[i])
		}
	}
}
