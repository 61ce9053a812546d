//go:build embedagent

package launch

import _ "embed"

// make copies the library here before it builds such a program.
//
//go:embed libtrcxagent.so
var library []byte

func init() { embedded = library }
