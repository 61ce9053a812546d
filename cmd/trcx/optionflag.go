package main

import (
	"errors"
	"strings"

	"github.com/trcx/trcx/trace"
)

// optionMetadata is the option as the library's messages name it.
const optionMetadata = "Options.Metadata"

// optionFlags has the flag of each option that the library's messages name.
var optionFlags = map[string]string{
	"Options.Limits.Depth":           "--max-depth",
	"Options.Limits.Attributes":      "--max-attributes",
	"Options.Limits.Name":            "--max-name",
	"Options.Limits.Value":           "--max-value",
	"Options.Limits.Names":           "--max-names",
	"Options.Limits.EntityExpansion": "--max-expansion",
	"Options.Open":                   "--allow-external",
	"Options.Format":                 "--from",
	optionMetadata:                   "--meta",
	"the limit of OpenInputs":        "--max-input",
}

// nameFlag returns the message with the flag in place of the option that it names; "" is no option. The last place
// counts, as the text of the input comes before it.
func nameFlag(message, option string) string {
	at := strings.LastIndex(message, option)
	if flag := optionFlags[option]; flag != "" && at >= 0 {
		return message[:at] + flag + message[at+len(option):]
	}
	return message
}

// flagged returns the finding with the flag in place of the option.
func flagged(finding trace.Finding) trace.Finding {
	finding.Message = nameFlag(finding.Message, finding.Option)
	return finding
}

// withFlag returns the error's text with the flag in place of the option.
func withFlag(err error) string {
	var named interface{ OptionName() string }
	if errors.As(err, &named) {
		return nameFlag(err.Error(), named.OptionName())
	}
	return err.Error()
}
