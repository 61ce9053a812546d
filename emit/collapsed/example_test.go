package collapsed_test

import (
	"context"
	"log"
	"os"

	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/emit/collapsed"
	"github.com/trcx/trcx/trace"
)

// A Writer writes a line for each call stack at which threads were blocked, with the time in nanoseconds.
func ExampleNewWriter() {
	file, err := os.Open("../../testdata/recorded/warehouse-stacks-jdk25.trcxml")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	writer := collapsed.NewWriter(os.Stdout, collapsed.Options{})
	records := convert.Model(context.Background(), file, convert.Options{})
	if err := trace.Copy(writer, records); err != nil {
		log.Fatal(err)
	}
	if err := writer.Close(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// picker-1;java/lang/Thread.run;java/lang/Thread.runWith;Warehouse$Picker.run;Warehouse$Picker.atShelf 279564001
	// picker-2;java/lang/Thread.run;java/lang/Thread.runWith;Warehouse$Picker.run;Warehouse$Picker.atShelf 270992591
	// picker-3;java/lang/Thread.run;java/lang/Thread.runWith;Warehouse$Picker.run;Warehouse$Picker.atShelf 283658798
}
