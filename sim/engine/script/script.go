// Package script writes a script that samples the shards of a plan on a cluster and merges them: a
// shell script with a job array for Slurm, or a manifest with an Indexed Job for Kubernetes. The
// script contains a copy of the plan, so that a later change of the plan's file does not mix shards
// of two plans. Every value is quoted for the shell or for YAML.
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
	"slices"
	"strings"
	"sync"
	"text/template"
)

// MaxShards is the largest number of shards of a plan.
const MaxShards = 1 << 20

// Defaults of the fields of a job.
const (
	DefaultShardsDir  = "shards"
	DefaultResultsDir = "out"
	DefaultMaxArray   = 1001 // Slurm's own default of MaxArraySize
)

// Job describes how to sample a plan in shards.
type Job struct {
	Plan       string // name of the plan
	Text       []byte // text of the plan
	Count      int    // number of shards
	ShardsDir  string // folder of the shards; empty for DefaultShardsDir
	ResultsDir string // folder of the merged results; empty for DefaultResultsDir
	Workers    int    // number of workers of each shard; at least 1 is used

	Slurm      Slurm
	Kubernetes Kubernetes
}

// Slurm has the options of a job array. For an empty text the cluster's default applies.
type Slurm struct {
	Time, Memory string // limits of a task
	Partition    string
	MaxArray     int // MaxArraySize of the cluster, the largest index plus 1; 0 means DefaultMaxArray
}

// Kubernetes has the options of the manifest.
type Kubernetes struct {
	Image       string
	Claim       string // name of the claim of the volume that has the folders
	Namespace   string // empty for the default of kubectl
	Memory      string // memory of a pod; empty for the default of the cluster
	Parallelism int    // number of pods at the same time; 0 means one for each shard
}

// Engine is a system that runs the jobs.
type Engine struct {
	Name         string
	prepare      func(*Job) error // checks the fields and normalizes them
	templateFile string           // template of the script, in the folder templates
}

// Engines lists the supported engines.
var Engines = []Engine{
	{"slurm", (*Job).prepareSlurm, "slurm.sh.tmpl"},
	{"k8s", (*Job).prepareKubernetes, "k8s.yaml.tmpl"},
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
	if err := e.prepare(&j); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := templates().ExecuteTemplate(&b, e.templateFile, &j); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// prepareFolders returns an error if a name of a folder cannot be in a script or if both folders
// are the same. It prefixes names that look like options with "./".
func (j *Job) prepareFolders() error {
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

// Digest returns the first 8 hexadecimal digits of a hash of the plan and the number of shards.
func (j *Job) Digest() string {
	sum := sha256.Sum256(fmt.Appendf(bytes.Clone(j.Text), "\x00%d", j.Count))
	return hex.EncodeToString(sum[:4])
}

// Name returns the name of the jobs: mcsim, the name of the plan and the Digest. It consists of
// letters, digits and hyphens. It is so short that with the suffixes of the engines it has at most
// the 63 characters of a host name.
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
	name = name[:min(len(name), maxNameLength)]
	words := strings.FieldsFunc(name, func(r rune) bool { return r == '-' })
	return strings.Join(slices.Concat([]string{"mcsim"}, words, []string{j.Digest()}), "-")
}

// The methods from here to PlanDelimiter are for the templates.

// Title returns the plan's name for a comment.
func (j *Job) Title() string { return printable(j.Plan) }

// LastShard returns the index of the last shard.
func (j *Job) LastShard() int { return j.Count - 1 }

// LastTask returns the index of the last task.
func (j *Job) LastTask() int { return j.Tasks() - 1 }

// PlanLines returns the text of the plan as complete lines, for a here-document that ends with the
// line PlanDelimiter.
func (j *Job) PlanLines() string {
	text := string(j.Text)
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text
}

// PlanDelimiter returns a line that does not occur in the plan.
func (j *Job) PlanDelimiter() string {
	delimiter := "end of the plan"
	for strings.Contains(string(j.Text), delimiter) {
		delimiter += " " + j.Digest()
	}
	return delimiter
}

// ValueError is the error of a value that an engine does not accept.
type ValueError struct{ Setting, Value, Engine, Example string }

func (e ValueError) Error() string {
	return fmt.Sprintf("%s: %s does not accept %q; it must be like %s", e.Setting, e.Engine, e.Value, e.Example)
}

// setting is a value of a job with the pattern that it must match. If it is not required, it may be
// empty.
type setting struct {
	name, text, example string
	pattern             string
	required            bool
}

// maxValueLength is the largest length of a name in Kubernetes, and enough for all other values.
const maxValueLength = 253

// checkSettings returns a ValueError for the first setting that does not match its pattern.
func checkSettings(engine string, settings []setting) error {
	for _, s := range settings {
		isOmitted := s.text == "" && !s.required
		if isOmitted {
			continue
		}
		if len(s.text) > maxValueLength || !regexp.MustCompile(s.pattern).MatchString(s.text) {
			return ValueError{Setting: s.name, Value: s.text, Engine: engine, Example: s.example}
		}
	}
	return nil
}

// prepareSlurm returns an error for values that sbatch would misinterpret, and sets the default of
// MaxArray.
func (j *Job) prepareSlurm() error {
	if err := j.prepareFolders(); err != nil {
		return err
	}
	s := &j.Slurm
	s.MaxArray = cmp.Or(s.MaxArray, DefaultMaxArray)
	if strings.ContainsAny(j.ShardsDir, `%\`) {
		return fmt.Errorf("the folder %s: %% and \\ have a special meaning in file names of Slurm",
			printable(j.ShardsDir))
	}
	return checkSettings("Slurm", []setting{
		{"time", s.Time, "90, 1:30:00 or 2-12:00:00", slurmTimePattern, false},
		{"mem", s.Memory, "500M or 2G", slurmMemoryPattern, false},
		{"partition", s.Partition, "long, or short,long", slurmPartitionPattern, false},
	})
}

// Tasks returns the number of tasks of the array: one for each shard, up to the cluster's limit.
// With fewer tasks than shards, task t samples the shards t, t + Tasks, t + 2·Tasks and so on.
func (j *Job) Tasks() int {
	if j.Slurm.MaxArray == 0 { // not set for other engines than Slurm
		return j.Count
	}
	return min(j.Count, j.Slurm.MaxArray)
}

// maxIndexes is the largest number of indexes of an Indexed Job with a backoff limit per index.
const maxIndexes = 100_000

// maxPlanBytes limits the text of the plan, since a ConfigMap with quotes and escapes can have 1
// MiB.
const maxPlanBytes = 1_000_000

// prepareKubernetes returns an error for values that the server would refuse, and cleans the paths
// of the folders.
func (j *Job) prepareKubernetes() error {
	if err := j.prepareFolders(); err != nil {
		return err
	}
	k := &j.Kubernetes
	switch {
	case j.Count > maxIndexes:
		return fmt.Errorf("%d shards; an Indexed Job has at most %d indexes", j.Count, maxIndexes)
	case len(j.Text) > maxPlanBytes:
		return fmt.Errorf("the plan has %d bytes; a ConfigMap can have at most %d", len(j.Text), maxPlanBytes)
	}
	err := checkSettings("Kubernetes", []setting{
		{"image", k.Image, "registry.example/mcsim:1", imagePattern, true},
		{"claim", k.Claim, "mcsim-data", subdomainPattern, true},
		{"namespace", k.Namespace, "simulations", labelPattern, false},
		{"mem", k.Memory, "256Mi or 1G", quantityPattern, false},
	})
	if err != nil {
		return err
	}
	return j.prepareVolumePaths()
}

// prepareVolumePaths cleans the paths of the folders. It returns an error if one of them is not a
// folder on the volume.
func (j *Job) prepareVolumePaths() error {
	for _, folder := range []*string{&j.ShardsDir, &j.ResultsDir} {
		*folder = path.Clean(*folder)
		isOutside := path.IsAbs(*folder) || *folder == ".." || strings.HasPrefix(*folder, "../")
		if isOutside || *folder == "." {
			return fmt.Errorf("%s: is not a folder on the volume of the claim, such as shards", printable(*folder))
		}
	}
	return nil
}

// Pods returns the number of pods at the same time, for the template.
func (j *Job) Pods() int {
	return min(cmp.Or(j.Kubernetes.Parallelism, j.Count), j.Count)
}

// MergeSeconds returns the time that the merge waits for shards, 30 days, for the template.
func (j *Job) MergeSeconds() int { return 30 * 24 * 60 * 60 }
