package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"mcsim/cmd/mcsim/program"
	"mcsim/sim/simtest"
)

// TestPythonHook saves attention with the hook in contrib/python and inspects the files. It needs
// Debian's PyTorch.
func TestPythonHook(t *testing.T) {
	const python = "/usr/bin/python3"
	if exec.Command(python, "-c", "import torch, numpy").Run() != nil {
		t.Skip("needs PyTorch and NumPy")
	}
	hook, err := filepath.Abs("../../contrib/python")
	simtest.Must(t, err)
	dir := t.TempDir()
	c := exec.Command(python, "-B", filepath.Join(hook, "test_hook.py"), dir)
	if output, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	for _, test := range []struct {
		args []string
		code int
		want string // part of the output, in which each line break is a space
	}{
		{[]string{"calls.npz", "--check", "20%"}, program.Passed,
			"by the saved scale the code multiplies q·k by 0.25"},
		{[]string{"calls.npz", "--check", "20%"}, program.Passed, "Mask: causal, as the file says"},
		{[]string{"calls.npz", "--check", "20%", "--scale", "1/16"}, program.Failed, "times the scale"},
		{[]string{"watched.npz", "--gate", "0.5..2"}, program.Passed, "16 texts × 2 heads × 24 rows × d_k = 16"},
		{[]string{"arrays.npz", "--gate", "0.5..2"}, program.Passed, "by the logits the code multiplies q·k by 0.25"},
		{[]string{"lse.npz", "--gate", "0.8..1.25"}, program.Passed,
			"the last row sees 600 keys, and each row one key more"},
	} {
		stdout, stderr, code := runIn(t, dir, append([]string{"inspect"}, test.args...)...)
		if text := strings.Join(strings.Fields(stdout), " "); code != test.code || !strings.Contains(text, test.want) {
			t.Errorf("inspect %q: exit code %d, %s%s; want %d with %q", test.args, code, stdout, stderr, test.code,
				test.want)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "none.npz")); err == nil {
		t.Error("the hook saved a file without layers")
	}
}
