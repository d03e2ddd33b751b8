package weights

import "testing"

func TestHeadsOfShapes(t *testing.T) {
	if (Shape{512, 100}).Heads() != 0 || (Shape{64, 128}).Heads() != 0 {
		t.Error("heads that do not divide d_model")
	}
}
