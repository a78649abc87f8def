package main

import (
	"testing"

	"github.com/schedmath/schedmath/examples/kubescheduler/looptest"
)

func TestLoop(t *testing.T) { looptest.All(t, "config.yaml", newPlugin) }
