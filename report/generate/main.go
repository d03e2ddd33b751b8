// Command generate writes where the report shows each name, out of the sample document,
// which has every experiment. Its argument is the file.
package main

import (
	"fmt"
	"os"

	"mcsim/report/glossary"
	"mcsim/report/internal/sample"
	"mcsim/report/site"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func run() error {
	if len(os.Args) != 2 {
		return fmt.Errorf("give the file to write")
	}
	found, err := site.Places(sample.Document())
	if err != nil {
		return err
	}
	return os.WriteFile(os.Args[1], glossary.PlacesText(found), 0o644)
}
