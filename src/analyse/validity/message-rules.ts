import { protocolOf, type ArmProtocol } from '../../core/model/protocol.ts';
import type { MessageCounts, RawTrial, ServerLogEntry } from '../../core/model/raw-trial.ts';
import type { MessageSession } from '../../core/model/session.ts';
import { messageTimes, nearestRank } from '../../core/metrics/evidence/messages.ts';
import { invalid, type Finding } from './finding.ts';

/** Timers of browsers are no finer, and no message is worth less. */
const minLatenessMs = 10;

/**
 * Both ends must have counted the same: in one session over the arm's protocol, on as many streams or in as many datagrams as the
 * transport says, every message once. Only datagrams may be lost. A page that sent most messages late sent other ones than were
 * asked for.
 */
export function messageFindings(
  arm: ArmProtocol,
  { session, serverLog }: Pick<RawTrial, 'session' | 'serverLog'>,
): readonly Finding[] {
  if (session?.kind !== 'messages' || session.sentMs.length === 0) return [];
  return [...latenessFindings(session), ...loggedFindings(arm, session, serverLog ?? [])];
}

function latenessFindings(session: MessageSession): readonly Finding[] {
  const { lateMs } = messageTimes(session);
  const medianMs = nearestRank(
    lateMs.toSorted((a, b) => a - b),
    0.5,
  );
  if (medianMs === null || medianMs <= Math.max(session.gapMs, minLatenessMs)) return [];
  return [
    invalid(
      'messages-late',
      `the page sent half of its messages more than ${medianMs.toFixed(1)} ms late: this machine cannot carry one every ${session.gapMs.toFixed(1)} ms`,
    ),
  ];
}

function loggedFindings(
  arm: ArmProtocol,
  session: MessageSession,
  log: readonly ServerLogEntry[],
): readonly Finding[] {
  const path = new URL(session.url).pathname;
  const sessions = log.filter((entry) => entry.messages !== undefined && entry.path.startsWith(path));
  const [entry, ...others] = sessions;
  if (entry?.messages === undefined)
    return [invalid('not-logged', 'the session of messages is not in the server’s log')];
  if (others.length > 0)
    return [
      invalid('log-differs', `the server’s log has ${sessions.length} sessions of messages, expected 1`),
    ];
  const { protocol, messages } = entry;
  return [
    ...(arm === 'auto' || protocolOf(protocol) === arm
      ? []
      : [
          invalid(
            'wrong-protocol',
            `the messages came over ${protocol} by the server’s log, expected ${arm}`,
          ),
        ]),
    ...carriedFindings(session, messages),
    ...countFindings(session, messages),
  ];
}

/** What the transport is, as the server saw it. */
function carriedFindings(
  { transport, sentMs: { length: sent } }: MessageSession,
  { over, streams, datagrams }: MessageCounts,
): readonly Finding[] {
  const wanted = transport === 'websocket' ? 'websocket' : 'webtransport';
  if (over !== wanted)
    return [
      invalid('wrong-protocol', `the server’s log has a session of ${over}, expected one of ${wanted}`),
    ];
  const wantedStreams = { websocket: 0, 'wt-stream': 1, 'wt-streams': sent, 'wt-datagrams': 0 }[transport];
  if (streams !== wantedStreams)
    return [
      invalid(
        'messages-differ',
        `the server counted ${streams} streams of the session, expected ${wantedStreams}`,
      ),
    ];
  return transport === 'wt-datagrams' || datagrams === 0
    ? []
    : [invalid('messages-differ', `the server counted ${datagrams} datagrams of the session, expected none`)];
}

function countFindings(
  { transport, sentMs, backMs, surplus, messageBytes }: MessageSession,
  { received, returned, receivedBytes }: MessageCounts,
): readonly Finding[] {
  const sent = sentMs.length;
  const back = backMs.filter((ms) => ms !== null).length;
  const counts = `${sent} sent, ${received} at the server, ${returned} sent back, ${back} back`;
  if (surplus > 0)
    return [invalid('messages-differ', `${surplus} echoes came that were there already or were never sent`)];
  if (receivedBytes !== received * messageBytes)
    return [
      invalid(
        'messages-differ',
        `the server got ${receivedBytes} bytes in ${received} messages of ${messageBytes} bytes each`,
      ),
    ];
  if (received > sent || returned > received || back > returned)
    return [invalid('messages-differ', `more messages came than were sent: ${counts}`)];
  return transport !== 'wt-datagrams' && back < sent
    ? [invalid('messages-differ', `messages are missing, and ${transport} loses none: ${counts}`)]
    : [];
}

/** What a reader must know of messages that count. */
export function messageWarnings({
  session,
  counters,
}: Pick<RawTrial, 'session' | 'counters'>): readonly string[] {
  if (session?.kind !== 'messages') return [];
  const lost = session.backMs.filter((ms) => ms === null).length;
  const dropped = Object.entries(counters).some(([name, value]) => isDrop(name) && value > 0);
  const isCounted = Object.keys(counters).some(isDrop);
  return lost > 0 && isCounted && !dropped
    ? [`${lost} of ${session.backMs.length} datagrams were lost, and the emulated network dropped no packet`]
    : [];
}

/** Packets that the emulated path dropped because it was told to, or because its queue was full. */
const isDrop = (name: string): boolean => /^emulator(?:Up|Down)(?:Loss|Queue|Aqm)Drops$/.test(name);
