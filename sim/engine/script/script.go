// Package script writes a script that samples the shards of a plan on a cluster and merges them: a
// job array for Slurm, or an Indexed Job for Kubernetes. Each contains a copy of the plan, so that
// editing the plan meanwhile does not mix shards of two plans. Every value is quoted for the shell
// or for YAML.
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

// MaxShards is the largest number of shards of a plan.
const MaxShards = 1 << 20

// Defaults of a job.
const (
	DefaultShardsDir  = "shards" // folder of the shards
	DefaultResultsDir = "out"    // folder of the merged results

	DefaultMaxArray = 1001 // Slurm's default of MaxArraySize
)

// Job describes how to sample a plan in shards.
type Job struct {
	Plan       string // name of the plan, for a comment
	Text       []byte // the plan
	Count      int    // of the shards
	ShardsDir  string // their folder
	ResultsDir string // the folder of the results
	Workers    int    // of each shard

	Slurm      Slurm
	Kubernetes Kubernetes
}

// Slurm has the options of a job array. For an empty text the cluster's default applies.
type Slurm struct {
	Time, Memory string // of a task
	Partition    string
	MaxArray     int // MaxArraySize of the cluster, one more than the largest index; 0 means DefaultMaxArray
}

// Kubernetes has the options of the manifest.
type Kubernetes struct {
	Image, Claim, Namespace, Memory string
	Parallelism                     int // pods at the same time; 0 means one for each shard
}

// Engine is a system that runs the jobs.
type Engine struct {
	Name         string
	check        func(*Job) error
	templateFile string // its template
}

// Engines lists the supported engines.
var Engines = []Engine{
	{"slurm", (*Job).checkSlurm, "slurm.sh.tmpl"},
	{"k8s", (*Job).checkKubernetes, "k8s.yaml.tmpl"},
}

//go:embed templates/*.tmpl
var sources embed.FS

var templates = sync.OnceValue(func() *template.Template {
	functions := template.FuncMap{"shell": quoteShell, "yaml": quoteYAML}
	return template.Must(template.New("").Funcs(functions).ParseFS(sources, "templates/*.tmpl"))
})

// Write returns the script or manifest of a job, or an error if the engine would reject a value.
func (e Engine) Write(j Job) ([]byte, error) {
	j.ShardsDir, j.ResultsDir = cmp.Or(j.ShardsDir, DefaultShardsDir), cmp.Or(j.ResultsDir, DefaultResultsDir)
	j.Workers = max(j.Workers, 1)
	if err := e.check(&j); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := templates().ExecuteTemplate(&b, e.templateFile, &j); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// checkFolders refuses names that a script cannot contain, and prefixes names that look like
// options with "./".
func (j *Job) checkFolders() error {
	for _, folder := range []*string{&j.ShardsDir, &j.ResultsDir} {
		if err := checkFolderName(*folder); err != nil {
			return err
		}
		if strings.HasPrefix(*folder, "-") {
			*folder = "./" + *folder
		}
	}
	if path.Clean(j.ShardsDir) == path.Clean(j.ResultsDir) {
		return fmt.Errorf("the shards and the results have the same folder, %s", j.ResultsDir)
	}
	return nil
}

// Digest returns 8 hexadecimal digits of a hash of the plan and the number of shards.
func (j *Job) Digest() string {
	sum := sha256.Sum256(fmt.Appendf(bytes.Clone(j.Text), "\x00%d", j.Count))
	return hex.EncodeToString(sum[:4])
}

// Name returns the name of the jobs. It consists of letters, digits and hyphens, and is short
// enough for the suffixes that engines add to it within the 63 characters of a host name.
func (j *Job) Name() string {
	const maxNameLength = 30
	toPlain := func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		case r >= 'A' && r <= 'Z':
			return r - 'A' + 'a'
		}
		return '-'
	}
	name := strings.Map(toPlain, j.Plan)
	name = strings.Trim(name[:min(len(name), maxNameLength)], "-")
	return strings.Join(strings.Fields("mcsim "+strings.ReplaceAll(name, "-", " ")+" "+j.Digest()), "-")
}

// Title returns the plan's name for a comment.
func (j *Job) Title() string { return printable(j.Plan) }

// Last returns the index of the last shard.
func (j *Job) Last() int { return j.Count - 1 }

// LastTask returns the index of the last task.
func (j *Job) LastTask() int { return j.Tasks() - 1 }

// Document returns the plan as complete lines, for a here-document that ends with the line End.
func (j *Job) Document() string {
	text := string(j.Text)
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text
}

// End returns a line that does not occur in the plan.
func (j *Job) End() string {
	end := "end of the plan"
	for strings.Contains(string(j.Text), end) {
		end += " " + j.Digest()
	}
	return end
}

// ValueError is the error of a value that an engine does not accept.
type ValueError struct{ Setting, Value, Engine, Example string }

func (e ValueError) Error() string {
	return fmt.Sprintf("%s: %s does not accept %q; it must be like %s", e.Setting, e.Engine, e.Value, e.Example)
}

// setting is a value that must match a pattern.
type setting struct {
	name, text, example string
	pattern             string
	required            bool
}

// check returns a ValueError for the first value that does not match its pattern.
func check(engine string, values []setting) error {
	for _, v := range values {
		if (v.text != "" || v.required) && (len(v.text) > 253 || !regexp.MustCompile(v.pattern).MatchString(v.text)) {
			return ValueError{v.name, v.text, engine, v.example}
		}
	}
	return nil
}

// checkSlurm refuses values that sbatch would misinterpret.
func (j *Job) checkSlurm() error {
	if err := j.checkFolders(); err != nil {
		return err
	}
	s := &j.Slurm
	s.MaxArray = cmp.Or(s.MaxArray, DefaultMaxArray)
	if strings.ContainsAny(j.ShardsDir, `%\`) {
		return fmt.Errorf("the folder %s: %% and \\ have a special meaning in file names of Slurm",
			printable(j.ShardsDir))
	}
	return check("Slurm", []setting{
		{"time", s.Time, "90, 1:30:00 or 2-12:00:00", slurmTime, false},
		{"mem", s.Memory, "500M or 2G", slurmMemory, false},
		{"partition", s.Partition, "long, or short,long", slurmPartition, false},
	})
}

// Tasks returns the number of tasks of the array: one for each shard, up to the cluster's limit.
// With fewer tasks than shards, task t samples the shards t, t + Tasks, and so on.
func (j *Job) Tasks() int {
	if j.Slurm.MaxArray == 0 { // the engine is not Slurm
		return j.Count
	}
	return min(j.Count, j.Slurm.MaxArray)
}

// maxIndexes is the largest number of indexes of an Indexed Job with a backoff limit per index.
const maxIndexes = 100_000

// maxPlanBytes limits the plan in a ConfigMap, which can have 1 MiB with quotes and escapes.
const maxPlanBytes = 1_000_000

// checkKubernetes refuses values that the server would refuse.
func (j *Job) checkKubernetes() error {
	if err := j.checkFolders(); err != nil {
		return err
	}
	k := &j.Kubernetes
	switch {
	case j.Count > maxIndexes:
		return fmt.Errorf("%d shards; an Indexed Job has at most %d indexes", j.Count, maxIndexes)
	case len(j.Text) > maxPlanBytes:
		return fmt.Errorf("the plan has %d bytes; a ConfigMap can have at most %d", len(j.Text), maxPlanBytes)
	}
	return cmp.Or(check("Kubernetes", []setting{
		{"image", k.Image, "registry.example/mcsim:1", image, true},
		{"claim", k.Claim, "mcsim-data", subdomain, true},
		{"namespace", k.Namespace, "simulations", dnsLabel, false},
		{"mem", k.Memory, "256Mi or 1G", quantity, false},
	}), j.checkVolume())
}

// checkVolume refuses folders outside the volume.
func (j *Job) checkVolume() error {
	for _, folder := range []*string{&j.ShardsDir, &j.ResultsDir} {
		*folder = path.Clean(*folder)
		if path.IsAbs(*folder) || *folder == "." || *folder == ".." || strings.HasPrefix(*folder, "../") {
			return fmt.Errorf("%s: is not a folder on the volume of the claim, such as shards", printable(*folder))
		}
	}
	return nil
}

// Parallel returns the number of pods at the same time.
func (j *Job) Parallel() int {
	return min(cmp.Or(j.Kubernetes.Parallelism, j.Count), j.Count)
}

// Seconds returns how long the merge waits for shards.
func (j *Job) Seconds() int { return 30 * 24 * 60 * 60 }
