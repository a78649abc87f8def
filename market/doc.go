// Package market divides whole slots.
package market
