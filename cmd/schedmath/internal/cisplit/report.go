package cisplit

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/schedmath/schedmath/internal/program"
)

// What a report may have, so that a packed one of a few bytes does not take all memory.
const (
	mostToken = 1 << 24 // bytes of a line, or of a tag or a text of XML
	mostDepth = 1000    // of elements
	mostTests = 1 << 20
)

// read returns the seconds of each class of a JUnit report, or each package of one of go test -json.
func read(name string, most int64) (map[string]float64, error) {
	text, err := open(name, most)
	if err != nil {
		return nil, err
	}
	defer text.Close()
	seconds := map[string]float64{}
	add := func(test string, t float64) error {
		if all := seconds[test] + t; !(t >= 0 && all <= mostSeconds) {
			return fmt.Errorf("%s takes %v s, %v s in all, want 0 to %v", test, t, all, mostSeconds)
		}
		if seconds[test] += t; len(seconds) > mostTests {
			return fmt.Errorf("there are more than %d tests", mostTests)
		}
		return valid(test)
	}
	first, line := text.skipBlanks()
	if first == '<' {
		line, err = text.junit(line, add)
	} else {
		line, err = text.goTest(line, add)
	}
	if err != nil {
		return nil, program.Usagef("%s, line %d: %v", name, line, err)
	}
	if len(seconds) == 0 {
		return nil, program.Usagef("%s: no tests in it", name)
	}
	return seconds, nil
}

// text is a file, unpacked if it is compressed, without its byte order mark.
type text struct {
	*bufio.Reader
	io.Closer
	limit *limit
}

// limit passes on so many bytes at most, of them so many until token is set anew.
type limit struct {
	r           io.Reader
	left, token int64
	most        int64
}

func (l *limit) Read(p []byte) (int, error) {
	switch {
	case l.left < 0:
		return 0, fmt.Errorf("unpacked it has more than %d bytes: -max-bytes raises the limit", l.most)
	case l.token <= 0:
		return 0, fmt.Errorf("a tag or a text is longer than %d bytes", mostToken)
	}
	if int64(len(p)) > l.left {
		p = p[:l.left+1]
	}
	n, err := l.r.Read(p)
	l.left, l.token = l.left-int64(n), l.token-int64(n)
	return n, err
}

func open(name string, most int64) (*text, error) {
	in, err := program.Open(name)
	if err != nil {
		return nil, err
	}
	t, err := unpack(in, most)
	if err != nil {
		in.Close()
		return nil, program.Usagef("%s: %v", name, err)
	}
	return t, nil
}

func unpack(in io.ReadCloser, most int64) (*text, error) {
	packed := bufio.NewReader(in)
	l := &limit{r: packed, left: most, token: mostToken, most: most}
	if head, _ := packed.Peek(2); string(head) == "\x1f\x8b" {
		var err error
		if l.r, err = gzip.NewReader(packed); err != nil {
			return nil, err
		}
	}
	t := &text{bufio.NewReader(l), in, l}
	const mark = "\ufeff"
	if head, _ := t.Peek(len(mark)); string(head) == mark {
		t.Discard(len(mark))
	}
	return t, nil
}

// skipBlanks skips blanks and returns what stands behind them, 0 at the end, and its line.
func (t *text) skipBlanks() (first byte, line int) {
	for line = 1; ; {
		switch c, err := t.ReadByte(); {
		case err != nil:
			return 0, line
		case c == '\n':
			line++
		case c != ' ' && c != '\t' && c != '\r':
			t.UnreadByte()
			return c, line
		}
		t.limit.token = mostToken
	}
}

// grouped is a time as Surefire writes it, which has a comma after each thousand.
var grouped = regexp.MustCompile(`^\d{1,3}(,\d{3})+(\.\d+)?$`)

// junit adds the time of each testcase, however deep its testsuite lies; one without a time takes
// none. It returns the line of an error.
func (t *text) junit(line int, add func(class string, seconds float64) error) (int, error) {
	d := xml.NewDecoder(t.Reader)
	d.CharsetReader = func(string, io.Reader) (io.Reader, error) { return nil, errors.New("want UTF-8") }
	above := line - 1
	for depth := 0; ; {
		t.limit.token = mostToken
		token, err := d.Token()
		line, _ := d.InputPos()
		line += above
		if errors.Is(err, io.EOF) {
			return 0, nil
		}
		if err != nil {
			return line, err
		}
		if _, ends := token.(xml.EndElement); ends {
			depth--
		}
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		if depth++; depth > mostDepth {
			return line, fmt.Errorf("elements lie within each other more than %d deep", mostDepth)
		}
		if e.Name.Local != "testcase" {
			continue
		}
		class, seconds := "", 0.0
		for _, a := range e.Attr {
			switch a.Name.Local {
			case "classname":
				class = a.Value
			case "time":
				number := a.Value
				if grouped.MatchString(number) {
					number = strings.ReplaceAll(number, ",", "")
				}
				if seconds, err = strconv.ParseFloat(number, 64); err != nil {
					return line, fmt.Errorf("the time %q is no number", a.Value)
				}
			}
		}
		if class == "" {
			return line, errors.New("a testcase without a classname: classes are what is divided")
		}
		if err := add(class, seconds); err != nil {
			return line, err
		}
	}
}

// goTest adds the time of each package that has passed or failed, an event a line.
func (t *text) goTest(line int, add func(pkg string, seconds float64) error) (int, error) {
	for s := t.lines(); ; line++ {
		more := s.Scan()
		if err := failed(s); err != nil || !more { // behind a part of a line, too
			return line, err
		}
		if len(bytes.TrimSpace(s.Bytes())) == 0 {
			continue
		}
		var event struct {
			Action, Package, Test string
			Elapsed               float64
		}
		err := json.Unmarshal(s.Bytes(), &event)
		if err != nil {
			err = fmt.Errorf("want an event of go test -json: %w", err)
		} else if event.Test == "" && (event.Action == "pass" || event.Action == "fail") {
			err = add(event.Package, event.Elapsed)
		}
		if err != nil {
			return line, err
		}
	}
}

// lines are the lines of the text.
func (t *text) lines() *bufio.Scanner {
	s := bufio.NewScanner(t.Reader)
	s.Buffer(nil, mostToken)
	t.limit.token = math.MaxInt64 // the scanner has a limit of its own
	return s
}

// failed is why lines ended before the text.
func failed(s *bufio.Scanner) error {
	if errors.Is(s.Err(), bufio.ErrTooLong) {
		return fmt.Errorf("a line is longer than %d bytes", mostToken)
	}
	return s.Err()
}
