package slurm

import (
	"fmt"
	"strconv"
	"strings"
)

// Hosts are the nodes of a list such as n[1-3,05]-ib,m7.
func Hosts(list string) (names []string) {
	for list != "" && len(names) < mostHosts {
		end, open := 0, false
		for ; end < len(list) && (open || list[end] != ','); end++ {
			open = list[end] == '[' || open && list[end] != ']'
		}
		names = append(names, hosts(list[:end])...)
		list = strings.TrimPrefix(list[end:], ",")
	}
	return names
}

// A list may have mostHosts nodes or so, the rest is left out; a name has mostRanges ranges, and numbers
// of mostDigits.
const mostHosts, mostRanges, mostDigits = 1 << 16, 8, 10

// hosts are the nodes of a name such as r[1-2]n[01-16].
func hosts(name string) (names []string) {
	before, ranges, ranged := strings.Cut(name, "[")
	if !ranged {
		return []string{name}
	}
	ranges, after, ended := strings.Cut(ranges, "]")
	if !ended || strings.Count(after, "[") >= mostRanges {
		return nil
	}
	ends := hosts(after)
	for part := range strings.SplitSeq(ranges, ",") {
		first, last, several := strings.Cut(part, "-")
		if !several {
			last = first
		}
		a, err := strconv.ParseUint(first, 10, 31)
		b, bad := strconv.ParseUint(last, 10, 31)
		for i := a; err == nil && bad == nil && len(first) <= mostDigits && i <= b && len(ends) > 0 && len(names) < mostHosts; i++ {
			for _, end := range ends {
				names = append(names, fmt.Sprintf("%s%0*d%s", before, len(first), i, end))
			}
		}
	}
	return names
}
