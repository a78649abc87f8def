// Package kdtree finds the nearest of a fixed set of points, for packages knn and lof.
//
// Coordinates are finite. Their differences are 0 or have a magnitude in [2^-500, 2^500]: then no
// square vanishes, and no sum of squares overflows in up to 2^20 dimensions. A caller whose data
// may lie outside multiplies by a power of two first. Outside, a squared distance may come out as 0
// or +Inf and its order by index alone; nothing panics and no NaN arises.
//
// A squared distance is the sum over the coordinates, first to last, of the squared differences,
// each operation rounded: a plain loop gives the same to the bit, on every machine.
package kdtree
