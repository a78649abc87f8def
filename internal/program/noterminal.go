//go:build !(linux || darwin || freebsd || netbsd || dragonfly)

package program

import "io"

// columns is 0 where no width of a terminal can be asked for: progress is shown in lines.
func columns(io.Writer) int { return 0 }
