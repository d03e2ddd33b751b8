package floor

import (
	"testing"
	"time"
)

func TestRoundingQuick(t *testing.T) {
	for _, f := range Formats {
		start := time.Now()
		r := f.Rounding(256, 128)
		t.Logf("%s %+v %.6g %v", f.Name, r, r.CosineDistance(), time.Since(start))
	}
}
