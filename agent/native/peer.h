//go:build agent

// The peers of sockets for which threads wait when a recording ends: addresses with ports.
#ifndef TRCX_PEER_H
#define TRCX_PEER_H

#include "agent.h"

// peers_publish publishes, as states, the peers of connected sockets for which platform threads have been waiting for a
// second.
void peers_publish(void);

#endif
