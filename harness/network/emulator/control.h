/* Answers what is asked of the emulator while it runs (`path-emulator.c` lists the commands). */
#ifndef H2H3_CONTROL_H
#define H2H3_CONTROL_H

#include "forwarder.h"

struct control {
    struct forwarder *forwarder;
    /** Of a Unix socket that listens. */
    int listener;
};

/** Serves `struct control` until standard input ends, and the process with it. */
void *control_thread(void *argument);

#endif
