package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// completions are the files of the completions, by what the program calls their shells.
var completions = map[string]string{
	"bash": "completions/mcsim.bash", "zsh": "completions/_mcsim", "fish": "completions/mcsim.fish", "powershell": "completions/mcsim.ps1",
}

// guides are the pages for man and the completions of shells, which go with the program of
// every system. A program for this machine writes them, with the date of the commit.
func guides(work string, s state) (files []content, err error) {
	host := target{runtime.GOOS, runtime.GOARCH}
	program := filepath.Join(work, "host-"+host.program())
	if err := host.build(program, s.version); err != nil {
		return nil, err
	}
	pages := filepath.Join(work, "man")
	c := exec.Command(program, "man", pages)
	c.Env = append(os.Environ(), fmt.Sprintf("SOURCE_DATE_EPOCH=%d", s.seconds))
	if said, err := c.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s man: %w: %s", program, err, said)
	}
	entries, err := os.ReadDir(pages) // in the order of their names
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(pages, e.Name()))
		if err != nil {
			return nil, err
		}
		files = append(files, content{name: "man/man1/" + e.Name(), text: text})
	}
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		text, err := output(program, "completion", shell)
		if err != nil {
			return nil, err
		}
		files = append(files, content{name: completions[shell], text: []byte(strings.TrimSpace(text) + "\n")})
	}
	return files, nil
}
