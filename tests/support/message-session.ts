import type { MessageTransport } from '../../src/core/model/message-transport.ts';
import type { MessageCounts, ServerLogEntry } from '../../src/core/model/raw-trial.ts';
import type { MessageSession } from '../../src/core/model/session.ts';

/** A session of messages every 10 ms, given what each took; null: it was lost. */
export function messageSession(
  delaysMs: readonly (number | null)[],
  transport: MessageTransport = 'websocket',
): MessageSession {
  const sentMs = delaysMs.map((_, index) => 100 + index * 10);
  return {
    kind: 'messages',
    timeOriginEpochMs: 1_000_000,
    transport,
    url: `https://messages.h2h3.test/h2h3-messages?transport=${transport}`,
    messageBytes: 100,
    gapMs: 10,
    setupStartMs: 40,
    readyMs: 95,
    firstDueMs: 100,
    sentMs,
    backMs: delaysMs.map((delay, index) => (delay === null ? null : (sentMs[index] ?? 0) + delay)),
    surplus: 0,
    errors: [],
  };
}

/** What the server has of it, where nothing went wrong on the way there. */
export function loggedSession(
  { transport, sentMs, messageBytes, url }: MessageSession,
  counts: Partial<MessageCounts> = {},
): ServerLogEntry {
  const sent = sentMs.length;
  const isSocket = transport === 'websocket';
  const { hostname, pathname, search } = new URL(url);
  return {
    host: hostname,
    path: pathname + search,
    method: 'CONNECT',
    protocol: isSocket ? 'h2' : 'h3',
    status: 200,
    bytes: sent * messageBytes,
    startEpochMs: 1_000_040,
    durationMs: 1000,
    messages: {
      over: isSocket ? 'websocket' : 'webtransport',
      received: sent,
      returned: sent,
      receivedBytes: sent * messageBytes,
      streams: { websocket: 0, 'wt-stream': 1, 'wt-streams': sent, 'wt-datagrams': 0 }[transport],
      datagrams: transport === 'wt-datagrams' ? sent : 0,
      ...counts,
    },
  };
}
