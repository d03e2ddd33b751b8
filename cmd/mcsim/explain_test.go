package main

import (
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"mcsim/cmd/mcsim/folder"
	"mcsim/cmd/mcsim/show"
	"mcsim/sim/result"
	"mcsim/sim/weights"
)

// Every flag of every command is explained, with the commands that take it.
func TestEveryFlagIsExplained(t *testing.T) {
	root := command()
	flags, count := flagsOf(root), 0
	for _, c := range root.Commands() {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			count++
			x, err := explained("--"+f.Name, commandsOf(root), flags)
			if err != nil {
				t.Error(err)
			}
			found := false
			for _, flag := range x.Flags {
				found = found || flag.Help != "" && strings.Contains(" "+strings.Join(flag.Commands, " ")+" ", " "+c.Name()+" ")
			}
			if !found {
				t.Errorf("--%s of %s is explained as %+v", f.Name, c.Name(), x.Flags)
			}
		})
	}
	if count < 60 {
		t.Errorf("only %d flags", count)
	}
}

// docs/data.md is what the program prints, and describes every file of a folder of results.
func TestDataIsGenerated(t *testing.T) {
	committed, err := os.ReadFile(filepath.Join("..", "..", "docs", "data.md"))
	if err != nil {
		t.Fatal(err)
	}
	var made strings.Builder
	if err := show.Data(&made, flagsOf(command())); err != nil {
		t.Fatal(err)
	}
	if made.String() != string(committed) {
		t.Error("docs/data.md is not what `mcsim explain --markdown` prints; make generate writes it")
	}
	for _, file := range []string{folder.Results, folder.Estimates, folder.Run, folder.Nodes} {
		if !strings.Contains(made.String(), "\n- `"+file+"` ") {
			t.Errorf("docs/data.md does not say what %s is", file)
		}
	}
}

// Every text in estimates.csv is explained, but ids of cells, which are built of names; so are
// every command, and every model of advise.
func TestEveryTextIsExplained(t *testing.T) {
	root := command()
	commands, flags := commandsOf(root), flagsOf(root)
	asked := map[string]bool{"inf": true, "direct+gram": true, "gpt2": true, " entropy ": true}
	var table strings.Builder
	if err := result.WriteCSV(&table, sampleRows(t)); err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(strings.NewReader(table.String())).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines[1:] {
		for i, text := range line {
			if _, err := strconv.ParseFloat(text, 64); err != nil && text != "" && lines[0][i] != "cell" {
				asked[text] = true
			}
		}
	}
	for _, c := range commands {
		asked[c.Name] = true
	}
	for _, name := range weights.ModelNames() {
		asked[name] = true
	}
	if len(asked) < 100 {
		t.Errorf("only %d texts", len(asked))
	}
	for text := range asked {
		if _, err := explained(text, commands, flags); err != nil {
			t.Error(err)
		}
	}
}

// sampleRows are the rows of the document that the report is tested with, which has every
// experiment.
func sampleRows(t *testing.T) []result.Estimate {
	t.Helper()
	file, err := os.Open(filepath.Join("..", "..", "report", "internal", "sample", "results.json.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	text, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	var doc result.Document
	if err := json.NewDecoder(text).Decode(&doc); err != nil {
		t.Fatal(err)
	}
	return doc.Estimates
}
