// Package options parses the agent's options: the text after the = of -agentpath:libtrcxagent.so=…, in a short form or
// in the form of TPTP's JPIAgent, and the files that it names.
//
// The short form is a list: file=app.trcxml,stack-depth=8,no-owner. In a value, a comma or a backslash is written after
// a backslash. TPTP's form is JPIAgent:server=standalone,file=app.trcxml;ThreadProf:contanalysis=true. The options of
// both are in tables (tptp.go), from which the help is written, too.
//
// Parse opens no file; ReadFiles then reads the files, and Path returns where they are. agent/native acts by the
// Options, agent/record opens their Output and writes Echo and Filters to the trace, and cmd/trcx builds the text for
// an agent with String.
package options
