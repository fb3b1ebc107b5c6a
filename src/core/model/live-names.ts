/** Names of the network and the server of a live address: neither is ours. In a file without schemas, which pages must not load. */
export const liveNetwork = 'host';
export const liveServer = 'live';
