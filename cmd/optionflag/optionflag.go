// Package optionflag names the flags of trcx for the options of the library, which errors and findings name.
package optionflag

import (
	"errors"
	"strings"

	"github.com/trcx/trcx/trace"
)

// Metadata is the option for the file with metadata, as the library's messages name it.
const Metadata = "Options.Metadata"

// OfSave is before a flag in a program that has no such flags: trcx has them, and what it saves is an input, too.
const OfSave = "trcx stats --save with "

// flags maps the options that the library's messages name to their flags.
var flags = map[string]string{
	"Options.Limits.Depth":           "--max-depth",
	"Options.Limits.Attributes":      "--max-attributes",
	"Options.Limits.Name":            "--max-name",
	"Options.Limits.Value":           "--max-value",
	"Options.Limits.Names":           "--max-names",
	"Options.Limits.EntityExpansion": "--max-expansion",
	"Options.Open":                   "--allow-external",
	"Options.Format":                 "--from",
	Metadata:                         "--meta",
	"the limit of OpenInputs":        "--max-input",
	"validate.Rules":                 "--explain all",
}

// Of returns the flag for the option; "" for none.
func Of(option string) string { return flags[option] }

// name replaces an option in the message by its flag, with the text before that. It replaces the last occurrence, as
// the input's text comes before it.
func name(message, option, before string) string {
	at := strings.LastIndex(message, option)
	if flag := flags[option]; flag != "" && at >= 0 {
		return message[:at] + before + flag + message[at+len(option):]
	}
	return message
}

// InFinding returns the finding with the flag in place of the option that it names. A program without such flags says
// in before which command has them.
func InFinding(finding trace.Finding, before string) trace.Finding {
	finding.Message = name(finding.Message, finding.Option, before)
	return finding
}

// InError returns the error's text, likewise.
func InError(err error, before string) string {
	var named interface{ OptionName() string }
	if errors.As(err, &named) {
		return name(err.Error(), named.OptionName(), before)
	}
	return err.Error()
}
