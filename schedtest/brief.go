package schedtest

import (
	"fmt"
	"slices"
	"strings"
)

const (
	columns = 100
	longest = 560 // characters of a message, line ends aside
)

// brief returns a message, a law with a story of steps below it, in lines of at most 100 columns
// and under 600 characters: steps in a row that are equal become one, and of a long story the
// middle is left out. Who runs the case again can see all of it.
func brief(message string) string {
	law, story, _ := strings.Cut(message, "\n")
	var steps []string
	for list := strings.Split(strings.TrimSuffix(story, "; "), "; "); len(list) > 0; {
		n := slices.IndexFunc(list, func(s string) bool { return s != list[0] })
		if n < 0 {
			n = len(list)
		}
		step := list[0]
		if n > 1 {
			step = fmt.Sprintf("%s, %d times", step, n)
		}
		steps, list = append(steps, step), list[n:]
	}
	left := steps
	for from, to := len(steps)/2, len(steps)/2; len(law)+len(strings.Join(left, "; ")) > longest && (from > 0 || to < len(steps)); {
		if from > 0 && len(steps)-to < 2*from { // the end tells more than the begin
			from--
		} else {
			to++
		}
		left = slices.Concat(steps[:from], []string{fmt.Sprintf("[%d steps left out]", to-from)}, steps[to:])
	}
	return wrap(law) + "\n" + wrap(strings.Join(left, "; "))
}

// wrap breaks a text between words into lines of at most 100 columns.
func wrap(text string) string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len(line)+1+len(word) > columns {
			lines = append(lines, line)
			line = word
		} else {
			line = strings.TrimPrefix(line+" "+word, " ")
		}
	}
	return strings.Join(append(lines, line), "\n")
}
