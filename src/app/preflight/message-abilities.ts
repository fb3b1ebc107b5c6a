import { networkSpecs } from '../../../harness/network/registry.ts';
import { serverNamed, serverSoftware } from '../../../harness/servers/registry.ts';
import { valuesOf } from '../../core/factors/values.ts';
import type { MessageTransport } from '../../core/model/message-transport.ts';
import { messageTransports, maxDatagramBytes } from '../../core/model/message-transport.ts';
import type { NetworkSpec } from '../../core/model/network-spec.ts';
import type { Plan, PlannedTrial } from '../../core/model/plan.ts';
import { bitsPerByte } from '../../core/model/units.ts';
import type { Workload } from '../../core/model/workload.ts';
import { workloadCatalogue, workloadNamed } from '../plan/workload-catalogue.ts';
import { trialCheck, type TrialRefusal } from './trial-check.ts';

/** What must be for messages to be exchanged: a transport that protocol, server, certificate, size and path can carry. */
export const messageAbilities = trialCheck('message-abilities', [], (trial, _facts, plan) => {
  const kind = plan.workloads.find(({ id }) => id === trial.workload)?.kind;
  if (kind !== 'messages') return undefined;
  const { transport } = valuesOf(trial.factors);
  if (transport === undefined)
    return {
      reason: `${trial.workload} needs a transport in each arm, as there is none that every protocol has`,
      next: `Add +transport=${messageTransports.join(', +transport=')} to the arms: h2+transport=websocket, h3+transport=wt-streams.`,
    };
  const sizes = workloadNamed(trial.workload, workloadCatalogue())?.messages;
  return (
    protocolRefusal(trial, transport) ??
    serverRefusal(trial, transport) ??
    (sizes === undefined
      ? undefined
      : (sizeRefusal(trial, transport, sizes) ?? rateRefusal(trial, sizes, plan)))
  );
});

function protocolRefusal(
  { factors: { protocol }, client }: PlannedTrial,
  transport: MessageTransport,
): TrialRefusal | undefined {
  if (protocol === 'auto')
    return {
      reason: 'messages are compared over a protocol that is set, and auto leaves it to the client',
      next: 'Say h1, h2 or h3.',
    };
  if (transport === 'websocket' && protocol === 'h3')
    return {
      reason: `${client} keeps WebSockets on TCP: no browser has them over HTTP/3 (RFC 9220)`,
      next: 'Say h2+transport=websocket, or h3 with a transport of WebTransport.',
      code: 'unsupported',
    };
  if (transport !== 'websocket' && protocol !== 'h3')
    return {
      reason: `transport=${transport} is WebTransport, which browsers have over HTTP/3 alone`,
      next: `Say h3+transport=${transport}.`,
    };
  return undefined;
}

function serverRefusal(
  { server, factors: { proxy, keytype, priorities } }: PlannedTrial,
  transport: MessageTransport,
): TrialRefusal | undefined {
  if (serverNamed(server)?.echoesMessages !== true) {
    const able = serverSoftware.filter(({ echoesMessages }) => echoesMessages === true).map(({ id }) => id);
    return {
      reason: `the server ${server} echoes no messages`,
      next: `${able.join(', ')} can: say --server ${able[0] ?? ''}.`,
    };
  }
  if (proxy !== undefined)
    return { reason: 'no proxy of ours hands WebTransport on', next: 'Leave the proxy out.' };
  if (keytype === 'rsa' && transport !== 'websocket')
    return {
      reason:
        'browsers take a certificate of ours for WebTransport by its hash, and then only with a key of ECDSA',
      next: 'Leave keytype out, or say keytype=ecdsa.',
    };
  if (priorities === 'off')
    return {
      reason: 'priorities=off keeps the server from reading what opens a session of messages',
      next: 'Leave priorities out.',
    };
  return undefined;
}

type Sizes = NonNullable<Workload['messages']>;

function sizeRefusal(
  { workload }: PlannedTrial,
  transport: MessageTransport,
  { messageBytes }: Sizes,
): TrialRefusal | undefined {
  if (transport !== 'wt-datagrams' || messageBytes <= maxDatagramBytes) return undefined;
  return {
    reason: `the messages of ${workload} have ${messageBytes} bytes, and a datagram holds ${maxDatagramBytes} for sure`,
    next: `Take messages of ${maxDatagramBytes} bytes or less, or transport=wt-streams.`,
  };
}

/** A path that is full of messages measures its queue. */
const maxShareOfRate = 0.8;
/** Heads of a packet that carries one message, and the acknowledgements of the other way. */
const headBytes = 100;

function rateRefusal(
  { workload, network }: PlannedTrial,
  { messageBytes, gapMs }: Sizes,
  { customNetworks = [] }: Plan,
): TrialRefusal | undefined {
  const neededMbps = ((messageBytes + headBytes) * bitsPerByte) / gapMs / 1000;
  const specs: readonly NetworkSpec[] = [...customNetworks, ...networkSpecs];
  for (const id of network.split('/')) {
    const spec = specs.find((one) => one.id === id);
    const rates = spec === undefined ? [] : [spec.up.rateMbps, spec.down.rateMbps];
    const slowest = Math.min(...rates.map((rate) => rate ?? Infinity), Infinity);
    if (neededMbps > maxShareOfRate * slowest)
      return {
        reason: `${workload} sends ${neededMbps.toPrecision(2)} Mbit/s each way with all heads, and ${id} carries ${slowest} Mbit/s`,
        next: 'Take smaller messages, a larger gap, or a faster network.',
      };
  }
  return undefined;
}
