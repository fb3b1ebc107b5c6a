/** Name of the network and the server of a live address: neither is ours. Apart from the schemas, which pages must not load. */
export const liveNetwork = 'host';
export const liveServer = 'live';
