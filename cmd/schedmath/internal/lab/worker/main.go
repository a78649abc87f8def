//go:build js

// Command worker is what the lab runs in a worker of the browser: whatif and audit on a log that the
// page has sent. It needs nothing but the functions of JavaScript that it calls: the log comes and
// answers go as messages.
package main

import (
	"encoding/json"
	"io"
	"slices"
	"syscall/js"
	_ "time/tzdata" // a browser has no files of time zones

	"github.com/schedmath/schedmath/cmd/schedmath/internal/audit"
	"github.com/schedmath/schedmath/cmd/schedmath/internal/page"
	"github.com/schedmath/schedmath/cmd/schedmath/internal/whatif"
	"github.com/schedmath/schedmath/internal/program"
)

// A request is what the page asks for.
type request struct {
	Ask   string   // whatif, audit, when or play
	Args  []string // of the command
	At    *float64 // when, as a part of the time; nil: when most jobs wait
	Sigma float64  // play
	Seed  uint64
}

// An answer is a message to the page.
type answer struct {
	Error    string         `json:"error,omitempty"`
	Policies []string       `json:"policies,omitempty"` // that make sense for the jobs
	What     string         `json:"what,omitempty"`     // progress
	Done     int            `json:"done,omitempty"`
	Total    int            `json:"total,omitempty"`
	Document *page.Document `json:"document,omitempty"`
	Text     string         `json:"text,omitempty"` // what the terminal shows
	At       *float64       `json:"at,omitempty"`   // of a document of when
	End      bool           `json:"end,omitempty"`  // nothing follows
}

func post(a answer) {
	text, err := json.Marshal(a)
	if err != nil {
		text, _ = json.Marshal(answer{Error: err.Error(), End: true})
	}
	js.Global().Call("postMessage", string(text))
}

// progress is a stderr that the page shows.
type progress struct{ io.Writer }

func (progress) Show(what string, done, total int) {
	post(answer{What: what, Done: done, Total: total})
}

// queue is that of the log for the arguments that were given last; nil: there is none.
var (
	queue *whatif.Queue
	given []string
)

// do answers a request.
func do(r request) (a answer, err error) {
	bar := progress{io.Discard}
	switch r.Ask {
	case "whatif":
		watch, err := whatif.Start(r.Args, bar)
		if err != nil {
			return a, err
		}
		post(answer{Policies: watch.All})
		return a, watch.Replay(func(d *page.Document, text string) { post(answer{Document: d, Text: text}) })
	case "audit":
		a.Document, a.Text, err = audit.Audit(r.Args)
	case "when":
		if queue == nil || !slices.Equal(r.Args, given) {
			if queue, err = whatif.Foretell(r.Args, bar); err != nil {
				return a, err
			}
			given = r.Args
		}
		if a.At = r.At; a.At == nil {
			longest := queue.Longest()
			a.At = &longest
		}
		a.Document, err = queue.At(*a.At)
	case "play":
		a.Document, err = whatif.Play(r.Sigma, r.Seed)
	}
	return a, err
}

func main() {
	js.Global().Set("attach", js.FuncOf(func(_ js.Value, args []js.Value) any {
		text := make([]byte, args[1].Length())
		js.CopyBytesToGo(text, args[1])
		program.Attach(args[0].String(), text)
		queue = nil
		return nil
	}))
	js.Global().Set("ask", js.FuncOf(func(_ js.Value, args []js.Value) any {
		var r request
		err := json.Unmarshal([]byte(args[0].String()), &r)
		var a answer
		if err == nil {
			a, err = do(r)
		}
		if err != nil {
			a = answer{Error: err.Error()}
		}
		a.End = true
		post(a)
		return nil
	}))
	js.Global().Call("postMessage", `{"ready":true}`)
	select {}
}
