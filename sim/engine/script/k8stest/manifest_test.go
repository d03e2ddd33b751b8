// Package k8stest decodes the manifests of mcsim with the libraries of Kubernetes. It is a separate
// module, so that mcsim does not depend on Kubernetes.
package k8stest

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/yaml"
)

// program is mcsim, built once.
var program string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "mcsim")
	if err != nil {
		panic(err)
	}
	program = filepath.Join(dir, "mcsim")
	build := exec.Command("go", "build", "-o", program, "./cmd/mcsim")
	build.Dir = "../../../.."
	if said, err := build.CombinedOutput(); err != nil {
		panic(string(said))
	}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// decode decodes a manifest. An unknown or repeated field is an error.
func decode(manifest []byte) (found []runtime.Object, err error) {
	scheme := runtime.NewScheme()
	if err := errors.Join(core.AddToScheme(scheme), batch.AddToScheme(scheme)); err != nil {
		return nil, err
	}
	decoder := json.NewSerializerWithOptions(json.DefaultMetaFactory, scheme, scheme,
		json.SerializerOptions{Yaml: true, Strict: true})
	documents := yaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(manifest)))
	for {
		document, err := documents.Read()
		if errors.Is(err, io.EOF) {
			return found, nil
		}
		if err != nil {
			return nil, err
		}
		object, _, err := decoder.Decode(document, nil, nil)
		if err != nil {
			return nil, err
		}
		found = append(found, object)
	}
}

// decodeJobs returns the plan, the Job that samples and the Job that merges.
func decodeJobs(t *testing.T, manifest []byte) (plan *core.ConfigMap, draw, merge *batch.Job) {
	t.Helper()
	found, err := decode(manifest)
	if err != nil {
		t.Fatalf("%v in\n%s", err, manifest)
	}
	if len(found) != 3 {
		t.Fatalf("%d objects", len(found))
	}
	var ok [3]bool
	plan, ok[0] = found[0].(*core.ConfigMap)
	draw, ok[1] = found[1].(*batch.Job)
	merge, ok[2] = found[2].(*batch.Job)
	if ok != [3]bool{true, true, true} {
		t.Fatalf("%T, %T, %T", found[0], found[1], found[2])
	}
	return plan, draw, merge
}

// writeManifest runs mcsim script k8s.
func writeManifest(t *testing.T, args ...string) []byte {
	t.Helper()
	c := exec.Command(program, append([]string{"script", "k8s"}, args...)...)
	var complaint strings.Builder
	c.Stderr = &complaint
	manifest, err := c.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, &complaint)
	}
	return manifest
}

// TestManifest checks the decoded fields of a manifest whose plan and folders have hostile names.
func TestManifest(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a b.yaml")
	text := "name: \"it's $(JOB_COMPLETION_INDEX): {{.}} <é> \\U0001F600 # no\"\n" +
		"# --- \"quoted\" \\ back\t| tab \u00a0 \U0001F600\n---\n"
	text = strings.TrimSuffix(text, "---\n") + "experiments:\n" +
		"- {experiment: variance, distribution: normal, d_k: [4, 16]}\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	folder := `it's "$(x)" $HOME: {a} #b`
	plan, draw, merge := decodeJobs(t,
		writeManifest(t, file, "-N", "37", "--image", "registry.example:5000/a/mcsim:1@sha256:0123", "--claim",
			"data.of-all",
			"--namespace", "sims", "--mem", "256Mi", "--parallelism", "5", "--workers", "2", "--shards", folder, "-o",
			"out/-"))

	if got := plan.Data["plan.yaml"]; got != text {
		t.Errorf("the plan is %q, want %q", got, text)
	}
	if plan.Immutable == nil || !*plan.Immutable {
		t.Error("the plan may change under the jobs")
	}
	s := draw.Spec
	if *s.CompletionMode != batch.IndexedCompletion || *s.Completions != 37 || *s.Parallelism != 5 ||
		*s.BackoffLimitPerIndex != 3 {
		t.Errorf("the sampling Job is %+v", s)
	}
	c := s.Template.Spec.Containers[0]
	want := "mcsim run /plan/plan.yaml --shard $(JOB_COMPLETION_INDEX)/37 --workers 2 -o " +
		"/shards/$(JOB_COMPLETION_INDEX)-of-37.shard"
	if got := strings.Join(c.Command, " "); got != want {
		t.Errorf("it runs %s, want %s", got, want)
	}
	if got := c.Resources.Limits.Memory().Value(); got != 256<<20 {
		t.Errorf("its memory is %d", got)
	}
	if got := c.Resources.Requests.Cpu().Value(); got != 2 {
		t.Errorf("it requests %d processors", got)
	}
	if merge.Spec.ActiveDeadlineSeconds == nil || *merge.Spec.ActiveDeadlineSeconds <= 0 {
		t.Error("the merge may wait for ever")
	}
	for _, j := range []*batch.Job{draw, merge} {
		checkPod(t, j, folder)
	}
}

// checkPod checks the fields that both jobs have.
func checkPod(t *testing.T, j *batch.Job, folder string) {
	t.Helper()
	pod := j.Spec.Template.Spec
	if pod.RestartPolicy != core.RestartPolicyNever { // required by a pod failure policy
		t.Errorf("%s: the policy of restarts is %s", j.Name, pod.RestartPolicy)
	}
	if j.Namespace != "sims" || pod.Containers[0].Image != "registry.example:5000/a/mcsim:1@sha256:0123" {
		t.Errorf("%s: namespace %q, image %q", j.Name, j.Namespace, pod.Containers[0].Image)
	}
	if broken := validation.IsDNS1123Label(j.Name + "-99999"); len(broken) > 0 { // a pod's host name
		t.Errorf("%s: %v", j.Name, broken)
	}
	volumes := map[string]core.Volume{}
	for _, v := range pod.Volumes {
		volumes[v.Name] = v
	}
	subPaths := map[string]string{}
	for _, m := range pod.Containers[0].VolumeMounts {
		if _, ok := volumes[m.Name]; !ok {
			t.Errorf("%s mounts %s, which is not a volume", j.Name, m.Name)
		}
		subPaths[m.MountPath] = m.SubPath
	}
	if subPaths["/shards"] != folder {
		t.Errorf("%s: the shards are in %q, want %q", j.Name, subPaths["/shards"], folder)
	}
	if claim := volumes["data"].PersistentVolumeClaim; claim == nil || claim.ClaimName != "data.of-all" {
		t.Errorf("%s: the claim is %+v", j.Name, claim)
	}
	if rules := j.Spec.PodFailurePolicy; rules == nil || rules.Rules[1].OnExitCodes == nil ||
		*rules.Rules[1].OnExitCodes.ContainerName != pod.Containers[0].Name {
		t.Errorf("%s: the policy of failures is %+v", j.Name, rules)
	}
}

// TestMergeLoops runs the shell script of the merging job with a stub of mcsim that reports missing
// shards twice.
func TestMergeLoops(t *testing.T) {
	_, _, merge := decodeJobs(t, writeManifest(t, "rules", "-N", "3", "--image", "i", "--claim", "c"))
	dir := t.TempDir()
	stub := `#!/bin/sh
echo "$*" >>` + dir + `/calls
[ "$(wc -l <` + dir + `/calls)" -ge 3 ] || { echo 1-2; exit 5; }
echo merged
exit 3
`
	for name, text := range map[string]string{"mcsim": stub, "sleep": "#!/bin/sh\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	command := merge.Spec.Template.Spec.Containers[0].Command
	if len(command) != 3 || command[0] != "sh" || command[1] != "-c" {
		t.Fatalf("the merge runs %q", command)
	}
	c := exec.Command("sh", "-c", strings.ReplaceAll(command[2], "/shards", dir))
	c.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"))
	output, err := c.Output()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 3 {
		t.Errorf("the merge ends with %v, want 3", err)
	}
	if want := "waiting for the shards 1-2\nwaiting for the shards 1-2\nmerged\n"; string(output) != want {
		t.Errorf("the merge says %q, want %q", output, want)
	}
	if calls, err := os.ReadFile(filepath.Join(dir, "calls")); err != nil ||
		!strings.HasPrefix(string(calls), "merge "+dir+" -N 3 -o /out\n") {
		t.Errorf("the merge calls %q (%v)", calls, err)
	}
}

// TestStrict checks that decode detects unknown and repeated fields.
func TestStrict(t *testing.T) {
	manifest := writeManifest(t, "rules", "-N", "3", "--image", "i", "--claim", "c")
	for old, fault := range map[string]string{"backoffLimitPerIndex": "backoffLimitPerShard",
		"restartPolicy: Never": "restartPolicy: Never\n      restartPolicy: Never"} {
		if !bytes.Contains(manifest, []byte(old)) {
			t.Fatalf("the manifest has no %s", old)
		}
		if _, err := decode(bytes.Replace(manifest, []byte(old), []byte(fault), 1)); err == nil {
			t.Errorf("%s is accepted", fault)
		}
	}
}
