package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	crand "crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"
)

// TestMain lets this binary be a gateway, or a NATS server, as a process.
func TestMain(m *testing.M) {
	switch as, port, _ := strings.Cut(os.Getenv("RUN_AS"), ":"); as {
	case "gateway":
		main()
	case "nats":
		o := &server.Options{}
		if len(os.Args) > 1 { // a file of its configuration
			if err := o.ProcessConfigFile(os.Args[1]); err != nil {
				panic(err)
			}
		}
		o.Host, o.NoLog = "127.0.0.1", true
		fmt.Sscan(port, &o.Port)
		s, err := server.NewServer(o)
		if err != nil {
			panic(err)
		}
		s.Start()
		s.WaitForShutdown()
	default:
		os.Exit(m.Run())
	}
}

// A process is this binary as something else.
type process struct {
	*exec.Cmd
	said notes
	done chan error
}

// start runs this binary; it is killed when the test ends.
func start(t testing.TB, as string, args ...string) *process {
	t.Helper()
	p := &process{Cmd: exec.Command(os.Args[0], args...), done: make(chan error, 1)}
	p.Env = append(os.Environ(), "RUN_AS="+as, "GOMAXPROCS=1")
	p.Stdout, p.Stderr = &p.said, &p.said
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { p.done <- p.Wait() }()
	t.Cleanup(func() {
		p.Process.Kill()
		if t.Failed() {
			t.Logf("%s said:\n%.4000s", as, p.text())
		}
	})
	return p
}

func (p *process) text() string { return p.said.text() }

// end waits until a process has ended.
func (p *process) end(t testing.TB) error {
	t.Helper()
	select {
	case err := <-p.done:
		return err
	case <-time.After(time.Minute):
		t.Fatal("the process does not end")
		return nil
	}
}

// port is one that is free now.
func port(t testing.TB) int {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// spawn starts a gateway as a process before a fake, and waits until it serves.
func spawn(t testing.TB, tenants string, args ...string) (p *process, b *bench) {
	t.Helper()
	b = &bench{fake: newFake(), address: fmt.Sprintf("http://127.0.0.1:%d", port(t))}
	back := httptest.NewServer(b.fake)
	t.Cleanup(func() { back.CloseClientConnections(); back.Close() })
	p = b.run(t, back.URL, tenants, args...)
	return p, b
}

func (b *bench) run(t testing.TB, backend, tenants string, args ...string) *process {
	t.Helper()
	p := start(t, "gateway", append([]string{"-backend", backend, "-tenants", tenants, "-listen", strings.TrimPrefix(b.address, "http://"), "-admin", "127.0.0.1:0"}, args...)...)
	within(t, "it serves", func() bool { return strings.Contains(p.text(), "serving at") })
	return p
}

// admin is where the page of a process is.
func (p *process) admin() string {
	_, after, _ := strings.Cut(p.text(), "the page is at ")
	return "http://" + strings.Fields(after)[0]
}

func get(t testing.TB, url string) string {
	t.Helper()
	a, err := client.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	text, err := io.ReadAll(a.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func status(t testing.TB, url string) int {
	t.Helper()
	a, err := client.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	a.Body.Close()
	return a.StatusCode
}

const secrets = `[{"name":"honest","weight":4,"keys":["sk-secret-a"]},{"name":"other","weight":1,"keys":["sk-secret-b"]}]`

// TestTermination: at SIGTERM who waits is served, new connections are refused and /readyz says so; a
// second one, and -drain, end what is left. Nothing that the gateway says holds a key or a body.
func TestTermination(t *testing.T) {
	for _, ending := range []string{"", "second", "drain"} {
		args := []string{"-streams", "1", "-log", "DEBUG"}
		if ending == "drain" {
			args = append(args, "-drain", "100ms")
		}
		p, b := spawn(t, fileOf(t, secrets), args...)
		b.send(t.Context(), chat, order{User: "sk-secret-a", Tokens: 1, Status: 500}, nil)
		b.send(t.Context(), chat, order{User: "sk-secret-unknown", Tokens: 1}, nil)
		block := make(chan struct{})
		b.fake.pause = func(order) { <-block }
		var all sync.WaitGroup
		for i := range 3 {
			all.Go(func() {
				a, _, err := b.send(context.Background(), chat, order{User: []string{"sk-secret-a", "sk-secret-b"}[i%2], Tokens: 5, Stream: true}, nil)
				if served := err == nil && a.StatusCode == 200; served != (ending == "") {
					t.Errorf("a request that waits at SIGTERM, and then %q, gets %v, %v", ending, a, err)
				}
			})
		}
		metrics := ""
		within(t, "two wait", func() bool {
			metrics = get(t, p.admin()+"/metrics")
			return strings.Count(metrics, "gateway_queue{tenant=\"honest\"} 1")+strings.Count(metrics, "gateway_queue{tenant=\"other\"} 1") == 2 || strings.Contains(metrics, "gateway_queue{tenant=\"honest\"} 2")
		})
		page := get(t, p.admin()+"/")
		for _, url := range []string{p.admin() + "/healthz", p.admin() + "/readyz", b.address + "/healthz", b.address + "/readyz"} {
			if got := status(t, url); got != 200 {
				t.Errorf("%s is %d, want 200", url, got)
			}
		}
		p.Process.Signal(syscall.SIGTERM)
		within(t, "new connections are refused", func() bool {
			c, err := net.Dial("tcp", strings.TrimPrefix(b.address, "http://"))
			if err == nil {
				c.Close()
			}
			return err != nil
		})
		if ending != "drain" { // which may be over
			for path, want := range map[string]int{"/healthz": 200, "/readyz": 503} {
				if got := status(t, p.admin()+path); got != want {
					t.Errorf("while it drains %s is %d, want %d", path, got, want)
				}
			}
		}
		if ending == "second" {
			p.Process.Signal(syscall.SIGTERM)
		} else if ending == "" {
			close(block)
		}
		if err := p.end(t); (err == nil) != (ending == "") {
			t.Errorf("%q: the process ends with %v", ending, err)
		}
		if ending != "" {
			close(block)
		}
		all.Wait()
		for what, text := range map[string]string{"its output": p.text(), "the metrics": metrics, "the page": page} {
			if strings.Contains(text, "sk-secret") || strings.Contains(text, "wort") {
				t.Errorf("%s: a key or a body is in\n%s", what, text)
			}
		}
	}
}

// TestHangUpSignal: under load SIGHUP reads the tenants again: who is deleted while it waits gets 401,
// who flies is served, a new tenant is served, and a file that is wrong changes nothing.
func TestHangUpSignal(t *testing.T) {
	file := fileOf(t, twoTenants)
	p, b := spawn(t, file, "-streams", "1")
	turns := make(chan struct{})
	b.fake.pause = func(order) { <-turns }
	codes := map[string]chan int{"honest": make(chan int, 10), "other": make(chan int, 10), "new": make(chan int, 10)}
	ask := func(user string) {
		go func() {
			a, _, err := b.send(context.Background(), chat, order{User: user, Tokens: 1}, nil)
			if err != nil {
				a = &http.Response{StatusCode: -1}
			}
			codes[user] <- a.StatusCode
		}()
	}
	want := func(when, user string, code int) {
		t.Helper()
		select {
		case got := <-codes[user]:
			if got != code {
				t.Errorf("%s: %s gets %d, want %d", when, user, got, code)
			}
		case <-time.After(time.Minute):
			t.Fatalf("%s: %s gets no answer, want %d", when, user, code)
		}
	}
	waits := func(user string, n int) {
		t.Helper()
		within(t, user+" waits", func() bool {
			return strings.Contains(get(t, p.admin()+"/metrics"), fmt.Sprintf("gateway_queue{tenant=%q} %d", user, n))
		})
	}
	write := func(text, said string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		p.Process.Signal(syscall.SIGHUP)
		within(t, said, func() bool { return strings.Contains(p.text(), said) })
	}

	ask("other") // it flies
	within(t, "one flies", func() bool { b.fake.mu.Lock(); defer b.fake.mu.Unlock(); return b.fake.inside["other"] == 1 })
	for range 3 {
		ask("honest")
		ask("other")
	}
	waits("honest", 3)
	waits("other", 3)
	write(`[{"name":"new","weight":1,"keys":["new"]}`, "the tenants are those of before")
	waits("honest", 3)
	waits("other", 3)
	ask("new")
	want("a wrong file", "new", 401)

	write(`[{"name":"honest","weight":4,"keys":["honest"]},{"name":"new","weight":1,"keys":["new"]}]`, "the tenants are read again")
	for range 3 {
		want("deleted while it waits", "other", 401)
	}
	ask("other")
	want("deleted", "other", 401)
	ask("new")
	waits("new", 1)
	close(turns)
	want("deleted while it flies", "other", 200)
	want("added", "new", 200)
	for range 3 {
		want("as before", "honest", 200)
	}
}

// TestSlowHeader: a client that does not finish its header is cut off, and so is one that sends too much of it.
func TestSlowHeader(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for ten seconds")
	}
	t.Parallel()
	_, b := spawn(t, fileOf(t, twoTenants))
	for what, header := range map[string]string{"slow": "X: ", "long": strings.Repeat("X: y\r\n", 1<<15)} {
		c, err := net.Dial("tcp", strings.TrimPrefix(b.address, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		go func() {
			for _, err := fmt.Fprintf(c, "POST %s HTTP/1.1\r\nHost: x\r\n%s", chat, header); err == nil; _, err = fmt.Fprint(c, "y") {
				time.Sleep(100 * time.Millisecond)
			}
		}()
		c.SetReadDeadline(time.Now().Add(time.Minute))
		answer, err := io.ReadAll(c)
		if e := net.Error(nil); errors.As(err, &e) && e.Timeout() || strings.Contains(string(answer), " 200 ") || (what == "long") != strings.Contains(string(answer), " 431 ") {
			t.Errorf("%s: %.100q, %v, want the connection's end, and 431 for a long one", what, answer, err)
		}
	}
}

// TestTLS: a gateway with a certificate serves HTTP/2, whose requests it can break off as well.
func TestTLS(t *testing.T) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), crand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	form := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true}
	cert, err := x509.CreateCertificate(crand.Reader, form, form, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	private, _ := x509.MarshalPKCS8PrivateKey(key)
	dir := t.TempDir()
	for name, block := range map[string]*pem.Block{"cert": {Type: "CERTIFICATE", Bytes: cert}, "key": {Type: "PRIVATE KEY", Bytes: private}} {
		if err := os.WriteFile(filepath.Join(dir, name), pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	_, b := spawn(t, fileOf(t, twoTenants), "-cert", filepath.Join(dir, "cert"), "-key", filepath.Join(dir, "key"))
	pool := x509.NewCertPool()
	known, _ := x509.ParseCertificate(cert)
	pool.AddCert(known)
	c := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}, ForceAttemptHTTP2: true}}
	for range 2 {
		r, _ := http.NewRequest("POST", strings.Replace(b.address, "http", "https", 1)+chat, strings.NewReader(string(order{User: "honest", Tokens: 3, Stream: true}.body())))
		r.Header.Set("X-Api-Key", "honest")
		a, err := c.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(a.Body)
		a.Body.Close()
		if err != nil || a.ProtoMajor != 2 || strings.Count(string(text), "wort") != 3 {
			t.Errorf("%v, %v, %s, want three tokens by HTTP/2", a, err, text)
		}
	}
}

// TestUsage: flags that are wrong are said in one line.
func TestUsage(t *testing.T) {
	file := fileOf(t, twoTenants)
	for _, args := range [][]string{{"-tenants", "nowhere"}, {"-tenants", file, "-backend", "x"}, {"-tenants", file, "-prices", "1,2"}, {"-tenants", file, "-prices", "1,NaN,1"}, {"-tenants", file, "-prices", "1,1,1,1"},
		{"-tenants", file, "-report-rate", "NaN"}, {"-tenants", file, "-streams", "0"}, {"-tenants", file, "-bodies", "-1"}, {"-tenants", file, "-bodies", "1000"}, {"-tenants", file, "-lag", "-1"}, {"-tenants", file, "-backend-key-file", "nowhere"}} {
		p := start(t, "gateway", args...)
		if err := p.end(t); err == nil || strings.Count(p.text(), "\n") != 1 {
			t.Errorf("%v: %v, %q, want one line", args, err, p.text())
		}
	}
	p := start(t, "gateway", "-help")
	if err := p.end(t); err != nil || !strings.Contains(p.text(), "-report-rate") {
		t.Errorf("-help: %v, %s", err, p.text())
	}
}

// TestEmbedded: a gateway starts a NATS server where it is told, which wants the password that it is told.
func TestEmbedded(t *testing.T) {
	at := fmt.Sprintf("127.0.0.1:%d", port(t))
	spawn(t, fileOf(t, twoTenants), "-nats", "embedded://user:password@"+at)
	if c, err := nats.Connect("nats://" + at); err == nil {
		c.Close()
		t.Error("it lets in who has no password")
	}
	c, err := nats.Connect("nats://user:password@" + at)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	hears(t, c)
}

// hears waits until a gateway tells something on the bus.
func hears(t *testing.T, c *nats.Conn) {
	t.Helper()
	told := make(chan bool, 100)
	if _, err := c.Subscribe(subject, func(*nats.Msg) { told <- true }); err != nil {
		t.Fatal(err)
	}
	select {
	case <-told:
	case <-time.After(time.Minute):
		t.Error("it tells nothing")
	}
}

// TestBusCredentials: a NATS server that lets in whom an operator's account has signed hears a gateway
// that has such a user's file.
func TestBusCredentials(t *testing.T) {
	var keys [3]nkeys.KeyPair // of the operator, the account and the user
	var public [3]string
	for i, create := range []func() (nkeys.KeyPair, error){nkeys.CreateOperator, nkeys.CreateAccount, nkeys.CreateUser} {
		var err, err2 error
		keys[i], err = create()
		if public[i], err2 = keys[i].PublicKey(); err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
	}
	operator, err := jwt.NewOperatorClaims(public[0]).Encode(keys[0])
	account, err2 := jwt.NewAccountClaims(public[1]).Encode(keys[0])
	user, err3 := jwt.NewUserClaims(public[2]).Encode(keys[1])
	seed, err4 := keys[2].Seed()
	creds, err5 := jwt.FormatUserConfig(user, seed)
	if err := errors.Join(err, err2, err3, err4, err5); err != nil {
		t.Fatal(err)
	}
	n := port(t)
	url := fmt.Sprintf("nats://127.0.0.1:%d", n)
	start(t, fmt.Sprint("nats:", n), fileOf(t, fmt.Sprintf("operator: %s\nresolver: MEMORY\nresolver_preload: {%s: %s}\n", operator, public[1], account)))
	file := fileOf(t, string(creds))
	var c *nats.Conn
	within(t, "NATS lets in who has the file", func() bool {
		c, err = nats.Connect(url, nats.UserCredentials(file))
		return err == nil
	})
	defer c.Close()
	if c, err := nats.Connect(url); !errors.Is(err, nats.ErrAuthorization) {
		c.Close()
		t.Errorf("who has no file: %v, want %v", err, nats.ErrAuthorization)
	}
	refused, _ := spawn(t, fileOf(t, twoTenants), "-nats", url)
	if text := refused.text(); !strings.Contains(text, "no connection yet") {
		t.Errorf("a gateway without the file says %s", text)
	}
	let, _ := spawn(t, fileOf(t, twoTenants), "-nats", url, "-nats-creds", file)
	hears(t, c)
	if text := let.text(); strings.Contains(text, "no connection yet") {
		t.Errorf("a gateway with the file says %s", text)
	}
}
