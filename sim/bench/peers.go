package bench

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"mcsim/sim/law"
)

// Peer is another program that does the same work: independent pairs of one
// law at d_k = 512, drawn, multiplied and reduced to a variance.
type Peer struct {
	Name    string
	Law     string
	Ours    int // workers that mcsim has in the comparison
	Kernel  string
	command []string // of the peer; the number of components goes where it says N
}

// countMark stands for the number of components in a command.
const countMark = "N"

// Ratio is how often faster mcsim was than a peer, whole processes timed in
// turn: the peer's time over ours, round by round.
type Ratio struct {
	Peer       string  `json:"peer"`
	Law        string  `json:"law"`
	Kernel     string  `json:"kernel"`
	Workers    int     `json:"workers"`
	Components float64 `json:"components"`
	Ours       Times   `json:"ours_seconds"`
	Theirs     Times   `json:"peer_seconds"`
	Ratio      Times   `json:"ratio"`
}

// FindPeers lists the peers in a folder that can run here, and says why others
// cannot. It compiles the gonum peer into temp.
func FindPeers(folder, temp string, kernels []string) (peers []Peer, missing []string) {
	fastest := kernels[0]
	if python, ok := pythonWith("numpy"); ok {
		script := filepath.Join(folder, "direct_numpy.py")
		numpy := func(law, processes, kind string) []string {
			return []string{python, script, law, strconv.Itoa(Dimension), countMark, processes, kind}
		}
		peers = append(peers,
			Peer{"NumPy float64, 1 process", "normal", 2, fastest, numpy("normal", "1", "float64")},
			Peer{"NumPy float64, 2 processes", "normal", 2, fastest, numpy("normal", "2", "float64")},
			Peer{"NumPy float32, 2 processes", "normal", 2, fastest, numpy("normal", "2", "float32")})
		for _, k := range kernels {
			peers = append(peers, Peer{"NumPy float64, 1 process", "normal", 1, k, numpy("normal", "1", "float64")})
		}
	} else {
		missing = append(missing, "NumPy: no python3 that imports numpy")
	}
	if python, ok := pythonWith("torch"); ok {
		script := filepath.Join(folder, "direct_torch.py")
		for _, threads := range []string{"1", "2"} {
			peers = append(peers, Peer{"PyTorch float32, chunks of 32768, threads: " + threads, "normal", 2, fastest,
				[]string{python, script, "normal", strconv.Itoa(Dimension), countMark, threads, "32768"}})
		}
	} else {
		missing = append(missing, "PyTorch: no python3 that imports torch")
	}
	binary := filepath.Join(temp, "gonum")
	if out, err := exec.Command("go", "build", "-o", binary, "./"+filepath.Join(folder, "gonum")).CombinedOutput(); err == nil {
		peers = append(peers, Peer{"gonum distuv, 2 goroutines", "normal", 2, fastest,
			[]string{binary, "normal", strconv.Itoa(Dimension), countMark, "2"}})
	} else {
		missing = append(missing, "gonum: go build: "+strings.Join(strings.Fields(string(out)+err.Error()), " "))
	}
	return peers, missing
}

// pythonWith finds a python3 that imports the module.
func pythonWith(module string) (string, bool) {
	for _, python := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(python, "-c", "import "+module).Run() == nil {
			return python, true
		}
	}
	return "", false
}

// Compare times mcsim and the peer in turn, round by round.
func (p Peer) Compare(mcsim string, components float64, rounds int) (Ratio, error) {
	r := Ratio{Peer: p.Name, Law: p.Law, Kernel: p.Kernel, Workers: p.Ours, Components: components}
	var ours, theirs, ratios []float64
	for range rounds {
		a, err := p.runOurs(mcsim, components)
		if err != nil {
			return r, err
		}
		b, err := p.runTheirs(components)
		if err != nil {
			return r, err
		}
		ours, theirs, ratios = append(ours, a), append(theirs, b), append(ratios, b/a)
	}
	r.Ours, r.Theirs, r.Ratio = summary(ours), summary(theirs), summary(ratios)
	return r, nil
}

func (p Peer) runOurs(mcsim string, components float64) (float64, error) {
	c := exec.Command(mcsim, "probe", "--law", p.Law, "--d-k", strconv.Itoa(Dimension),
		"--samples", strconv.FormatFloat(components/Dimension, 'f', 0, 64), "--workers", strconv.Itoa(p.Ours))
	c.Env = append(os.Environ(), "MCSIM_KERNEL="+p.Kernel)
	return seconds(c)
}

func (p Peer) runTheirs(components float64) (float64, error) {
	args := make([]string, len(p.command))
	for i, a := range p.command {
		args[i] = a
		if a == countMark {
			args[i] = strconv.FormatFloat(components, 'f', 0, 64)
		}
	}
	return seconds(exec.Command(args[0], args[1:]...))
}

// seconds is the wall time of a whole process.
func seconds(c *exec.Cmd) (float64, error) {
	begun := time.Now()
	if out, err := c.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("%s: %w: %s", c.Path, err, strings.Join(strings.Fields(string(out)), " "))
	}
	return time.Since(begun).Seconds(), nil
}

// LawRatio compares one worker's kernel with NumPy's draws of the same law,
// each in nanoseconds per component, without the start of either program.
type LawRatio struct {
	Law    string  `json:"law"`
	Kernel string  `json:"kernel"`
	Ours   Times   `json:"ours_ns"`
	NumPy  Times   `json:"numpy_ns"`
	Ratio  Times   `json:"ratio"`
	Count  float64 `json:"components"`
}

// CompareLaws times NumPy and the fastest kernel in turn on every law.
func CompareLaws(folder string, laws []law.Law, kernel string, components float64, rounds int, each time.Duration) ([]LawRatio, error) {
	python, ok := pythonWith("numpy")
	if !ok {
		return nil, nil
	}
	var rows []LawRatio
	for _, l := range laws {
		var ours, theirs, ratios []float64
		for range rounds {
			a := round(l, kernel, 1, each)
			b, err := numpySeconds(python, folder, l, components)
			if err != nil {
				return nil, err
			}
			b *= 1e9 / components
			ours, theirs, ratios = append(ours, a), append(theirs, b), append(ratios, b/a)
		}
		rows = append(rows, LawRatio{l.String(), kernel, summary(ours), summary(theirs), summary(ratios), components})
	}
	return rows, nil
}

// numpySeconds is what the NumPy peer itself measured.
func numpySeconds(python, folder string, l law.Law, components float64) (float64, error) {
	out, err := exec.Command(python, filepath.Join(folder, "direct_numpy.py"), l.Name(), strconv.Itoa(Dimension),
		strconv.FormatFloat(components, 'f', 0, 64), "1", "float64").Output()
	if err != nil {
		return 0, fmt.Errorf("the NumPy peer on %v: %w", l, err)
	}
	return strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
}
