// Command lab is the program of the page lab.html. It samples a query and its keys with the same
// bits as the experiments, and returns the scores, the weights and the measures of softmax. It is
// compiled to WebAssembly (GOOS=js GOARCH=wasm) in a folder that package [mcsim/report/site]
// embeds; `make` compiles it before it builds mcsim.
//
// On other systems it answers the lines of the standard input.
package main
