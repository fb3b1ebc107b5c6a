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

/** What most stands out among senders, worst first: where each differs from its RFC or from its server's TCP. */
export function senderFindings(senders: readonly Named[]): string[] {
  return senders
    .flatMap((sender) => differing(sender).map((property) => ({ sender, property })))
    .toSorted((a, b) => distance(b.property) - distance(a.property))
    .slice(0, maxFindings)
    .map(({ sender, property }) => {
      const title = senderProperties.find(({ id }) => id === property.property)?.title ?? property.property;
      return `${senderName(sender)}, ${lowered(title)}: ${property.sentence}`;
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
