//go:build !js

package lab

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/schedmath/schedmath/internal/program"
)

const modulePath = "github.com/schedmath/schedmath"

// hot are the packages whose functions the compiler puts into their callers: in others that costs more
// bytes than it saves time.
var hot = []string{"aging", "audit", "internal/dd", "internal/exact", "internal/heap"}

// build returns the worker for a browser, packed, and the script of Go's that runs it. Both are kept
// in the user's cache; the go command sees what has changed.
func build(ctx context.Context, stderr io.Writer) (worker, script []byte, err error) {
	if _, err := exec.LookPath("go"); err != nil {
		return nil, nil, program.Usagef("the lab builds a program for the browser and finds no go command in PATH: https://go.dev/dl has one")
	}
	source, err := folder(ctx)
	if err != nil {
		return nil, nil, err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, nil, err
	}
	if cache = filepath.Join(cache, "schedmath"); os.MkdirAll(cache, 0o777) != nil {
		return nil, nil, program.Usagef("the lab keeps what it builds in %s, which cannot be made", cache)
	}
	root, err := goCommand(ctx, source, "env", "GOROOT")
	if err != nil {
		return nil, nil, err
	}
	if script, err = os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js")); err != nil {
		return nil, nil, err
	}
	// Each source folder has its own file, and the sum of what was packed tells whether it changed.
	name := filepath.Join(cache, fmt.Sprintf("worker-%.8x.wasm", sha256.Sum256([]byte(source))))
	if _, err := os.Stat(name); err != nil {
		fmt.Fprintln(stderr, "schedmath lab: building what computes in the browser, which takes half a minute the first time ...")
	}
	args := []string{"build", "-trimpath", "-ldflags=-s -w", "-o", name, "-gcflags=all=-l"}
	for _, inlined := range hot {
		args = append(args, "-gcflags="+modulePath+"/"+inlined+"=")
	}
	if _, err = goCommand(ctx, source, append(args, "./cmd/schedmath/internal/lab/worker")...); err != nil {
		return nil, nil, err
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, nil, err
	}
	sum := fmt.Sprintf("%x", sha256.Sum256(text))
	if before, err := os.ReadFile(name + ".sum"); err == nil && string(before) == sum {
		if worker, err = os.ReadFile(name + ".gz"); err == nil {
			return worker, script, nil
		}
	}
	worker = packed(text)
	if err = program.WriteFile(name+".gz", worker); err == nil {
		err = program.WriteFile(name+".sum", []byte(sum))
	}
	return worker, script, err
}

// folder is the root of the module's source: where this program was built, or else in the module
// cache.
func folder(ctx context.Context) (string, error) {
	_, file, _, _ := runtime.Caller(0)
	root := filepath.Join(filepath.Dir(file), "..", "..", "..", "..")
	if _, err := os.Stat(filepath.Join(root, "go.mod")); filepath.IsAbs(root) && err == nil {
		return root, nil
	}
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Path != modulePath || !strings.HasPrefix(info.Main.Version, "v") {
		return "", program.Usagef("the lab builds from its source, and %s is gone: build schedmath anew", root)
	}
	text, err := goCommand(ctx, os.TempDir(), "mod", "download", "-json", modulePath+"@"+info.Main.Version)
	if err != nil {
		return "", err
	}
	var module struct{ Dir string }
	if err := json.Unmarshal(text, &module); err != nil || module.Dir == "" {
		return "", fmt.Errorf("go mod download says %q", text)
	}
	return module.Dir, nil
}

// goCommand runs a go command for a browser in a folder and returns what it prints. A module's zip has
// a go.work that names a folder which it lacks, and the module cache is not written to.
func goCommand(ctx context.Context, dir string, args ...string) ([]byte, error) {
	c := exec.CommandContext(ctx, "go", args...)
	var errs bytes.Buffer
	c.Dir, c.Env, c.Stderr = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=readonly", "GOOS=js", "GOARCH=wasm"), &errs
	out, err := c.Output()
	if err != nil && ctx.Err() != nil {
		return nil, &program.Interrupted{}
	}
	if err != nil {
		return nil, fmt.Errorf("go %s: %v: %s", args[0], err, bytes.TrimSpace(errs.Bytes()))
	}
	return out, nil
}
