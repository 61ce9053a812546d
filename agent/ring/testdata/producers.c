// Threads that publish numbered records by agent/native/ring.c, into the segment of descriptor 3.
//
//   producers THREADS RECORDS
//
// The object of a record is its number, and its payload has size_of bytes of that number. Threads publish in bursts.
// After a burst, all wait for a byte or the end of the standard input. At its end each thread prints its number, how
// many records it has published, and how many were dropped.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../native/ring.h"

enum { BURST = 20000 };

static int64_t records;
static pthread_barrier_t all;

// size_of is small for most records, and the largest for some.
static size_t size_of(int64_t number) {
	return number % 1000 == 999 ? MAX_PAYLOAD : number % 7 == 0 ? 0 : (size_t)(number * 31 % 300);
}

static void *publish(void *argument) {
	int64_t thread = (int64_t)(intptr_t)argument, dropped = 0;
	unsigned char payload[MAX_PAYLOAD];
	for (int64_t n = 0; n < records; n++) {
		struct record record = {.kind = CALL_NOTIFY, .thread = thread, .time = ring_begin(), .object = n};
		record.payload = payload;
		record.payload_size = size_of(n);
		memset(payload, (int)(n & 0xFF), record.payload_size);
		dropped += !ring_publish(&record);
		ring_end();
		if (n % BURST == BURST - 1) {
			char c;
			if (pthread_barrier_wait(&all) == PTHREAD_BARRIER_SERIAL_THREAD) {
				(void)!read(STDIN_FILENO, &c, 1);
			}
			pthread_barrier_wait(&all);
		}
	}
	ring_retire();
	printf("%ld %ld %ld\n", (long)thread, (long)(records - dropped), (long)dropped);
	return NULL;
}

int main(int count, char **arguments) {
	enum { SEGMENT = 3, MOST = 64 };
	struct stat stat;
	pthread_t threads[MOST];
	int number = count > 2 ? atoi(arguments[1]) : 0;
	records = count > 2 ? atol(arguments[2]) : 0;
	if (number > MOST || fstat(SEGMENT, &stat) != 0) {
		return 1;
	}
	void *base = mmap(NULL, stat.st_size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, SEGMENT, 0);
	if (base == MAP_FAILED) {
		return 1;
	}
	ring_segment(base);
	pthread_barrier_init(&all, NULL, number);
	for (intptr_t i = 0; i < number; i++) {
		pthread_create(&threads[i], NULL, publish, (void *)i);
	}
	for (int i = 0; i < number; i++) {
		pthread_join(threads[i], NULL);
	}
	return 0;
}
