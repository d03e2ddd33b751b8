package experiment

import (
	"fmt"
	"testing"
)

func TestGrouped(t *testing.T) {
	got := Grouped([]int{5, 2, 7, 4, 9}, func(n int) bool { return n%2 == 0 })
	if fmt.Sprint(got) != "[[5 7 9] [2 4]]" {
		t.Errorf("odd and even numbers are %v", got)
	}
	if Grouped(nil, func(int) int { return 0 }) != nil {
		t.Error("there is a group of nothing")
	}
}
