// Package options reads what the agent is told: the text behind the = of -agentpath:libtrcxagent.so=…, in a short form
// of our own or in that of TPTP's JPIAgent, and the files that it names.
//
// The short form is a list: file=app.trcxml,stack-depth=8,no-owner. A comma or a backslash in a value stands behind a
// backslash. TPTP's form is JPIAgent:server=standalone,file=app.trcxml;ThreadProf:contanalysis=true. What either may
// hold stands in tables (table.go), and so does the help.
//
// Walk: Parse looks at the text alone and opens nothing; ReadFiles then reads the files, and Path says where they are.
// agent/native acts by the Options, agent/output opens their Output, agent/drain writes Echo and Filters into the
// trace, and `trcx record` builds the text of an agent with String.
package options
