//go:build !js

// Package lab is the command lab: whatif and audit in a browser, which computes them itself.
package lab

import (
	"bytes"
	"compress/gzip"
	"context"
	"embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"mime"
	"net"
	"net/http"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/schedmath/schedmath/cmd/schedmath/internal/page"
	"github.com/schedmath/schedmath/internal/program"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

const help = `schedmath lab opens a page in the browser that answers questions about a log: what would a policy do, was it fair, when will it start.

The page is served on 127.0.0.1, the log is read in the page, and nothing leaves the machine. What computes is WebAssembly, which the go
command builds the first time: that takes half a minute. -out DIR writes the files of the page instead, for any web server.
`

//go:embed start.js lab.js lab.css worker.js samples
var own embed.FS

// Main is the command: it returns the exit code.
func Main(args []string, stdout, stderr io.Writer) int {
	return program.Exit(stderr, "schedmath lab", run(args, stdout, stderr))
}

func run(args []string, stdout, stderr io.Writer) error {
	f := flag.NewFlagSet("schedmath lab", flag.ContinueOnError)
	out := f.String("out", "", "write the files of the page into `DIR`, made when missing, and serve nothing")
	address := f.String("addr", "127.0.0.1:8765", "serve at `HOST:PORT`; port 0 is any that is free")
	open := f.Bool("open", true, "open the page in the browser")
	if done, err := program.Parse(f, args, stdout, help); done || err != nil {
		return err
	}
	ctx, stop := program.OnInterrupt()
	defer stop()
	if *out != "" {
		if err := program.Prepare(*out); err != nil {
			return err
		}
		files, err := site(ctx, stderr)
		if err != nil {
			return err
		}
		return write(*out, files, stdout)
	}
	listener, err := net.Listen("tcp", *address)
	if err != nil {
		return program.Usagef("-addr %s: %v", *address, err)
	}
	defer listener.Close()
	files, err := site(ctx, stderr)
	if err != nil {
		return err
	}
	server := http.Server{Handler: handler(files), ReadHeaderTimeout: 10 * time.Second}
	url := "http://" + listener.Addr().String() + "/"
	fmt.Fprintf(stdout, "the lab is at %s: end it with Ctrl-C\n", url)
	if *open {
		show(url)
	}
	go func() {
		<-ctx.Done()
		server.Close()
	}()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// site is the files of the page by their names.
func site(ctx context.Context, stderr io.Writer) (map[string][]byte, error) {
	worker, runtime, err := build(ctx, stderr)
	if err != nil {
		return nil, err
	}
	sample, err := lublin()
	if err != nil {
		return nil, err
	}
	file := func(name string) string { return string(page.Embedded(own, name)) }
	scripts := page.Text(page.Scripts...) + file("lab.js")
	policy := "default-src 'none'; base-uri 'none'; form-action 'none'; connect-src 'self'; worker-src blob:; img-src data: blob:; style-src 'self' 'unsafe-inline'; script-src 'self' 'wasm-unsafe-eval' " + page.Hash(scripts)
	return map[string][]byte{
		"index.html":     page.Fill(policy, "schedmath lab", `<link rel="stylesheet" href="lab.css">`, `<script src="start.js"></script>`+"\n"),
		"lab.css":        []byte(page.Text("page.css") + file("lab.css")),
		"start.js":       []byte(file("start.js")),
		"page.js.gz":     packed([]byte(scripts)),
		"worker.js.gz":   packed(append(runtime, file("worker.js")...)),
		"worker.wasm.gz": worker,
		"queue.csv":      []byte(file("samples/queue.csv")),
		"lublin.tsv.gz":  packed(sample),
	}, nil
}

// lublin is the sample of 3,000 jobs by the model of Lublin and Feitelson on 128 processors.
func lublin() ([]byte, error) {
	jobs, err := workload.LublinFeitelson(nil, 3000, 128, workload.Stream(1, workload.Trace, 0))
	if err != nil {
		return nil, err
	}
	src := workload.Stream(1, workload.FirstFreePurpose, 0)
	for i := range jobs {
		j := &jobs[i]
		j.Arrival *= .8
		j.User = int(src.Uint64() % 12 * (src.Uint64() % 12) / 12)
		j.Requested = j.Maps.Work * float64(1+src.Uint64()%8)
	}
	var b bytes.Buffer
	err = workload.WriteJobs(&b, jobs)
	return b.Bytes(), err
}

// packed is text in gzip.
func packed(text []byte) []byte {
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // a level that there is, into memory: no error
	w.Write(text)
	w.Close()
	return b.Bytes()
}

// write writes the files of the page into a folder.
func write(dir string, files map[string][]byte, stdout io.Writer) error {
	size := 0
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := program.WriteFile(filepath.Join(dir, name), files[name]); err != nil {
			return err
		}
		size += len(files[name])
	}
	_, err := fmt.Fprintf(stdout, "wrote %d files, %d kB, into %s: serve them with any web server, such as python3 -m http.server -d %s\n", len(files), size/1000, dir, dir)
	return err
}

// handler serves the files to pages of this machine: a request for another host, as one that a name
// was bound anew for would be, is refused.
func handler(files map[string][]byte) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(r.URL.Path, "/")
		if name == "" {
			name = "index.html"
		}
		host, _, err := net.SplitHostPort(r.Host)
		if err != nil {
			host = r.Host
		}
		if ip := net.ParseIP(host); host != "localhost" && ip == nil {
			http.Error(w, "this is a lab for its own machine", http.StatusForbidden)
			return
		}
		text, ok := files[name]
		if !ok || r.Method != http.MethodGet && r.Method != http.MethodHead {
			http.NotFound(w, r)
			return
		}
		kind := mime.TypeByExtension(path.Ext(name))
		if strings.HasSuffix(name, ".gz") || kind == "" {
			kind = "application/octet-stream" // which the page unpacks
		}
		h := w.Header()
		h.Set("Content-Type", kind)
		h.Set("Cache-Control", "no-cache")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(text))
	})
}

// show opens an address in the browser, if there is a program for that.
func show(url string) {
	command := map[string][]string{"darwin": {"open"}, "windows": {"rundll32", "url.dll,FileProtocolHandler"}}[runtime.GOOS]
	if command == nil {
		command = []string{"xdg-open"}
	}
	if c := exec.Command(command[0], append(command[1:], url)...); c.Start() == nil {
		go c.Wait() // whatever it says: the address is printed
	}
}
