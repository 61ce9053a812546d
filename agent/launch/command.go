package launch

import "strings"

// Arguments returns the program's arguments after the option that loads the agent and further flags for the JVM.
func (p Program) Arguments(library, options string, flags, arguments []string) []string {
	all := []string{"-agentpath:" + library + "=" + options}
	all = append(all, flags...)
	if p.Launcher == Tool {
		for i := range all {
			all[i] = "-J" + all[i]
		}
	}
	return append(all, arguments...)
}

// toolOptions is the environment variable with options for every JVM.
const toolOptions = "JAVA_TOOL_OPTIONS"

// Environment returns the environment in which every JVM loads the agent, also in child processes: the given one, with
// the agent appended to JAVA_TOOL_OPTIONS.
func Environment(environ []string, library, options string) []string {
	load := quote("-agentpath:" + library + "=" + options)
	changed := make([]string, 0, len(environ)+1)
	for _, variable := range environ {
		if before, found := strings.CutPrefix(variable, toolOptions+"="); found {
			load = strings.TrimSpace(before + " " + load)
			continue
		}
		changed = append(changed, variable)
	}
	return append(changed, toolOptions+"="+load)
}

// quote returns the text as one option for the JVM, which splits at blanks outside of quotes and knows no escapes.
func quote(text string) string {
	var quoted strings.Builder
	for text != "" {
		with := `"`
		if text[0] == '"' {
			with = `'`
		}
		end := strings.Index(text, with)
		if end < 0 {
			end = len(text)
		}
		quoted.WriteString(with + text[:end] + with)
		text = text[end:]
	}
	return quoted.String()
}
