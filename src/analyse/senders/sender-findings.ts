import { protocolNames } from '../../core/factors/participants.ts';
import type { MeasuredProperty, Sender } from '../../core/model/senders.ts';
import { lowered } from '../../core/model/sentence-case.ts';
import { serverName } from '../../core/model/server-names.ts';
import { counted } from '../figures/figures.ts';
import { senderProperties } from './properties.ts';

const maxFindings = 3;

type Named = Pick<Sender, 'server' | 'protocol' | 'properties'>;

/** `nginx 1.26 over HTTP/3`. */
export function senderName({ server, protocol }: Pick<Sender, 'server' | 'protocol'>): string {
  return `${serverName(server)} over ${protocolNames[protocol]}`;
}

/** How far a property lies from what is allowed or usual, either way. */
const distance = ({ times = 1 }: MeasuredProperty): number =>
  times > 0 ? Math.abs(Math.log(times)) : Infinity;

const differing = ({ properties }: Named): MeasuredProperty[] =>
  properties.filter(({ verdict }) => verdict === 'differs');

/** Whether users or others on the link pay for it: of most properties a smaller value than usual is nothing bad. */
function hasCost({ property, times = Infinity }: MeasuredProperty): boolean {
  return (
    times > 1 || senderProperties.some((each) => each.id === property && each.consequenceOfLess !== undefined)
  );
}

/**
 * What maintainers would act on, worst first: where a sender differs from its RFC or from its server's TCP, and somebody pays
 * for it. Those of as many senders, and of as many properties, as there are.
 */
export function senderFindings(senders: readonly Named[]): string[] {
  const found = senders
    .flatMap((sender) => differing(sender).map((measured) => ({ sender, measured })))
    .filter(({ measured }) => hasCost(measured))
    .toSorted((a, b) => distance(b.measured) - distance(a.measured));
  const told: typeof found = [];
  /** The sender counts for more than the property. */
  const timesTold = (one: (typeof found)[number]): number =>
    told.filter(({ sender }) => sender === one.sender).length * (maxFindings + 1) +
    told.filter(({ measured }) => measured.property === one.measured.property).length;
  while (told.length < Math.min(maxFindings, found.length)) {
    const left = found.filter((one) => !told.includes(one));
    const next = left.toSorted((a, b) => timesTold(a) - timesTold(b)).slice(0, 1);
    told.push(...next);
  }
  return told.map(({ sender, measured }) => {
    const title = senderProperties.find(({ id }) => id === measured.property)?.title ?? measured.property;
    return `${senderName(sender)}, ${lowered(title)}: ${measured.sentence}`;
  });
}

/** One sentence over all senders. */
export function sendersHeadline(senders: readonly Named[]): string {
  const properties = senders.flatMap((sender) => sender.properties);
  const judged = properties.filter(({ verdict }) => verdict !== 'reference');
  const decided = judged.filter(({ verdict }) => verdict !== 'not-decided');
  if (decided.length === 0) return 'No property of any sender is decided';
  const [worst, ...others] = senders
    .filter((sender) => differing(sender).length > 0)
    .toSorted((a, b) => differing(b).length - differing(a).length);
  if (worst === undefined)
    return `No sender differs from its RFC or its own TCP in what is decided: ${decided.length} of ${counted(judged.length, 'verdict')}`;
  const also = others.length === 0 ? '' : `, and ${counted(others.length, 'other sender')} in at least one`;
  const judgedOfWorst = worst.properties.filter(({ verdict }) => verdict !== 'reference').length;
  return `${senderName(worst)} differs in ${differing(worst).length} of ${judgedOfWorst} properties${also}`;
}
