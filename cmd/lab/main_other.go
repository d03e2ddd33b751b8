//go:build !js

package main

import (
	"bufio"
	"fmt"
	"os"
)

// main answers requests by lines, so that the page's program can be asked without a page:
//
//	echo '{"d_k": "64", "keys": "8", "row": "3"}' | go run ./cmd/lab
func main() {
	var l lab
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		fmt.Println(l.answer(lines.Text()))
	}
}
