//go:build !js

package main

func main() { panic("the worker runs in a browser: schedmath lab builds it") }
