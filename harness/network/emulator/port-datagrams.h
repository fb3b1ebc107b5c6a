/* Datagrams of ports of the far end, passed on to the servers here with their ECN marks. */
#ifndef PORT_DATAGRAMS_H
#define PORT_DATAGRAMS_H

#include <stddef.h>
#include <stdint.h>

/**
 * @param most flows at once, a handle each: a further one takes the place of that which was silent longest
 * @param idle_s a flow that is silent for so long ends
 */
void limit_flows(size_t most, uint32_t idle_s);

/** Passes on from now on. @param handle of UDP, bound to the port */
void pass_datagrams(int handle, uint16_t port);

/** Ends flows that are silent. @returns ms until the next may be; -1: there is none */
int datagrams_tick(void);

#endif
