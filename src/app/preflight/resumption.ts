import { commandClientNamed } from '../../../harness/clients/commands/registry.ts';
import { serverNamed, serverSoftware } from '../../../harness/servers/registry.ts';
import { downloadWorkloadNamed } from '../../../sites/downloads/catalogue.ts';
import { trialCheck } from './trial-check.ts';

/**
 * Not every command-line client resumes sessions over every protocol. Of these only QUIC takes a request with its first
 * packet, and not every server does.
 */
export const resumption = trialCheck('resumption', [], ({ factors, client, server }) => {
  const { resume, protocol, proxy } = factors;
  if (resume === undefined || protocol === undefined) return undefined;
  const known = commandClientNamed(client);
  if (known?.resumes !== undefined && protocol !== 'auto' && !known.resumes.over.includes(protocol))
    return {
      reason: `${known.title} takes up no session over ${protocol}`,
      next: `Over ${known.resumes?.over.join(', ') ?? ''} it does; quic-go and quiche do over h3.`,
    };
  if (resume !== '0rtt' || known === undefined) return undefined;
  if (known.resumes?.earlyData === false)
    return {
      reason: `${known.title} resumes sessions here and sends no early data (resume=0rtt)`,
      next: 'Take resume=session, or another client, such as quic-go.',
    };
  if (protocol !== 'h3')
    return {
      reason: 'early data (resume=0rtt) is sent over HTTP/3 alone: the client’s TLS over TCP has none',
      next: 'Take resume=session for the arm over TCP.',
    };
  return proxy === undefined && refusesEarlyData(server)
    ? {
        reason: `${server} takes no early data (resume=0rtt) over h3`,
        next: 'caddy and nginx@1.30 do.',
      }
    : undefined;
});

/** Of a server that says nothing of itself a trial finds out. */
function refusesEarlyData(server: string): boolean {
  const { quicTakesNoEarlyData = false, resumption: ofServer } = serverNamed(server) ?? {};
  return quicTakesNoEarlyData || ofServer?.earlyDataOver.includes('h3') === false;
}

/**
 * A browser connects again when the server has ended its connection, which the page of a download waits for; whether its
 * request then goes out as early data is what the server lets it.
 */
export const browserResumption = trialCheck(
  'browser-resumption',
  [],
  ({ factors, client, server, workload }) => {
    const { resume, protocol, proxy } = factors;
    if (resume === undefined || commandClientNamed(client) !== undefined) return undefined;
    const able = serverSoftware.filter(({ resumption: ofServer }) => ofServer !== undefined);
    const names = able.map(({ id }) => id).join(' or ');
    const { resumption: ofServer } = serverNamed(server) ?? {};
    if (ofServer === undefined || proxy !== undefined || downloadWorkloadNamed(workload) === undefined)
      return {
        reason: `a browser resumes a session in downloads from ${names} alone, which can be told to end idle connections`,
        next: `Take a workload such as download-10kb, --server ${able[0]?.id} and no proxy.`,
      };
    const over = ofServer.earlyDataOver;
    if (resume === 'session' || protocol === undefined || protocol === 'auto' || over.includes(protocol))
      return undefined;
    return {
      reason: `${server} takes no early data (resume=0rtt) over ${protocol}`,
      next: `It does over ${over.join(', ')}; nginx@1.30 does over h1, h2 and h3.`,
    };
  },
);
