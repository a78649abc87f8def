//go:build !js

package lab

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What is served is the files alone, to this machine's names alone.
func TestHandler(t *testing.T) {
	h := handler(map[string][]byte{"index.html": []byte("<p>"), "a.js": []byte("1"), "w.wasm.gz": {0x1f, 0x8b}})
	for _, c := range []struct {
		method, host, path string
		code               int
		kind               string
	}{
		{"GET", "127.0.0.1:8765", "/", 200, "text/html"},
		{"GET", "localhost:8765", "/a.js", 200, "javascript"},
		{"GET", "[::1]:8765", "/w.wasm.gz", 200, "application/octet-stream"},
		{"GET", "192.0.2.7", "/", 200, "text/html"},
		{"GET", "evil.example:8765", "/", 403, "text/plain"},
		{"GET", "127.0.0.1", "/../lab.go", 404, "text/plain"},
		{"GET", "127.0.0.1", "/etc/passwd", 404, "text/plain"},
		{"POST", "127.0.0.1", "/", 404, "text/plain"},
	} {
		r := httptest.NewRequest(c.method, "http://x"+c.path, nil)
		r.Host = c.host
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if got := w.Header().Get("Content-Type"); w.Code != c.code || !strings.Contains(got, c.kind) || w.Header().Get("Content-Encoding") != "" {
			t.Errorf("%s %s of %s = %d, %q, want %d, %q", c.method, c.path, c.host, w.Code, got, c.code, c.kind)
		}
	}
}

// The files of -out are all that the page asks for, and small enough.
func TestOut(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the worker")
	}
	dir := filepath.Join(t.TempDir(), "site")
	var out, errs bytes.Buffer
	if code := Main([]string{"-out", dir}, &out, &errs); code != 0 {
		t.Fatalf("lab -out = %d, %s", code, errs.String())
	}
	size := int64(0)
	for _, name := range []string{"index.html", "lab.css", "start.js", "page.js.gz", "worker.js.gz", "worker.wasm.gz", "queue.csv"} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		size += info.Size()
	}
	if size > 2_200_000 {
		t.Errorf("what the page asks for at its start has %d bytes, want at most 2.2 MB", size)
	}
	for _, name := range []string{"worker.wasm.gz", "worker.js.gz", "page.js.gz"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		r, err := gzip.NewReader(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, r); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if page, err := os.ReadFile(filepath.Join(dir, "index.html")); err != nil || !strings.Contains(string(page), "connect-src 'self'") || strings.Contains(string(page), "{{") {
		t.Errorf("index.html is %s, %v", page, err)
	}
}

// Where nothing can be served or written, this is said before anything is built.
func TestArguments(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", t.TempDir()) // nothing is built without a go command
	for want, args := range map[string][]string{"-addr nowhere": {"-addr", "nowhere"}, "file": {"-out", file}} {
		var out, errs bytes.Buffer
		if code := Main(append(args, "-open=false"), &out, &errs); code == 0 || !strings.Contains(errs.String(), want) {
			t.Errorf("lab %q = %d, %q, want %q", args, code, errs.String(), want)
		}
	}
}

// Without a go command a line says so.
func TestNoGoCommand(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	var out, errs bytes.Buffer
	if code := Main([]string{"-out", t.TempDir()}, &out, &errs); code != 2 || strings.Count(errs.String(), "\n") != 1 || !strings.Contains(errs.String(), "no go command") {
		t.Errorf("lab without go = %d, %q", code, errs.String())
	}
}
