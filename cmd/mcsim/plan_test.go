package main

import (
	"regexp"
	"testing"

	"github.com/spf13/cobra"
)

// The examples that help of --set gives are those of the default plan.
func TestExamplesOfSet(t *testing.T) {
	usage := planCommand().Flags().Lookup("set").Usage
	examples := regexp.MustCompile(`as (\S+=[^;\s]+)`).FindAllStringSubmatch(usage, -1)
	if len(examples) < 2 {
		t.Fatalf("%q gives no examples", usage)
	}
	for _, example := range examples {
		var change changeFlags
		c := &cobra.Command{Use: "plan"}
		change.add(c)
		if err := c.Flags().Set("set", example[1]); err != nil {
			t.Fatal(err)
		}
		if _, err := loadPlan(nil, nil, &change); err != nil {
			t.Errorf("%s: %v", example[1], err)
		}
	}
}
