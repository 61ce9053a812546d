package options

import (
	"errors"
	"fmt"
	"strings"

	"github.com/trcx/trcx/internal/sanitize"
)

// isTPTP reports whether the text is in TPTP's form, or seems meant to be.
func isTPTP(text string) bool {
	name := sectionName(split(text, ';')[0])
	return strings.HasPrefix(strings.ToUpper(name), "JPI") || profilers[name] != nil || name == cgProf
}

func sectionName(section string) string {
	name, _, _ := strings.Cut(section, ":")
	return strings.TrimSpace(name)
}

// profilers are TPTP's profilers. With HeapProf, allocations are recorded in addition to threads and monitors.
var profilers = map[string]*syntax{threadProf.of: &threadProf, heapProf.of: &heapProf}

// cgProf is TPTP's profiler that is not supported: it recorded method calls.
const cgProf = "CGProf"

// parseTPTP parses JPIAgent[:option,…];ThreadProf[:option,…];HeapProf[:option,…].
func (o *Options) parseTPTP(text string) error {
	o.Contanalysis = false
	sections := split(strings.TrimSuffix(text, ";"), ';')
	if name := sectionName(sections[0]); name != jpiAgent.of {
		return fmt.Errorf("TPTP's form begins with JPIAgent, not %s: JPIAgent:server=standalone,file=PATH;ThreadProf",
			sanitize.Quote(name))
	}
	if err := jpiAgent.parseSection(o, sections[0]); err != nil {
		return err
	}
	if profilers := sections[1:]; len(profilers) > 0 {
		return o.parseProfilers(profilers)
	}
	if o.Help {
		return nil
	}
	return errors.New(
		"JPIAgent has no profiler: add ;ThreadProf or ;HeapProf (the ; must be quoted, or the shell ends the " +
			"command there)")
}

// parseProfilers parses the sections after JPIAgent's, each for another profiler.
func (o *Options) parseProfilers(sections []string) error {
	given := map[string]bool{}
	for _, section := range sections {
		name := sectionName(section)
		switch {
		case name == cgProf:
			return errors.New(
				"CGProf is not supported: trcx does not record method calls; it records threads, monitors and " +
					"contention, ThreadProf, and the heap, HeapProf")
		case profilers[name] == nil:
			return fmt.Errorf("there is no profiler %s, only ThreadProf and HeapProf", sanitize.Quote(name))
		case given[name]:
			return fmt.Errorf("%s is given twice", name)
		}
		given[name] = true
		if name == heapProf.of {
			o.Heap = Sampled
		}
		if err := profilers[name].parseSection(o, section); err != nil {
			return err
		}
	}
	return nil
}

// parseSection parses a section: a name and, after a colon, options.
func (f *syntax) parseSection(o *Options, section string) error {
	_, list, _ := strings.Cut(section, ":")
	return f.parse(o, strings.TrimSpace(list))
}

// setServer accepts the mode without an agent controller.
func setServer(_ *Options, value string) error {
	switch value {
	case "standalone":
		return nil
	case "enabled", "controlled":
		return errors.New("an agent controller is not supported; write server=standalone and record to a file, " +
			"attach to a running JVM with trcx attach PID, or send to trcx listen with tcp=HOST:PORT")
	}
	return errors.New("want standalone")
}

// setFormat accepts the only format.
func setFormat(_ *Options, value string) error {
	switch value {
	case "xml":
		return nil
	case "binary":
		return errors.New("traces are written as XML; for a small one name a file that ends in .zst or .gz")
	}
	return errors.New("want xml")
}
