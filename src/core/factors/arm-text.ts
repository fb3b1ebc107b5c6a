import type { Factors } from '../model/factor.ts';
import type { ArmProtocol } from '../model/protocol.ts';
import { currentArm } from './former-names.ts';
import { protocol as protocolFactor } from './participants.ts';
import { factorNames, type FactorName } from './registry.ts';

/** Only what stands before `=` and is a factor's name begins the next factor; any other `+` belongs to a value. */
const separator = new RegExp(String.raw`\+(?=(?:${factorNames.join('|')})=)`);

/** The written form of an arm, of before too, apart: `client:protocol`, and what follows behind `+`. */
export function armParts(text: string): {
  readonly head: string;
  readonly settings: readonly (readonly [FactorName, string])[];
} {
  const [head = '', ...rest] = currentArm(text).split(separator);
  const settings = rest.map((part) => {
    const at = part.indexOf('=');
    return [part.slice(0, at) as FactorName, part.slice(at + 1)] as const;
  });
  return { head, settings };
}

/** `client:protocol`, or `protocol` alone, apart; undefined where no protocol stands at the end. */
export function clientAndProtocol(
  head: string,
): { readonly client?: string; readonly protocol: ArmProtocol } | undefined {
  const cut = head.lastIndexOf(':');
  const protocol = protocolFactor.form.read(head.slice(cut + 1));
  if (protocol === undefined || cut === 0) return undefined;
  return cut < 0 ? { protocol } : { client: head.slice(0, cut), protocol };
}

/** What the label of an arm that stands in a plan once more ends in; of a gate's candidate that is its baseline too, `#candidate`. */
export const repeatMark = /#(\d+|candidate)$/;

/** Factors that an arm's label names, such as `chromium@148:h3+server=nginx#2`; none for a label of another form. */
export function factorsOfLabel(label: string): Factors {
  const { head, settings } = armParts(label.replace(repeatMark, ''));
  const named = clientAndProtocol(head);
  return named === undefined ? {} : { ...named, ...Object.fromEntries(settings) };
}

/** The written form of an assignment that names a protocol. */
export function armText({ protocol, client, ...rest }: Factors): string {
  const settings = factorNames.flatMap((name) =>
    rest[name] === undefined ? [] : [`+${name}=${rest[name]}`],
  );
  return `${client === undefined ? '' : `${client}:`}${protocol ?? ''}${settings.join('')}`;
}
