import { liveServer } from '../../src/core/model/live-names.ts';
import type { RunningServer, ServerProvider } from './server.ts';

/**
 * What stands at the far end of a shaped path to a live address: somebody else's server, of which nothing is started, read or
 * known but what its answers say.
 */
export const remoteServer: ServerProvider = {
  id: liveServer,
  title: 'the address’s own server',
  quicCongestionControls: [],
  applies: [],
  start: ({ address, port }): Promise<RunningServer> =>
    Promise.resolve({
      description: {
        id: liveServer,
        name: 'the address’s own server',
        version: 'unknown',
        quicCongestionControl: 'unknown',
        tcpCongestionControl: 'unknown',
        tcpCongestionControlNote: 'a server that is not ours',
      },
      address,
      port: port ?? 0,
      pid: 0,
      warnings: [
        'what congestion control it runs over TCP and QUIC is not known: on a shaped path it may decide',
      ],
      mark: () => Promise.resolve(0),
      entriesSince: () => Promise.resolve([]),
      alive: () => true,
      stop: () => Promise.resolve(),
    }),
};
