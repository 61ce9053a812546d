// Package rows defines what a fleet's traces are summed up in: rows with a key, which merge in any order and grouping
// with the same result.
//
// A Row is one Key with its Value. Set merges rows, Key.AppendKey and Value.AppendValue make their canonical binary
// form, and WriteParquet and ReadParquet their files, sorted by key. Lengths are in nanoseconds, times nanoseconds
// since 1970.
//
//	row.go        Key, Value, Row and their order
//	set.go        Set, which merges rows
//	binary.go     the canonical binary form
//	columns.go    tables of columns as Parquet files
//	parquet.go    rows as Parquet files
package rows
