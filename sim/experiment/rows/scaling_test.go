package rows

import "testing"

func TestFactorOfTemperature(t *testing.T) {
	for text, want := range map[string]float64{"0": hardFactor, "infinite": 0, ".inf": 0, "8": 1.0 / 8, "2^-90": 0x1p90} {
		v, err := TemperatureAxis.Parse(text)
		if got := factorOf(v); err != nil || got != want {
			t.Errorf("the temperature %s multiplies by %v (%v), want %v", text, got, err, want)
		}
	}
}
