/** Variables of a command that is behind a network. Nothing is imported here: other programs load it. */

/** With the name of the network. */
export const networkVariable = 'H2H3_NETWORK';

/** With the socket at which a command asks of its network. */
export const linkVariable = 'H2H3_LINK';
