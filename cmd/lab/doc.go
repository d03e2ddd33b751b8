// Command lab is the program of the pages lab.html and models.html. For the lab it samples a query
// and its keys with the same bits as the experiments, and returns the scores, the weights and the
// measures of softmax. For the other page it runs the commands advise and inspect. It is compiled
// to WebAssembly (GOOS=js GOARCH=wasm) in a folder that package [mcsim/report/site] embeds; `make`
// compiles it before it builds mcsim.
//
// On other systems it answers the lines of the standard input.
package main
