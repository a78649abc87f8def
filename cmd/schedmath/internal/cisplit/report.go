package cisplit

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/schedmath/schedmath/internal/program"
)

// read returns the seconds of each class of a JUnit report, or each package of one of go test -json.
func read(name string) (map[string]float64, error) {
	text, err := contents(name)
	if err != nil {
		return nil, err
	}
	seconds := map[string]float64{}
	add := func(test string, t float64) error {
		if !(t >= 0 && t <= math.MaxFloat64) {
			return fmt.Errorf("%s takes %v s, want a number >= 0", test, t)
		}
		seconds[test] += t
		return valid(test)
	}
	of := goTest
	if bytes.HasPrefix(bytes.TrimLeft(text, "\ufeff \t\r\n"), []byte("<")) {
		of = junit
	}
	if line, err := of(text, add); err != nil {
		return nil, program.Usagef("%s, line %d: %v", name, line, err)
	}
	if len(seconds) == 0 {
		return nil, program.Usagef("%s: no tests in it", name)
	}
	return seconds, nil
}

// contents is a file, unpacked if it is compressed.
func contents(name string) ([]byte, error) {
	in, err := program.Open(name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	text, err := io.ReadAll(in)
	if err != nil || !bytes.HasPrefix(text, []byte("\x1f\x8b")) {
		return text, err
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(text))
	if err == nil {
		text, err = io.ReadAll(unpacked)
	}
	if err != nil {
		return nil, program.Usagef("%s: %v", name, err)
	}
	return text, nil
}

// junit adds the time of each testcase, however deep its testsuite lies; one without a time takes
// none. It returns the line of an error.
func junit(text []byte, add func(class string, seconds float64) error) (line int, err error) {
	d := xml.NewDecoder(bytes.NewReader(text))
	for {
		token, err := d.Token()
		line, _ := d.InputPos()
		if errors.Is(err, io.EOF) {
			return 0, nil
		}
		if err != nil {
			return line, err
		}
		e, ok := token.(xml.StartElement)
		if !ok || e.Name.Local != "testcase" {
			continue
		}
		class, seconds := "", 0.0
		for _, a := range e.Attr {
			switch a.Name.Local {
			case "classname":
				class = a.Value
			case "time":
				if seconds, err = strconv.ParseFloat(a.Value, 64); err != nil {
					return line, fmt.Errorf("the time %q is no number", a.Value)
				}
			}
		}
		if err := add(class, seconds); err != nil {
			return line, err
		}
	}
}

// goTest adds the time of each package that has passed or failed.
func goTest(text []byte, add func(pkg string, seconds float64) error) (line int, err error) {
	for d := json.NewDecoder(bytes.NewReader(text)); d.More(); {
		var event struct {
			Action, Package, Test string
			Elapsed               float64
		}
		err := d.Decode(&event)
		if err == nil && event.Test == "" && (event.Action == "pass" || event.Action == "fail") {
			err = add(event.Package, event.Elapsed)
		}
		if err != nil {
			return 1 + bytes.Count(text[:d.InputOffset()], []byte("\n")), err
		}
	}
	return 0, nil
}
