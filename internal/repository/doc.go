// Package repository has the tests of the repository itself: the arrows between packages, the names
// that others can use and the grammar of them, and that what the pages say and name is there. A test
// that needs the programs under examples/ is skipped where those are missing, as in a module's zip.
package repository
