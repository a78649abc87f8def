// Package knn
package knn
