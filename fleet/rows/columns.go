package rows

import (
	"fmt"
	"io"
	"reflect"

	"github.com/parquet-go/parquet-go"
)

// Column is a column of a Parquet file.
type Column struct {
	Name string
	Type ColumnType
}

// ColumnType is what a column has.
type ColumnType uint8

// The types of columns.
const (
	TextColumn   ColumnType = iota // string
	NumberColumn                   // uint64
	TimeColumn                     // int64, nanoseconds since 1970
	ListColumn                     // []uint64
)

var goTypes = [...]reflect.Type{TextColumn: reflect.TypeFor[string](), NumberColumn: reflect.TypeFor[uint64](),
	TimeColumn: reflect.TypeFor[int64](), ListColumn: reflect.TypeFor[[]uint64]()}

var tagOptions = [...]string{TextColumn: ",dict,zstd", NumberColumn: ",zstd", TimeColumn: ",zstd", ListColumn: ",list,zstd"}

// structOf returns the struct type of a row with the columns.
func structOf(columns []Column) reflect.Type {
	fields := make([]reflect.StructField, len(columns))
	for i, c := range columns {
		fields[i] = reflect.StructField{Name: fmt.Sprintf("C%d", i), Type: goTypes[c.Type],
			Tag: reflect.StructTag(fmt.Sprintf("parquet:%q", c.Name+tagOptions[c.Type]))}
	}
	return reflect.StructOf(fields)
}

// WriteColumns writes n rows of the columns as a Parquet file. The function sets the values of a row.
func WriteColumns(out io.Writer, columns []Column, metadata map[string]string, n int, set func(row int, values []reflect.Value)) error {
	typ := structOf(columns)
	options := []parquet.WriterOption{parquet.SchemaOf(reflect.New(typ).Interface()), parquet.CreatedBy("trcx-fleet", "", "")}
	for name, value := range metadata {
		options = append(options, parquet.KeyValueMetadata(name, value))
	}
	w := parquet.NewWriter(out, options...)
	row := reflect.New(typ)
	values := fieldsOf(row.Elem())
	for i := range n {
		row.Elem().SetZero()
		set(i, values)
		if err := w.Write(row.Interface()); err != nil {
			return err
		}
	}
	return w.Close()
}

func fieldsOf(row reflect.Value) []reflect.Value {
	values := make([]reflect.Value, row.NumField())
	for i := range values {
		values[i] = row.Field(i)
	}
	return values
}
