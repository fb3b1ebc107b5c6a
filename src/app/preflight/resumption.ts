import { commandClientNamed } from '../../../harness/clients/commands/registry.ts';
import { downloadWorkloadNamed } from '../../../sites/downloads/catalogue.ts';
import { trialCheck } from './trial-check.ts';

/** Not every client resumes sessions over every protocol, and only QUIC takes a request with its first packet here. */
export const resumption = trialCheck('resumption', [], ({ factors, client }) => {
  const { resume, protocol } = factors;
  if (resume === undefined || protocol === undefined) return undefined;
  const known = commandClientNamed(client);
  if (known?.resumes !== undefined && protocol !== 'auto' && !known.resumes.over.includes(protocol))
    return {
      reason: `${known.title} takes up no session over ${protocol}`,
      next: `Over ${known.resumes?.over.join(', ') ?? ''} it does; quic-go and quiche do over h3.`,
    };
  if (resume !== '0rtt') return undefined;
  if (known === undefined)
    return {
      reason: `${client} cannot be told to send early data (resume=0rtt): a browser does so or not by itself`,
      next: 'Take resume=session, or a client such as quic-go.',
    };
  if (known.resumes?.earlyData === false)
    return {
      reason: `${known.title} resumes sessions here and sends no early data (resume=0rtt)`,
      next: 'Take resume=session, or another client, such as quic-go.',
    };
  if (protocol === 'h3') return undefined;
  return {
    reason: 'early data (resume=0rtt) is sent over HTTP/3 alone: the client’s TLS over TCP has none',
    next: 'Take resume=session for the arm over TCP.',
  };
});

/** A browser connects again when the server has ended its connection, which the page of a download waits for. */
export const browserResumption = trialCheck(
  'browser-resumption',
  [],
  ({ factors, client, server, workload }) => {
    if (factors.resume === undefined || commandClientNamed(client) !== undefined) return undefined;
    if (server === endsIdle && factors.proxy === undefined && downloadWorkloadNamed(workload) !== undefined)
      return undefined;
    return {
      reason: `a browser resumes a session in downloads from ${endsIdle} alone, which can be told to end idle connections`,
      next: `Take a workload such as download-10kb, --server ${endsIdle} and no proxy.`,
    };
  },
);

const endsIdle = 'caddy';
