package ringtest

import "golang.org/x/sys/unix"

// reserve maps memory; a page is allocated by the first write to it.
func reserve(size int) ([]byte, error) {
	return unix.Mmap(-1, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_NORESERVE)
}

func release(memory []byte) { unix.Munmap(memory) }
