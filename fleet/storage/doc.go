// Package storage lists, reads and writes files on this machine and in the buckets of clouds.
//
// Names with gs:// and s3:// are objects; Apache Beam's file systems read and write them, with the usual credentials of
// these clouds. All other names are files of this machine.
package storage
