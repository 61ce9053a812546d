package validate

import "github.com/trcx/trcx/trace"

var damagedInput = &Rule{
	ID: "damaged-input", Severity: trace.Error, Layer: Input,
	Summary: "compressed data is damaged, or cut off; what comes before is used",
	Explanation: `The gzip, zstd or zip data breaks off, or its checksum is wrong. All text up to that point
was read and checked.

Usually the copy was interrupted, the disk was full, or the recording program was killed. Copy the file again;
if the original is damaged, too, the rest is lost.`,
}
