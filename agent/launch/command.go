package launch

import "strings"

// Arguments are the arguments of the program, with the agent loaded before anything else.
func (p Program) Arguments(library, options string, arguments []string) []string {
	load := "-agentpath:" + library + "=" + options
	if p.Launcher == Tool {
		load = "-J" + load
	}
	return append([]string{load}, arguments...)
}

// toolOptions is the variable by which every JVM can be given options.
const toolOptions = "JAVA_TOOL_OPTIONS"

// Environment is the environment in which every JVM loads the agent, also those that are started by others: the given
// one, with the agent added to what stands in JAVA_TOOL_OPTIONS already.
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

// quote makes the JVM take the text as one option: it splits at blanks that do not stand between quotes, and knows no
// escapes.
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
