/* Connections to ports of the far end, passed on to the servers here. */
#ifndef PORT_CONNECTIONS_H
#define PORT_CONNECTIONS_H

#include <stddef.h>
#include <stdint.h>

/** Connections that are open at once; more wait to be accepted. Each has two handles. */
void limit_connections(size_t most);

/** Accepts at a listening socket from now on. @param handle of TCP, which does not block */
void pass_connections(int handle, uint16_t port);

/** @returns ms after which it wants to be called again at the latest; -1: never */
int connections_tick(void);

#endif
