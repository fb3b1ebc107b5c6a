/* Sockets of the far end, handed over to the near end. The far end hands over on its standard input. */
#ifndef PORT_HANDOVER_H
#define PORT_HANDOVER_H

#include <stdint.h>

enum kind { TCP, UDP, TAKEN, DONE };

struct message {
    uint16_t port;
    uint8_t kind;
};

/** @param handle goes along; -1: none does */
void hand_over(uint16_t port, enum kind kind, int handle);

/** @returns the handle, -1 for a port that is taken */
int take_over(int from, struct message *message);

/** Opens a port of this loopback for TCP and UDP and hands both sockets over, or says that it is taken. */
void open_port(uint16_t port);

#endif
