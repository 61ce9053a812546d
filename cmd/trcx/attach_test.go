package main

import (
	"os"
	"regexp"
	"strconv"
	"testing"
)

// TestAnswers proves that every status that the agent returns to who attaches it is known here, and no other.
func TestAnswers(t *testing.T) {
	header, err := os.ReadFile("../../agent/native/agent.h")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`(ATTACH_\w+) = (\d+),`).FindAllStringSubmatch(string(header), -1)
	if len(found) != len(answers) {
		t.Errorf("agent.h has %d statuses, and there are words for %d", len(found), len(answers))
	}
	for _, status := range found {
		if code, _ := strconv.Atoi(status[2]); answers[code] == "" {
			t.Errorf("there are no words for %s = %d", status[1], code)
		}
	}
}
