// Package numbers is what programs do with the numbers that they find: means, quantiles and
// intervals over repetitions, tables of them, and numbers as words for people.
package numbers
