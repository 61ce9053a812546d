package main

import (
	"bytes"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// measurement is the cost of one run of a command.
type measurement struct {
	wall time.Duration // or CPU time
	peak int64         // bytes of resident memory; 0 if unknown
}

// inTurn runs both commands once to warm up, then alternately. With cpu a time is the CPU time of the process.
func inTurn(a, b []string, rounds int, cpu bool) (runsA, runsB []measurement, err error) {
	for round := range rounds + 1 {
		ofA, err := measure(a, cpu)
		if err != nil {
			return nil, nil, err
		}
		ofB, err := measure(b, cpu)
		if err != nil {
			return nil, nil, err
		}
		if round > 0 {
			runsA, runsB = append(runsA, ofA), append(runsB, ofB)
		}
	}
	return runsA, runsB, nil
}

func measure(command []string, cpu bool) (measurement, error) {
	var stderr bytes.Buffer
	c := exec.Command(command[0], command[1:]...)
	c.Stderr = &stderr
	begin := time.Now()
	err := c.Run()
	wall := time.Since(begin)
	if err != nil {
		return measurement{}, fmt.Errorf("%s: %w\n%s", strings.Join(command, " "), err, bytes.TrimSpace(stderr.Bytes()))
	}
	if cpu {
		wall = c.ProcessState.UserTime() + c.ProcessState.SystemTime()
	}
	return measurement{wall, peakMemory(c.ProcessState)}, nil
}
