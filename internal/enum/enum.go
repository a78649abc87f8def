// Package enum names the values of enumerations.
package enum

import "strconv"

// Name returns names[v], or what "Method(7)" is to the type Method if v has no name.
func Name[T ~uint8](v T, typ string, names ...string) string {
	if int(v) < len(names) {
		return names[v]
	}
	return typ + "(" + strconv.Itoa(int(v)) + ")"
}
