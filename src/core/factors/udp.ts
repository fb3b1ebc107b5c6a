import { defineFactor } from './factor.ts';
import { inWords, wholeNumberIn } from './forms.ts';

/** `blocked@500ms`: it comes through until so long after the load began. */
export type UdpState = 'open' | 'blocked' | `blocked@${number}ms`;

const late = 'blocked@';

/** When UDP is blocked, ms after the load began: 0 from the start; null where it never is. */
export function udpBlockedAfterMs(state: UdpState): number | null {
  if (state === 'open') return null;
  return state === 'blocked' ? 0 : Number(state.slice(late.length, -'ms'.length));
}

/** Ten seconds are longer than any load that a late block is to meet. */
const maxAfterMs = 10_000;

function read(text: string): UdpState | undefined {
  if (text === 'open' || text === 'blocked') return text;
  const afterMs = text.startsWith(late) ? wholeNumberIn(text.slice(late.length), 'ms') : undefined;
  return afterMs === undefined || afterMs === 0 || afterMs > maxAfterMs ? undefined : `${late}${afterMs}ms`;
}

/** Whether UDP from the server comes through while the workload is loaded. */
export const udp = defineFactor({
  id: 'udp',
  title: 'UDP',
  example: 'blocked, open',
  unsetLabel: 'UDP open',
  form: inWords('open, blocked, or blocked@500ms (from so long after the load began, at most 10000ms)', {
    read,
    write: (state: UdpState) => state,
  }),
  honouredBy: ['client'],
  needsOwnLink: true,
  setBy: 'a rule in the client’s namespace',
  provenBy: 'the rule, and each object’s protocol',
  readBack: 'udp',
});
