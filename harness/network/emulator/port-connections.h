/* Connections to a port of the far end, passed on to the server here: a thread for each. */
#ifndef PORT_CONNECTIONS_H
#define PORT_CONNECTIONS_H

/** Accepts for ever; the work of a thread. @param of struct opened * of TCP */
void *pass_connections(void *of);

#endif
