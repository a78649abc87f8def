package papers

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// looks is a document that shows a page at the widths of a phone and of a desk, light and dark, and
// writes what is wrong with it into its <output>.
const looks = `<!DOCTYPE html><html><body><output></output><script>
const page = PAGE, frames = [], wrong = [];
for (const width of [390, 1280]) for (const scheme of ["light", "dark"]) {
  const f = document.createElement("iframe");
  f.style = "width:" + width + "px;height:800px;border:0;color-scheme:" + scheme;
  f.srcdoc = page;
  document.body.append(f);
  frames.push({f, width, scheme});
}
function judge(d, w, scheme, say) {
  const one = s => d.querySelector(s), all = s => [...d.querySelectorAll(s)], shown = e => e.getBoundingClientRect().height > 0;
  if (w.matchMedia("(prefers-color-scheme: dark)").matches != (scheme == "dark")) say("the browser does not show it so");
  if (d.documentElement.scrollWidth > w.innerWidth) say("is " + d.documentElement.scrollWidth + " pixels wide");
  for (const e of all("h1, h2, h3, p, li, dd, summary, figcaption, .tally"))
    if (shown(e) && !e.closest(".scroll") && e.getBoundingClientRect().right > w.innerWidth) say("cuts " + e.textContent.trim().slice(0, 60));
  const dark = w.getComputedStyle(d.body).backgroundColor.match(/\d+/g).slice(0, 3).every(x => x < 128);
  if (dark != (scheme == "dark")) say("has the background of the other scheme");
  const pictures = all("svg");
  if (pictures.length == 0) say("has no pictures");
  for (const e of pictures) {
    const box = e.getBoundingClientRect();
    if (!(box.width > 0 && box.height > 0)) say("lacks the picture " + e.getAttribute("aria-label"));
  }
  if (!one(".claims, .gallery")) return;
  one("#failing").click();
  for (const e of all("article")) if (shown(e) != !!e.querySelector(".claims .no")) say("of what does not hold alone, shows or hides " + e.id);
  for (const e of all(".claims li")) if (shown(e) && !e.matches(".no")) say("of what does not hold alone, shows " + e.textContent.trim().slice(0, 60));
  for (const e of all(".gallery li")) if (shown(e) == e.matches(".fine")) say("of what does not hold alone, shows or hides " + e.textContent.trim().slice(0, 60));
}
window.onload = () => {
  for (const {f, width, scheme} of frames) {
    judge(f.contentDocument, f.contentWindow, scheme, s => wrong.push("at " + width + " pixels, " + scheme + ": " + s));
    f.remove();
  }
  document.querySelector("script").remove();
  document.querySelector("output").textContent = wrong.join("\n") || "fine";
};
</script></body></html>`

// InBrowser opens a page in a browser without a window, at two widths, light and dark: nothing may
// be cut, no picture missing, and the filter of claims shows what does not hold. It needs Chromium or Chrome
// in PATH and tests nothing where there is none.
func InBrowser(t *testing.T, page string) {
	t.Helper()
	browser := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if path, err := exec.LookPath(name); err == nil && browser == "" {
			browser = path
		}
	}
	if browser == "" {
		t.Log("the page was not opened: there is no chromium and no google-chrome in PATH")
		return
	}
	text, err := json.Marshal(page)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	name := filepath.Join(dir, "looks.html")
	if err := os.WriteFile(name, []byte(strings.Replace(looks, "PAGE", string(text), 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), 3*time.Minute)
	defer stop()
	var errs bytes.Buffer
	c := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--user-data-dir="+filepath.Join(dir, "profile"),
		"--dump-dom", "file://"+filepath.ToSlash(name))
	c.Stderr, c.WaitDelay = &errs, time.Second
	out, err := c.Output()
	_, result, _ := strings.Cut(string(out), "<output>")
	result, _, found := strings.Cut(result, "</output>")
	if err != nil || !found || result == "" {
		t.Fatalf("%s gave %v and the document %.300q; stderr: %.600s", browser, err, out, errs.String())
	}
	if result != "fine" {
		t.Errorf("the page\n%s", result)
	}
}
