import { H2h3Error } from '../../src/core/model/errors.ts';
import type { ProbeContext } from './probe.ts';

/** The server that the trial asks, with its process. @throws H2h3Error `unsupported` for one that is not on this machine */
export function serverHere({
  launch: { server },
}: ProbeContext): NonNullable<ProbeContext['launch']['server']> & { readonly pid: number } {
  if (server?.pid === undefined)
    throw new H2h3Error('unsupported', 'the server runs elsewhere', {
      next: 'Measure a server of h2h3 on this machine.',
    });
  return { ...server, pid: server.pid };
}
