package main

import (
	"archive/zip"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/trcx/trcx/agent/bci"
	"github.com/trcx/trcx/analyze/methods"
	"github.com/trcx/trcx/trace/javaname"
)

// maxClass limits the bytes of a class file.
const maxClass = 64 << 20

// declaredMethods returns the methods with code of all class files in a jar or a folder; with synthetic, also those
// that the compiler added. It also returns the class files that cannot be read.
func declaredMethods(name string, synthetic bool) (declared []methods.Declared, bad []string, err error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, nil, bare(err)
	}
	files := os.DirFS(name)
	if !info.IsDir() {
		jar, err := zip.OpenReader(name)
		if err != nil {
			return nil, nil, fmt.Errorf("neither a folder nor a jar: %w", bare(err))
		}
		defer jar.Close()
		files = jar
	}
	declared = []methods.Declared{}
	err = fs.WalkDir(files, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".class") || strings.HasPrefix(path, "META-INF/") {
			return err
		}
		found, err := methodsOfClass(files, path, synthetic)
		if err != nil {
			bad = append(bad, path+": "+err.Error())
		}
		declared = append(declared, found...)
		return nil
	})
	return declared, bad, err
}

// methodsOfClass returns the methods of a class file.
func methodsOfClass(files fs.FS, path string, synthetic bool) (declared []methods.Declared, err error) {
	file, err := files.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxClass))
	if err != nil {
		return nil, err
	}
	class, found, err := bci.Methods(data)
	for _, m := range found {
		if m.HasCode && (synthetic || !m.Synthetic) {
			declared = append(declared, methods.Declared{Class: strings.ReplaceAll(class, "/", "."),
				Name: javaname.TraceMethod(m.Name), Signature: m.Descriptor})
		}
	}
	return declared, err
}
