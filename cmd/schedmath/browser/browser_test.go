// Package browser opens the pages of schedmath and the lab in Chromium or Chrome. It is a module of its
// own, as it needs chromedp, and tests nothing where there is no browser.
package browser

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	devtools "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// program is the command, built once, and site the files of its lab; both "" where there is no browser.
var program, site string

func TestMain(m *testing.M) {
	code := func() int {
		found := false
		for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome", "headless-shell"} {
			_, err := exec.LookPath(name)
			found = found || err == nil
		}
		if !found {
			fmt.Println("skipped: no Chromium or Chrome in PATH")
			return 0
		}
		dir, err := os.MkdirTemp("", "schedmath")
		if err != nil {
			panic(err)
		}
		defer os.RemoveAll(dir)
		program, site = filepath.Join(dir, "schedmath"), filepath.Join(dir, "site")
		build := exec.Command("go", "build", "-o", program, ".")
		build.Dir, build.Env = "..", append(os.Environ(), "GOWORK=off")
		for _, c := range []*exec.Cmd{build, exec.Command(program, "lab", "-out", site)} {
			if out, err := c.CombinedOutput(); err != nil {
				panic(fmt.Sprintf("%v: %s", err, out))
			}
		}
		return m.Run()
	}()
	os.Exit(code)
}

// command runs the program and returns what it prints.
func command(t *testing.T, args ...string) string {
	t.Helper()
	c := exec.Command(program, args...)
	var errs bytes.Buffer
	c.Stderr = &errs
	out, err := c.Output()
	if err != nil {
		t.Fatalf("schedmath %q: %v: %s", args, err, errs.String())
	}
	return string(out)
}

// A tab is one of the browser; it takes down what goes wrong.
type tab struct {
	*testing.T
	context.Context
	mu    sync.Mutex
	asked []string // addresses
}

// open starts a browser, as wide as it is told, light or dark, and opens a page.
func open(t *testing.T, url string, width int64, scheme string) *tab {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox)
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	b := &tab{T: t, Context: ctx}
	if err := chromedp.Listen(ctx, func(event any) {
		if e, ok := event.(*network.EventRequestWillBeSent); ok {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.asked = append(b.asked, e.Request.URL)
		}
	}); err != nil {
		t.Fatal(err)
	}
	go func() {
		for m, err := range chromedp.Console(ctx) {
			if err == nil && (m.IsException() || m.Type == "error" || m.Type == "warning") {
				t.Errorf("the console says %s: %s (%s:%d)", m.Type, m.Text, m.URL, m.Line)
			}
		}
	}()
	b.do(chromedp.EmulateViewport(width, 900))
	if _, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}); err != nil {
		t.Fatal(err)
	}
	b.do(chromedp.Navigate(url))
	return b
}

func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.Context, 2*time.Minute)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		b.Fatal(err)
	}
}

// is waits until an expression is true.
func (b *tab) is(expression string) {
	b.Helper()
	for end := time.Now().Add(2 * time.Minute); ; time.Sleep(100 * time.Millisecond) {
		ok, err := chromedp.Run(b.Context, chromedp.Evaluate[bool]("!!("+expression+")"))
		if err == nil && ok {
			return
		}
		if time.Now().After(end) {
			said, _ := chromedp.Run(b.Context, chromedp.Evaluate[string]("document.body.innerText.slice(0, 600)"))
			b.Fatalf("never true: %s, %v; the page says %q", expression, err, said)
		}
	}
}

func (b *tab) text(expression string) string {
	b.Helper()
	s, err := chromedp.Run(b.Context, chromedp.Evaluate[string]("String("+expression+")"))
	if err != nil {
		b.Fatal(err)
	}
	return s
}

// sound checks that nothing is wider than the window, that every picture is there, and that nothing
// was asked of another host.
func (b *tab) sound(what string, width int64, scheme string) {
	b.Helper()
	wrong := b.text(`(() => {
		const wrong = [], shown = e => e.getBoundingClientRect().height > 0;
		if (document.documentElement.scrollWidth > innerWidth) wrong.push("is " + document.documentElement.scrollWidth + " wide");
		const edge = document.documentElement.clientWidth - parseFloat(getComputedStyle(document.body).paddingRight) + 1;
		for (const e of document.querySelectorAll("h1, h2, h3, p, li, summary, figcaption, button, input, select, label, .zone"))
			if (shown(e) && !e.closest(".scroll, svg, figure figure") && e.getBoundingClientRect().right > edge) wrong.push("cuts " + e.tagName + " " + e.textContent.slice(0, 50));
		const dark = getComputedStyle(document.body).backgroundColor.match(/\d+/g).slice(0, 3).every(x => x < 128);
		if (dark != matchMedia("(prefers-color-scheme: dark)").matches) wrong.push("has the ground of the other scheme");
		for (const a of document.querySelectorAll("article")) if (shown(a) && !a.querySelector(".drawn svg, details[open] table") && !/Nobody/.test(a.textContent) && a.id != "words") wrong.push("lacks the picture " + a.id);
		for (const s of document.querySelectorAll(".drawn > * svg[aria-label], .drawn > svg")) if (shown(s) && !s.getAttribute("aria-label") && !s.closest("[class*=swatches]")) wrong.push("has a picture without a name");
		if (document.querySelector("img")) wrong.push("has an img");
		return wrong.join("; ");
	})()`)
	if wrong != "" {
		b.Errorf("%s at %d pixels, %s: %s", what, width, scheme, wrong)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, url := range b.asked {
		if !strings.HasPrefix(url, "http://127.0.0.1:") && !strings.HasPrefix(url, "file://") && !strings.HasPrefix(url, "data:") && !strings.HasPrefix(url, "blob:") {
			b.Errorf("%s asks for %s", what, url)
		}
	}
}

// shoot keeps a screenshot in the folder that SHOTS names, if it does: SHOTS=$PWD/../../../docs/figures
// makes README's lab.png anew, beside others.
func (b *tab) shoot(name string) {
	b.Helper()
	if dir := os.Getenv("SHOTS"); dir != "" {
		picture, err := chromedp.Run(b.Context, chromedp.CaptureScreenshot())
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name+".png"), picture, 0o666)
		}
		if err != nil {
			b.Error(err)
		}
	}
}

const samples = "../../../joblog/testdata/"

// bad is a log whose names are markup.
func bad(t *testing.T) string {
	text := "user,team,submit,tasks,run,requested,rigid,start\n"
	for i := range 60 {
		text += fmt.Sprintf("<img src=x onerror=alert(%d)>,\"</script><b>%d\",%d,%d,%d,%d,1,%d\n", i%5, i%3, 10*i, 1+i%4, 30+i*i%90, 150, 10*i+i%7*20)
	}
	name := filepath.Join(t.TempDir(), "bad.csv")
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// The pages open from their files, at two widths, light and dark.
func TestPages(t *testing.T) {
	log := bad(t)
	for name, args := range map[string][]string{
		"whatif": {"whatif", "-trace", log}, "audit": {"audit", log}, "seeds": {"whatif", "-trace", log, "-seeds", "5", "-policies", "fifo,srpt,easy"}, "day": {"whatif", "-quick"},
	} {
		file := filepath.Join(t.TempDir(), name+".html")
		if name == "audit" {
			command(t, "audit", "-html", file, log)
		} else {
			command(t, append(args, "-html", file)...)
		}
		for _, width := range []int64{360, 1200} {
			for _, scheme := range []string{"light", "dark"} {
				b := open(t, "file://"+file, width, scheme)
				b.is(`document.querySelector("main h1") && !document.getElementById("old")`)
				b.is(`document.querySelectorAll(".drawn svg").length > 3`)
				b.sound(name, width, scheme)
				b.shoot(fmt.Sprintf("%s-%d-%s", name, width, scheme))
				b.do(chromedp.Evaluate[chromedp.Void](`document.querySelectorAll("details").forEach(d => { d.open = true; })`))
				b.is(`[...document.querySelectorAll(".scroll")].every(s => (s.scrollWidth > s.clientWidth) != s.previousSibling.hidden)`)
				if name == "audit" {
					b.is(`[...document.querySelectorAll("#teams thead th")].filter(h => h.getBoundingClientRect().right <= innerWidth).map(h => h.firstChild.textContent).join().startsWith("team,net,worst")`)
				}
				if name == "whatif" || name == "audit" {
					if saved := b.text(`(() => { let kept = ""; const make = Blob; window.Blob = function(parts, o) { kept = parts[0]; return new make(parts, o); };
						[...document.querySelectorAll("button")].filter(x => x.textContent == "Save as SVG").forEach(x => x.click()); window.Blob = make; return kept; })()`); !strings.HasPrefix(saved, "<svg") {
						t.Errorf("%s saves %.60q as SVG", name, saved)
					}
					if user := b.text(`document.body.textContent.includes("<img src=x onerror=alert(") || document.body.textContent.includes("</script><b>")`); user != "true" {
						t.Errorf("%s does not show a name as it is", name)
					}
				}
			}
		}
	}
}

// lab serves the lab as a plain static server does.
func lab(t *testing.T) string {
	s := httptest.NewServer(http.FileServer(http.Dir(site)))
	t.Cleanup(s.Close)
	return s.URL + "/"
}

func (b *tab) drop(file string) {
	b.Helper()
	b.do(chromedp.SetUploadFiles("#file", []string{file}))
}

const ended = `!document.querySelector("section:not([hidden]) progress:not([hidden])") && document.querySelector("section:not([hidden]) button[type=button][disabled]")`

// sameRows compares the rows of two documents.
func sameRows(t *testing.T, what, got, want string) {
	t.Helper()
	var a, b struct{ Rows []any }
	if err := errors.Join(json.Unmarshal([]byte(got), &a), json.Unmarshal([]byte(want), &b)); err != nil || len(b.Rows) == 0 {
		t.Fatalf("%s: %d rows in the lab, %d of the terminal, %v", what, len(a.Rows), len(b.Rows), err)
	}
	if !same(a.Rows, b.Rows) {
		t.Errorf("%s: the rows are\n%v in the lab,\n%v of the terminal", what, a.Rows, b.Rows)
	}
}

// same reports whether two values of JSON are equal, numbers within 1e-12, as math.Exp of a browser may
// differ in the last bit.
func same(got, want any) bool {
	switch want := want.(type) {
	case float64:
		x, is := got.(float64)
		return is && math.Abs(x-want) <= 1e-12*math.Abs(want)
	case []any:
		list, is := got.([]any)
		return is && slices.EqualFunc(list, want, same)
	case map[string]any:
		fields, is := got.(map[string]any)
		return is && maps.EqualFunc(fields, want, same)
	}
	return got == want
}

// Each format is read in the browser, and the table is to the byte what the terminal prints.
func TestFormats(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"sacct.txt", "workloads.json", "log.csv", "log.swf"} {
		text, err := os.ReadFile(samples + name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	b := open(t, lab(t), 1200, "light")
	b.is(`window.lab && lab.tabs.whatif.text`)
	for _, name := range []string{"sacct.txt", "workloads.json", "log.csv", "log.swf"} {
		b.do(chromedp.Evaluate[chromedp.Void](`lab.tabs.whatif.text = ""`))
		b.drop(filepath.Join(dir, name))
		b.is(`lab.tabs.whatif.text`)
		if got, want := b.text(`lab.tabs.whatif.text`), command(t, "whatif", "-trace="+name); got != want {
			t.Errorf("%s: the lab has\n%s\nthe terminal\n%s", name, got, want)
		}
		sameRows(t, name, b.text(`JSON.stringify(lab.tabs.whatif.document)`), command(t, "whatif", "-format=json", "-trace="+name))
		line := b.text(`lab.tabs.whatif.document.command`)
		if again := command(t, strings.Fields(line)[1:]...); again != b.text(`lab.tabs.whatif.text`) {
			t.Errorf("%s: the copied command %q prints\n%s", name, line, again)
		}
		b.do(chromedp.Click("#tab-audit"))
		b.is(`lab.tabs.audit.text`)
		if got, want := b.text(`lab.tabs.audit.text`), command(t, "audit", name); got != want {
			t.Errorf("%s: the lab's audit has\n%s\nthe terminal's\n%s", name, got, want)
		}
		sameRows(t, name, b.text(`JSON.stringify(lab.tabs.audit.document)`), command(t, "audit", "-format=json", name))
		b.do(chromedp.Evaluate[chromedp.Void](`lab.tabs.audit.text = ""`), chromedp.Click("#tab-whatif"))
	}
	b.sound("formats", 1200, "light")
}

// Each tab answers, at two widths, light and dark.
func TestTabs(t *testing.T) {
	url := lab(t)
	for _, width := range []int64{360, 1200} {
		for _, scheme := range []string{"light", "dark"} {
			b := open(t, url, width, scheme)
			b.is(`window.lab && lab.tabs.whatif.text`)
			b.sound("whatif", width, scheme)
			b.shoot(fmt.Sprintf("lab-%d-%s", width, scheme))
			for _, name := range []string{"audit", "when", "play"} {
				b.do(chromedp.Click("#tab-" + name))
				b.is(`document.querySelector("#panel-` + name + ` .drawn svg") && ` + ended)
				if name == "when" {
					b.is(`document.querySelector("output[for=when-at]").textContent.includes("s after the first job came")`)
				}
				b.sound(name, width, scheme)
				b.shoot(fmt.Sprintf("lab-%s-%d-%s", name, width, scheme))
			}
			b.do(chromedp.Evaluate[chromedp.Void](`const s = document.getElementById("play-sigma"); s.value = 1.5; s.oninput()`))
			b.is(`document.querySelector("output[for=play-sigma]").textContent.includes("1.5") && location.hash.includes("play.sigma=1.5") && ` + ended)
			if os.Getenv("SHOTS") != "" && width == 1200 && scheme == "light" {
				time.Sleep(time.Second)
				b.shoot("lab") // the picture of README.md
			}
			b.do(chromedp.Evaluate[chromedp.Void](`const play = [...document.querySelectorAll("#panel-play button")].find(x => x.textContent == "Play"); play.click()`))
			b.is(`document.getElementById("play-time").value < 1 && [...document.querySelectorAll("#panel-play button")].some(x => x.textContent == "Pause")`)
			b.do(chromedp.Click("#tab-audit")) // Play is not drawn where it is hidden
			b.is(`document.querySelector("#panel-play").hidden`)
			time.Sleep(100 * time.Millisecond)
		}
	}
}

// A link keeps the settings; a run can be cancelled and made anew; a broken log is said as the
// terminal says it.
func TestSettings(t *testing.T) {
	url := lab(t)
	b := open(t, url+"#policies=fifo,srpt&machines=2", 1200, "light")
	b.is(`window.lab && lab.tabs.whatif.text`)
	if got := b.text(`lab.tabs.whatif.document.command`); got != "schedmath whatif -machines=2 -policies=fifo,srpt -trace=queue.csv" {
		t.Errorf("the command is %q", got)
	}
	var log strings.Builder
	log.WriteString("; MaxProcs: 128\n")
	for i := range 20000 {
		fmt.Fprintf(&log, "%d %d 5 %d %d -1 -1 %d %d -1 1 %d 1 -1 1 1 -1 -1\n", i+1, 200*i, 100+i*37%9000, 1+i*13%64, 1+i*13%64, 10000, i%40)
	}
	big, broken := filepath.Join(t.TempDir(), "big.swf"), filepath.Join(t.TempDir(), "broken.csv")
	for name, text := range map[string]string{big: log.String(), broken: "user,submit,tasks,run\nanna,0,4\n"} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	b.do(chromedp.Evaluate[chromedp.Void](`lab.tabs.whatif.text = ""`))
	b.drop(big)
	b.is(`document.querySelector("#panel-whatif progress:not([hidden])")`)
	b.do(chromedp.Evaluate[chromedp.Void](`[...document.querySelectorAll("#panel-whatif button")].find(x => x.textContent == "Cancel").click()`))
	b.is(`document.querySelector("#panel-whatif [role=status]").textContent == "Cancelled." && ` + ended)
	b.drop(broken)
	b.is(`document.querySelector("#panel-whatif .wrong")`)
	out, _ := exec.Command(program, "whatif", "-trace", broken).CombinedOutput()
	said := strings.TrimPrefix(strings.ReplaceAll(strings.TrimSpace(string(out)), broken, "broken.csv"), "schedmath whatif: ")
	if got := strings.Join(strings.Fields(b.text(`document.querySelector("#panel-whatif .wrong").textContent`)), " "); got != said {
		t.Errorf("of a broken log the lab says %q, the terminal %q", got, said)
	}
	b.do(chromedp.Evaluate[chromedp.Void](`{
		const e = new Event("drop"), folder = {name: "folder", arrayBuffer: () => Promise.reject(new Error("it is a folder"))};
		e.dataTransfer = {files: [folder]};
		dispatchEvent(e);
	}`))
	b.is(`document.getElementById("log").textContent == "folder cannot be read: it is a folder"`)
	b.do(chromedp.Evaluate[chromedp.Void](`const s = document.querySelector(".zone select"); s.value = "day"; s.onchange()`))
	b.is(`lab.tabs.whatif.text`)
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector("#panel-whatif form input[type=checkbox]").click(); document.querySelector("#panel-whatif .result fieldset input").click()`))
	b.is(`lab.state.get("policies").startsWith("ps,las,") && ![...document.querySelectorAll("#sojourns .drawn span")].some(s => s.textContent == "fifo")`)
	b.sound("settings", 1200, "light")
}

// The flags that tabs share are set in one of them and count in all; what a log lacks is said.
func TestSharedSettings(t *testing.T) {
	b := open(t, lab(t), 360, "dark")
	b.is(`window.lab && lab.tabs.whatif.text`)
	dir := t.TempDir()
	local, plain := filepath.Join(dir, "local.csv"), filepath.Join(dir, "plain.csv")
	for name, text := range map[string]string{
		local: "user,submit,tasks,run,requested,rigid,start\nanna,2026-03-01 08:00:00,4,600,900,1,2026-03-01 08:00:00\nben,2026-03-01 08:05:00,4,60,90,1,2026-03-01 08:10:00\n",
		plain: "user,submit,tasks,run\nanna,0,4,60\nben,10,1,5\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	b.do(chromedp.Click("#tab-play"))
	b.is(`document.querySelector("#panel-play .drawn svg") && ` + ended)
	b.drop(local) // shows the first tab
	b.is(`document.querySelector("#panel-whatif:not([hidden]) .wrong")?.textContent.includes("-zone")`)
	b.do(chromedp.SendKeys("#whatif-zone", "Asia/Tokyo\r"))
	b.is(`lab.tabs.whatif.document?.command == "schedmath whatif -trace=local.csv -zone=Asia/Tokyo" && ` + ended)
	b.do(chromedp.Click("#tab-audit"))
	b.is(`lab.tabs.audit.document?.command == "schedmath audit -zone=Asia/Tokyo local.csv"`)
	b.do(chromedp.Click("#tab-when"))
	b.is(`document.querySelector("output[for=when-at]")?.textContent == "2026-03-01 08:05:00 Asia/Tokyo"`) // when one waits
	b.do(chromedp.Evaluate[chromedp.Void](`const s = document.getElementById("when-at"); s.value = 0; s.oninput(); s.value = .5; s.oninput()`))
	b.is(`document.querySelector("output[for=when-at]").textContent == "2026-03-01 08:02:30 Asia/Tokyo" && location.hash.includes("at=0.5") && ` + ended)
	b.drop(plain)
	b.is(`document.querySelector("#panel-when .wrong")?.textContent.includes("jobs are rigid") && !location.hash.includes("at=")`)
	b.sound("shared settings", 360, "dark")
}

// What is printed is dark on light, with all rows, and without what only a screen has a use for.
func TestPrint(t *testing.T) {
	b := open(t, lab(t), 794, "dark") // A4
	b.is(`window.lab && lab.tabs.whatif.text`)
	if _, err := chromedp.Call(b.Context, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print", Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}}); err != nil {
		t.Fatal(err)
	}
	if wrong := b.text(`(() => {
		const wrong = [], style = getComputedStyle(document.body), light = x => x.match(/\d+/g).slice(0, 3).every(x => x > 128);
		if (!light(style.backgroundColor) || light(style.color)) wrong.push("is " + style.color + " on " + style.backgroundColor);
		for (const e of document.querySelectorAll("button, input, select, nav, progress, .zone")) if (e.getBoundingClientRect().height > 0) wrong.push("shows " + e.tagName);
		for (const e of document.querySelectorAll(".scroll")) if (e.clientHeight < e.scrollHeight) wrong.push("cuts a table");
		if (document.documentElement.scrollWidth > innerWidth || !document.querySelector(".drawn svg")) wrong.push("is " + document.documentElement.scrollWidth + " wide");
		return wrong.join("; ");
	})()`); wrong != "" {
		t.Errorf("the print %s", wrong)
	}
}

// A browser without JavaScript, or without what unpacks the lab, is told which one to take.
func TestOldBrowsers(t *testing.T) {
	file := filepath.Join(t.TempDir(), "page.html")
	command(t, "audit", "-html", file, samples+"log.swf")
	for _, c := range []struct{ url, want string }{{"file://" + file, "takes a browser of 2021 or later, with JavaScript"}, {lab(t), "takes a browser of 2023 or later"}} {
		b := open(t, "about:blank", 360, "light")
		_, err := chromedp.Call(b.Context, devtools.AddScriptToEvaluateOnNewDocument, devtools.AddScriptToEvaluateOnNewDocumentParams{Source: "delete window.DecompressionStream"})
		if strings.HasPrefix(c.url, "file:") {
			_, err = chromedp.Call(b.Context, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
		}
		if err != nil {
			t.Fatal(err)
		}
		b.do(chromedp.Navigate(c.url))
		b.is(`document.getElementById("old")?.textContent.replace(/\s+/g, " ").includes("` + c.want + `")`)
		b.sound("an old browser", 360, "light")
	}
}

// From file:// the page says which command serves it.
func TestFromFile(t *testing.T) {
	b := open(t, "file://"+filepath.Join(site, "index.html"), 360, "light")
	b.is(`document.getElementById("old").textContent.includes("schedmath lab")`)
}
