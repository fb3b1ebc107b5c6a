import type { MeasuredProperty, Sender, Senders } from '../../core/model/senders.ts';
import { lowered } from '../../core/model/sentence-case.ts';
import { formatQuantity } from './fingerprint.ts';
import { senderProperties } from './properties.ts';
import { roomOf } from './sender-property.ts';
import { senderName } from './sender-findings.ts';

/** A property that is beyond chance another than it was. */
export interface ChangedProperty {
  readonly sender: string;
  readonly property: string;
  /** Whether it has more of what costs users or others. */
  readonly isWorse: boolean;
  /** Without its full stop. */
  readonly sentence: string;
}

/** Senders of two fingerprints that are of the same server, whatever its version, and protocol. */
function counterpart(sender: Sender, { senders }: Pick<Senders, 'senders'>): Sender | undefined {
  const over = senders.filter(({ protocol }) => protocol === sender.protocol);
  const software = (name: string): string | undefined => name.split('@')[0];
  return (
    over.find(({ server }) => server === sender.server) ??
    over.find(({ server }) => software(server) === software(sender.server))
  );
}

/**
 * What changed between two fingerprints: properties whose intervals lie apart, and by more than makes senders differ.
 * Fewer repeats than have an interval say nothing.
 */
export function changedProperties(
  baseline: Pick<Senders, 'senders'>,
  candidate: Pick<Senders, 'senders'>,
): ChangedProperty[] {
  return candidate.senders.flatMap((sender) => {
    const before = counterpart(sender, baseline);
    if (before === undefined) return [];
    return sender.properties.flatMap((measured) => {
      const was = before.properties.find(({ property }) => property === measured.property);
      return was === undefined ? [] : changeOf(sender, was, measured);
    });
  });
}

function changeOf(sender: Sender, was: MeasuredProperty, is: MeasuredProperty): ChangedProperty[] {
  const property = senderProperties.find(({ id }) => id === is.property);
  if (property === undefined || property.isOfClient === true || was.median === null || is.median === null)
    return [];
  if (was.interval === null || is.interval === null) return [];
  const { title, unit, consequenceOfLess } = property;
  const isMore = is.interval[0] > was.interval[1];
  const isLess = is.interval[1] < was.interval[0];
  if ((!isMore && !isLess) || Math.abs(is.median - was.median) <= roomOf(property, was.median)) return [];
  return [
    {
      sender: senderName(sender),
      property: is.property,
      isWorse: isMore || consequenceOfLess !== undefined,
      sentence: `${senderName(sender)}, ${lowered(title)}: ${formatQuantity(was.median, unit)} before, ${formatQuantity(is.median, unit)} now`,
    },
  ];
}
