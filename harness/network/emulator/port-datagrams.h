/* Datagrams of a port of the far end, passed on to the server here with their ECN marks: a thread for each port. */
#ifndef PORT_DATAGRAMS_H
#define PORT_DATAGRAMS_H

/** Passes on for ever; the work of a thread. @param of struct opened * of UDP */
void *pass_datagrams(void *of);

#endif
