// Package k8stest checks the manifests that mcsim script k8s writes, with the libraries of
// Kubernetes. It is a separate module, so that mcsim does not depend on Kubernetes.
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

// program is the path of mcsim, which TestMain builds.
var program string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "mcsim")
	if err != nil {
		panic(err)
	}
	program = filepath.Join(dir, "mcsim")
	build := exec.Command("go", "build", "-o", program, "./cmd/mcsim")
	build.Dir = "../../../.."
	if output, err := build.CombinedOutput(); err != nil {
		panic(string(output))
	}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// decode returns the objects of a manifest. An unknown or repeated field is an error.
func decode(manifest []byte) (objects []runtime.Object, err error) {
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
			return objects, nil
		}
		if err != nil {
			return nil, err
		}
		object, _, err := decoder.Decode(document, nil, nil)
		if err != nil {
			return nil, err
		}
		objects = append(objects, object)
	}
}

// decodeJobs decodes a manifest and returns its three objects: the ConfigMap with the plan, the Job
// that samples and the Job that merges.
func decodeJobs(t *testing.T, manifest []byte) (plan *core.ConfigMap, sampling, merging *batch.Job) {
	t.Helper()
	objects, err := decode(manifest)
	if err != nil {
		t.Fatalf("%v in\n%s", err, manifest)
	}
	if len(objects) != 3 {
		t.Fatalf("the manifest has %d objects, want 3", len(objects))
	}
	var ok [3]bool
	plan, ok[0] = objects[0].(*core.ConfigMap)
	sampling, ok[1] = objects[1].(*batch.Job)
	merging, ok[2] = objects[2].(*batch.Job)
	if ok != [3]bool{true, true, true} {
		t.Fatalf("the objects are %T, %T and %T, want a ConfigMap and two Jobs", objects[0], objects[1], objects[2])
	}
	return plan, sampling, merging
}

// writeManifest returns what mcsim script k8s writes with the given arguments.
func writeManifest(t *testing.T, args ...string) []byte {
	t.Helper()
	c := exec.Command(program, append([]string{"script", "k8s"}, args...)...)
	var stderr strings.Builder
	c.Stderr = &stderr
	manifest, err := c.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, &stderr)
	}
	return manifest
}

// TestManifest checks the decoded fields of a manifest. The names of its plan and of its folders
// have characters that YAML or a shell might misinterpret.
func TestManifest(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a b.yaml")
	text := "name: \"it's $(JOB_COMPLETION_INDEX): {{.}} <é> \\U0001F600 # no\"\n" +
		"# --- \"quoted\" \\ back\t| tab \u00a0 \U0001F600\n" +
		"experiments:\n" +
		"- {experiment: variance, distribution: normal, d_k: [4, 16]}\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	folder := `it's "$(x)" $HOME: {a} #b`
	plan, sampling, merging := decodeJobs(t, writeManifest(t, file, "-N", "37", "--image", testImage,
		"--claim", testClaim, "--namespace", testNamespace, "--mem", "256Mi", "--parallelism", "5", "--workers", "2",
		"--shards", folder, "-o", "out/-"))

	if got := plan.Data["plan.yaml"]; got != text {
		t.Errorf("the plan is %q, want %q", got, text)
	}
	if plan.Immutable == nil || !*plan.Immutable {
		t.Error("the ConfigMap with the plan is not immutable")
	}
	s := sampling.Spec
	if got := *s.CompletionMode; got != batch.IndexedCompletion {
		t.Errorf("the completion mode is %s, want %s", got, batch.IndexedCompletion)
	}
	if *s.Completions != 37 || *s.Parallelism != 5 || *s.BackoffLimitPerIndex != 3 {
		t.Errorf("completions, parallelism and backoff limit per index are %d, %d and %d, want 37, 5 and 3",
			*s.Completions, *s.Parallelism, *s.BackoffLimitPerIndex)
	}
	c := s.Template.Spec.Containers[0]
	want := "mcsim run /plan/plan.yaml --shard $(JOB_COMPLETION_INDEX)/37 --workers 2 -o " +
		"/shards/$(JOB_COMPLETION_INDEX)-of-37.shard"
	if got := strings.Join(c.Command, " "); got != want {
		t.Errorf("the sampling Job runs %s, want %s", got, want)
	}
	if got, want := c.Resources.Limits.Memory().Value(), int64(256<<20); got != want {
		t.Errorf("the limit of memory is %d bytes, want %d", got, want)
	}
	if got := c.Resources.Requests.Cpu().Value(); got != 2 {
		t.Errorf("the sampling Job requests %d processors, want 2", got)
	}
	if merging.Spec.ActiveDeadlineSeconds == nil || *merging.Spec.ActiveDeadlineSeconds <= 0 {
		t.Error("the merging Job has no deadline, so that it may wait for ever")
	}
	for _, j := range []*batch.Job{sampling, merging} {
		checkPod(t, j, folder)
	}
}

// Values of TestManifest that checkPod checks.
const (
	testImage     = "registry.example:5000/a/mcsim:1@sha256:0123"
	testClaim     = "data.of-all"
	testNamespace = "sims"
)

// checkPod checks the fields that both Jobs of TestManifest have.
func checkPod(t *testing.T, j *batch.Job, folder string) {
	t.Helper()
	pod := j.Spec.Template.Spec
	if got, want := pod.RestartPolicy, core.RestartPolicyNever; got != want { // required by a pod failure policy
		t.Errorf("%s: the restart policy is %s, want %s", j.Name, got, want)
	}
	if j.Namespace != testNamespace {
		t.Errorf("%s: the namespace is %q, want %q", j.Name, j.Namespace, testNamespace)
	}
	if got := pod.Containers[0].Image; got != testImage {
		t.Errorf("%s: the image is %q, want %q", j.Name, got, testImage)
	}
	podName := j.Name + "-99999" // also the pod's host name
	if faults := validation.IsDNS1123Label(podName); len(faults) > 0 {
		t.Errorf("%s is not a valid host name: %v", podName, faults)
	}
	volumes := map[string]core.Volume{}
	for _, v := range pod.Volumes {
		volumes[v.Name] = v
	}
	subPathOf := map[string]string{} // by mount path
	for _, m := range pod.Containers[0].VolumeMounts {
		if _, ok := volumes[m.Name]; !ok {
			t.Errorf("%s mounts %s, which is not a volume", j.Name, m.Name)
		}
		subPathOf[m.MountPath] = m.SubPath
	}
	if got := subPathOf["/shards"]; got != folder {
		t.Errorf("%s: the folder of the shards is %q, want %q", j.Name, got, folder)
	}
	if claim := volumes["data"].PersistentVolumeClaim; claim == nil || claim.ClaimName != testClaim {
		t.Errorf("%s: the claim of the volume is %+v, want %s", j.Name, claim, testClaim)
	}
	policy := j.Spec.PodFailurePolicy
	if policy == nil || policy.Rules[1].OnExitCodes == nil {
		t.Fatalf("%s: the pod failure policy is %+v, want a second rule for exit codes", j.Name, policy)
	}
	if got, want := *policy.Rules[1].OnExitCodes.ContainerName, pod.Containers[0].Name; got != want {
		t.Errorf("%s: the second rule of the pod failure policy is for the container %q, want %q", j.Name, got, want)
	}
}

// TestMergeLoops runs the shell script of the merging Job with a stub of mcsim. The stub reports
// damaged shards (exit code 5) twice and then a verdict, so that the script must wait twice.
func TestMergeLoops(t *testing.T) {
	_, _, merging := decodeJobs(t, writeManifest(t, "rules", "-N", "3", "--image", "i", "--claim", "c"))
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
	command := merging.Spec.Template.Spec.Containers[0].Command
	if len(command) != 3 || command[0] != "sh" || command[1] != "-c" {
		t.Fatalf("the merging Job runs %q, want a script of sh -c", command)
	}
	c := exec.Command("sh", "-c", strings.ReplaceAll(command[2], "/shards", dir))
	c.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"))
	output, err := c.Output()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 3 {
		t.Errorf("the merge ends with %v, want exit code 3", err)
	}
	if want := "waiting for the shards 1-2\nwaiting for the shards 1-2\nmerged\n"; string(output) != want {
		t.Errorf("the merge prints %q, want %q", output, want)
	}
	calls, err := os.ReadFile(filepath.Join(dir, "calls"))
	if err != nil {
		t.Fatal(err)
	}
	if want := "merge " + dir + " -N 3 -o /out\n"; !strings.HasPrefix(string(calls), want) {
		t.Errorf("the first call of mcsim is %q, want %q", calls, want)
	}
}

// TestDecodeIsStrict checks that decode detects unknown and repeated fields.
func TestDecodeIsStrict(t *testing.T) {
	manifest := writeManifest(t, "rules", "-N", "3", "--image", "i", "--claim", "c")
	for original, faulty := range map[string]string{
		"backoffLimitPerIndex": "backoffLimitPerShard",
		"restartPolicy: Never": "restartPolicy: Never\n      restartPolicy: Never",
	} {
		if !bytes.Contains(manifest, []byte(original)) {
			t.Fatalf("the manifest does not contain %q", original)
		}
		if _, err := decode(bytes.Replace(manifest, []byte(original), []byte(faulty), 1)); err == nil {
			t.Errorf("a manifest with %q is decoded, want an error", faulty)
		}
	}
}
