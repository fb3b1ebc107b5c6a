import { defineFactor } from './factor.ts';
import { durationIn, durationText, inWords, laterForm, oneOf, shareForm } from './forms.ts';

export type Family = '4' | '6' | 'both';

const familyWords: Readonly<Record<Family, string>> = { 4: 'IPv4', 6: 'IPv6', both: 'IPv4 and IPv6' };

/** Over which version of IP the client reaches the first hop, and each hop the next; of both a client chooses. */
export const family = defineFactor({
  id: 'family',
  title: 'IP version',
  example: '6, both, 4',
  unsetLabel: 'IPv4',
  words: (text) => familyWords[text as Family],
  form: inWords('4 (IPv4), 6 (IPv6) or both (names have addresses of both)', oneOf('4', '6', 'both')),
  appliedBy: ['link', 'client'],
  // A client that is to choose must ask for names.
  appliersOf: (value: Family) => (value === 'both' ? ['link', 'client'] : ['link']),
  hints: { sender: (value: Family) => (value === 'both' ? { resolves: true } : undefined) },
  setBy: 'addresses of the link’s ends, to which names lead',
  provenBy: 'the link’s count of each flow; the client’s address in the server’s log',
  readBack: 'testbed.links.family',
});

/** What becomes of packets of IPv6 on their way to the server: lost, or later by so much. */
export type Ipv6State = 'broken' | { readonly laterMs: number };

const slow = 'slow+';
const maxMs = 10_000;

/** A link over which IPv6 does not work, or is slower than IPv4. */
export const ipv6 = defineFactor({
  id: 'ipv6',
  title: 'IPv6',
  example: 'broken, slow+50ms',
  unsetLabel: 'IPv6 as good as IPv4',
  words: (text) => (text === 'broken' ? 'broken IPv6' : `IPv6 that takes ${text.slice(slow.length)} longer`),
  form: {
    words: 'broken, or how much longer a round trip of IPv6 takes, such as slow+50ms (at most 10s)',
    read: (text): Ipv6State | undefined => {
      if (text === 'broken') return text;
      const laterMs = text.startsWith(slow) ? durationIn(text.slice(slow.length)) : undefined;
      return laterMs === undefined || laterMs === 0 || laterMs > maxMs ? undefined : { laterMs };
    },
    write: (state: Ipv6State) => (state === 'broken' ? state : `${slow}${durationText(state.laterMs)}`),
  },
  appliedBy: ['link'],
  setBy: 'emulator',
  provenBy: 'the link’s count of each flow',
  readBack: 'linkFlows.family',
});

/** How long the testbed's resolver waits with the addresses of IPv6 of a name. */
export const aaaa = defineFactor({
  id: 'aaaa',
  title: 'wait for AAAA records',
  example: '+300ms, +1s',
  unsetLabel: 'AAAA records at once',
  words: (text) => `AAAA records ${text.slice(1)} late`,
  form: laterForm,
  appliedBy: ['client'],
  hints: { sender: (value: { readonly lateMs: number }) => value },
  setBy: 'a resolver of the testbed (DNS over HTTPS)',
  provenBy: 'the resolver’s log: when it was asked, and when it answered',
  readBack: 'nameQuestions.answeredAfterMs',
});

/** How long the testbed's resolver waits with the HTTPS record of a name. */
export const httpsAnswer = defineFactor({
  id: 'https-answer',
  title: 'wait for HTTPS records',
  example: '+1s, +100ms',
  unsetLabel: 'HTTPS records at once',
  words: (text) => `HTTPS records ${text.slice(1)} late`,
  form: laterForm,
  appliedBy: ['client'],
  boundTo: {
    protocols: ['auto'],
    why: 'a record that promises HTTP/3 means nothing to a client that is told its protocol',
  },
  hints: { sender: (value: { readonly lateMs: number }) => value },
  setBy: 'a resolver of the testbed (DNS over HTTPS)',
  provenBy: 'the resolver’s log: when it was asked, and when it answered',
  readBack: 'discovery.questions.answeredAfterMs',
});

const loses = 'loses-';

/** A resolver of the testbed that leaves some questions without an answer. */
export const resolver = defineFactor({
  id: 'resolver',
  title: 'resolver',
  example: 'loses-10%, loses-30%',
  unsetLabel: 'a resolver that answers everything',
  words: (text) => `a resolver that loses ${text.slice(loses.length)} of the questions`,
  form: {
    words: 'the share of questions that get no answer, such as loses-10% (at most 50%)',
    read: (text) => (text.startsWith(loses) ? shareForm.read(text.slice(loses.length)) : undefined),
    write: (share: { readonly percent: number }) => `${loses}${shareForm.write(share)}`,
  },
  appliedBy: ['client'],
  hints: { sender: (value: { readonly percent: number }) => value },
  setBy: 'a resolver of the testbed, by the block’s seed: the same questions in every arm',
  provenBy: 'the resolver’s log: what was asked, and got no answer',
  readBack: 'discovery.questions.lost',
});
