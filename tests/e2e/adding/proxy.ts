import { added as server } from './server.ts';
import type { ServerSoftware } from '../../../harness/servers/server-software.ts';

/** The stub between client and server: HTTP/2 to the next hop. */
export const added: ServerSoftware = { ...server, id: 'added-proxy', upstreamProtocol: 'h2' };
