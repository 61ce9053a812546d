// Command sbom writes the software bill of materials of a Go program as CycloneDX JSON: sbom PROGRAM. It lists the
// modules that the linker recorded in the program, so it needs no network and cannot differ from the build.
// internal/release/release.sh runs it.
package main

import (
	"cmp"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime/debug"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "sbom:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	if len(args) != 1 {
		return fmt.Errorf("usage: sbom PROGRAM")
	}
	info, err := buildinfo.ReadFile(args[0])
	if err != nil {
		return err
	}
	encoder := json.NewEncoder(out)
	encoder.SetIndent("", "  ")
	return encoder.Encode(bill(info))
}

// document is the used part of CycloneDX 1.5.
type document struct {
	Format     string      `json:"bomFormat"`
	Version    string      `json:"specVersion"`
	Serial     int         `json:"version"`
	Metadata   metadata    `json:"metadata"`
	Components []component `json:"components"`
}

type metadata struct {
	Component component `json:"component"`
}

type component struct {
	Type    string `json:"type"`
	Name    string `json:"name"`
	Version string `json:"version"`
	Package string `json:"purl"`
}

// bill lists the modules in the order of their paths, as the linker does, after Go's standard library.
func bill(info *debug.BuildInfo) document {
	d := document{Format: "CycloneDX", Version: "1.5", Serial: 1}
	d.Metadata.Component = module("application", info.Main.Path, info.Main.Version)
	d.Components = []component{module("library", "std", info.GoVersion)}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		d.Components = append(d.Components, module("library", m.Path, m.Version))
	}
	return d
}

func module(kind, path, version string) component {
	version = cmp.Or(version, "(devel)")
	return component{kind, path, version, "pkg:golang/" + path + "@" + version}
}
