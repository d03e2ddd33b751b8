package statedict

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mcsim/sim/base/tensor"
	"mcsim/sim/model/inspect"
	"mcsim/sim/simtest"
)

// BenchmarkSevenBillion times Measure for W_Q and W_K with the shapes of a model of 7 billion
// parameters: 32 layers of 4096 × 4096 zeros in float16, in a sparse file. For comparison it times
// two plain readings of the file, since Measure reads each matrix twice.
func BenchmarkSevenBillion(b *testing.B) {
	const layers, side = 32, 4096
	var entries []string
	offset := 0
	for i := range layers {
		for _, n := range []string{"q", "k"} {
			entries = append(entries, fmt.Sprintf(
				`"layers.%d.self_attn.%s_proj.weight":{"dtype":"F16","shape":[%d,%d],"data_offsets":[%d,%d]}`,
				i, n, side, side, offset, offset+2*side*side))
			offset += 2 * side * side
		}
	}
	header := "{" + strings.Join(entries, ",") + "}"
	path := filepath.Join(b.TempDir(), "model.safetensors")
	simtest.Must(b,
		os.WriteFile(path, append(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header...), 0o644))
	simtest.Must(b, os.Truncate(path, int64(8+len(header)+offset)))
	b.Run("read twice", func(b *testing.B) {
		for b.Loop() {
			for range 2 {
				f, err := os.Open(path)
				simtest.Must(b, err)
				for buffer := make([]byte, 1<<20); err == nil; {
					_, err = f.Read(buffer)
				}
				if err != io.EOF {
					b.Fatal(err)
				}
				f.Close()
			}
		}
	})
	b.Run("inspect", func(b *testing.B) {
		for b.Loop() {
			files, err := tensor.Open(path)
			simtest.Must(b, err)
			m, err := Open(files, Options{Heads: 32, Tokens: 128, Path: path})
			simtest.Must(b, err)
			_, err = m.Measure(context.Background(), inspect.Options{Scale: m.Layers[0].Scale, Workers: 2}, func() {})
			simtest.Must(b, err)
			files.Close()
		}
	})
}
