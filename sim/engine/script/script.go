// Package script writes what runs the shards of a plan elsewhere and merges them: a script
// of a job array for Slurm, and a manifest of an Indexed Job for Kubernetes. Each contains a copy
// of the plan, so that editing the plan meanwhile does not mix shards of two plans. Every value is
// quoted for the shell or for YAML.
package script

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"path"
	"regexp"
	"strings"
	"sync"
	"text/template"
)

// MaxShards bounds how many parts a plan is drawn in.
const MaxShards = 1 << 20

// Usual values of what a job may leave open.
const (
	Shards = "shards" // folder of the shards
	Out    = "out"    // folder of the merged results

	MaxArray = 1001 // of Slurm, where its MaxArraySize is not set
)

// Job is a plan that is to be drawn in shards.
type Job struct {
	Plan    string // its name, for who reads the script
	Text    []byte // the plan
	Count   int    // of the shards
	Shards  string // their folder
	Out     string // the folder of the results
	Workers int    // of each shard

	Slurm      Slurm
	Kubernetes Kubernetes
}

// Slurm is what a job array may want. Empty texts leave a thing to the cluster.
type Slurm struct {
	Time, Memory string // of a task
	Partition    string
	MaxArray     int // MaxArraySize of the cluster, one more than the largest index; 0: usual
}

// Kubernetes is what the manifest needs.
type Kubernetes struct {
	Image, Claim, Namespace, Memory string
	Parallelism                     int // pods at once; 0: as many as there are shards
}

// Engine is one that scripts are written for.
type Engine struct {
	Name  string
	check func(*Job) error
	text  string // its template
}

// Engines are all of them.
var Engines = []Engine{
	{"slurm", (*Job).checkSlurm, "slurm.sh.tmpl"},
	{"k8s", (*Job).checkKubernetes, "k8s.yaml.tmpl"},
}

//go:embed templates/*.tmpl
var sources embed.FS

var templates = sync.OnceValue(func() *template.Template {
	quote := template.FuncMap{"shell": shell, "yaml": yaml}
	return template.Must(template.New("").Funcs(quote).ParseFS(sources, "templates/*.tmpl"))
})

// Write is the text for an engine.
func (e Engine) Write(j Job) ([]byte, error) {
	j.Shards, j.Out = cmp.Or(j.Shards, Shards), cmp.Or(j.Out, Out)
	j.Workers = max(j.Workers, 1)
	if err := e.check(&j); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := templates().ExecuteTemplate(&b, e.text, &j); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// checkFolders refuses folders that a script cannot name, and names those that begin as
// options do by what they are.
func (j *Job) checkFolders() error {
	for _, folder := range []*string{&j.Shards, &j.Out} {
		if err := oneLine(*folder); err != nil {
			return err
		}
		if strings.HasPrefix(*folder, "-") {
			*folder = "./" + *folder
		}
	}
	if path.Clean(j.Shards) == path.Clean(j.Out) {
		return fmt.Errorf("the shards and the results have the same folder, %s", j.Out)
	}
	return nil
}

// Digest tells the plan in so many shards from others, in names of jobs.
func (j *Job) Digest() string {
	sum := sha256.Sum256(fmt.Appendf(bytes.Clone(j.Text), "\x00%d", j.Count))
	return hex.EncodeToString(sum[:4])
}

// Name is that of the jobs: letters, digits and hyphens, which all engines take, with room
// for what they put behind it in the 63 characters of a host's name.
func (j *Job) Name() string {
	const room = 30
	plain := func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		case r >= 'A' && r <= 'Z':
			return r - 'A' + 'a'
		}
		return '-'
	}
	name := strings.Map(plain, j.Plan)
	name = strings.Trim(name[:min(len(name), room)], "-")
	return strings.Join(strings.Fields("mcsim "+strings.ReplaceAll(name, "-", " ")+" "+j.Digest()), "-")
}

// Title is the plan's name as a comment may hold it.
func (j *Job) Title() string { return visible(j.Plan) }

// Last is the index of the last shard.
func (j *Job) Last() int { return j.Count - 1 }

// LastTask is the index of the last task.
func (j *Job) LastTask() int { return j.Tasks() - 1 }

// Document is the plan as a here-document holds it: whole lines up to one that the plan has
// not.
func (j *Job) Document() string {
	text := string(j.Text)
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text
}

// End is the line that ends the here-document.
func (j *Job) End() string {
	end := "end of the plan"
	for strings.Contains(string(j.Text), end) {
		end += " " + j.Digest()
	}
	return end
}

// ValueError is a value that an engine does not take.
type ValueError struct{ What, Text, Engine, Example string }

func (e ValueError) Error() string {
	return fmt.Sprintf("%s: %s does not take %q; it wants one such as %s", e.What, e.Engine, e.Text, e.Example)
}

// value is one that an engine takes only in some form.
type value struct {
	what, text, example string
	form                string
	needed              bool
}

// check refuses values of another form.
func check(engine string, values []value) error {
	for _, v := range values {
		if (v.text != "" || v.needed) && (len(v.text) > 253 || !regexp.MustCompile(v.form).MatchString(v.text)) {
			return ValueError{v.what, v.text, engine, v.example}
		}
	}
	return nil
}

// checkSlurm refuses what sbatch would take for something else.
func (j *Job) checkSlurm() error {
	if err := j.checkFolders(); err != nil {
		return err
	}
	s := &j.Slurm
	s.MaxArray = cmp.Or(s.MaxArray, MaxArray)
	if strings.ContainsAny(j.Shards, `%\`) {
		return fmt.Errorf("the folder %s: Slurm takes %% and \\ in the name of a file for signs of its own",
			visible(j.Shards))
	}
	return check("Slurm", []value{
		{"time", s.Time, "90, 1:30:00 or 2-12:00:00", slurmTime, false},
		{"mem", s.Memory, "500M or 2G", slurmMemory, false},
		{"partition", s.Partition, "long, or short,long", slurmPartition, false},
	})
}

// Tasks is how many tasks the array has: one a shard, unless the cluster takes no index so
// large. Then task t draws the shards t, t + Tasks, and so on.
func (j *Job) Tasks() int {
	if j.Slurm.MaxArray == 0 { // another engine's
		return j.Count
	}
	return min(j.Count, j.Slurm.MaxArray)
}

// mostIndexes is what an Indexed Job with a limit an index has at most.
const mostIndexes = 100_000

// mostConfig bounds the plan in a ConfigMap, which has 1 MiB, quotes and escapes included.
const mostConfig = 1_000_000

// checkKubernetes refuses what the server would refuse.
func (j *Job) checkKubernetes() error {
	if err := j.checkFolders(); err != nil {
		return err
	}
	k := &j.Kubernetes
	switch {
	case j.Count > mostIndexes:
		return fmt.Errorf("%d shards are more than the %d indexes of an Indexed Job", j.Count, mostIndexes)
	case len(j.Text) > mostConfig:
		return fmt.Errorf("the plan has %d bytes, and a ConfigMap at most %d", len(j.Text), mostConfig)
	}
	return cmp.Or(check("Kubernetes", []value{
		{"image", k.Image, "registry.example/mcsim:1", image, true},
		{"claim", k.Claim, "mcsim-data", subdomain, true},
		{"namespace", k.Namespace, "simulations", dnsLabel, false},
		{"mem", k.Memory, "256Mi or 1G", quantity, false},
	}), j.checkVolume())
}

// checkVolume refuses folders that do not lie on the volume.
func (j *Job) checkVolume() error {
	for _, folder := range []*string{&j.Shards, &j.Out} {
		*folder = path.Clean(*folder)
		if path.IsAbs(*folder) || *folder == "." || *folder == ".." || strings.HasPrefix(*folder, "../") {
			return fmt.Errorf("%s: is no folder on the volume of the claim, such as shards", visible(*folder))
		}
	}
	return nil
}

// Parallel is how many pods there are at once.
func (j *Job) Parallel() int {
	return min(cmp.Or(j.Kubernetes.Parallelism, j.Count), j.Count)
}

// Seconds bounds how long the merge waits for shards.
func (j *Job) Seconds() int { return 30 * 24 * 60 * 60 }
