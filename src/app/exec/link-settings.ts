import type { LinkSettings, NetworkProvider } from '../../../harness/network/network.ts';
import { currentName } from '../../core/factors/former-names.ts';
import { factorNamed, factors } from '../../core/factors/registry.ts';
import { isAppliedBy, valuesFor } from '../../core/factors/values.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import { didYouMean } from '../../core/model/nearest-name.ts';
import type { ProgramWords } from '../../core/model/program-words.ts';
import type { WorldUse } from './world.ts';

const ofLink = factors.filter((factor) => isAppliedBy(factor, ['link']));

/** Name, title and values of every factor of a link. */
export const linkFactorRows = (): string[][] => ofLink.map(({ id, title, example }) => [id, title, example]);

/**
 * What `--set` says of a link, `FACTOR=VALUE` each.
 *
 * @throws H2h3Error `usage` for what is no factor, none of a link, or no value of it
 */
export function linkSettings(
  texts: readonly string[],
  { factorList, otherFactors }: ProgramWords,
): LinkSettings {
  const names = ofLink.map(({ id }) => id);
  const listed = `\`${factorList}\` lists them.`;
  const assigned = texts.map((text): [string, string] => {
    const [, given = '', value = ''] = /^([^=]+)=(.+)$/.exec(text) ?? [];
    const name = currentName(given);
    const expected = names.join(', ');
    if (name === '')
      throw new H2h3Error('usage', `--set wants FACTOR=VALUE, got "${text}"`, { next: listed });
    const factor = factorNamed(name);
    if (factor === undefined)
      throw new H2h3Error('usage', `there is no factor "${name}"`, {
        context: { expected, got: name },
        next: didYouMean(name, names, listed),
      });
    if (!ofLink.includes(factor))
      throw new H2h3Error('usage', `${name} does not belong to the link, and what is set here does`, {
        context: { expected, got: name },
        next: otherFactors ?? listed,
      });
    return [name, value];
  });
  return valuesFor(['link'], Object.fromEntries(assigned));
}

/** @throws H2h3Error `usage` where a link of this network cannot be set so */
export function requireSettings({ id, unsupportedReason }: NetworkProvider, settings: LinkSettings): void {
  if (Object.keys(settings).length === 0) return;
  const why = unsupportedReason === undefined ? 'it has no link' : unsupportedReason(settings);
  if (why !== undefined) throw new H2h3Error('usage', `the network ${id} cannot be set so: ${why}`);
}

/** What a command is to reach. */
interface Reach {
  readonly localPorts: readonly number[];
  /** Command line of a server at the far end. */
  readonly far: string | undefined;
  readonly world: WorldUse;
}

/** @throws H2h3Error `usage` where IPv6 alone is asked for, and what is to be reached has IPv4 alone */
export function requireReachable({ family }: LinkSettings, { localPorts, far, world }: Reach): void {
  if (family !== '6') return;
  const next =
    'Start a server at the far end by --far: its address $H2H3_FAR is one of IPv6. Or leave out family=6.';
  if (localPorts.length > 0)
    throw new H2h3Error(
      'usage',
      'with family=6 no port of this machine can be reached: those are led over IPv4',
      { next },
    );
  if (far === undefined && world !== 'none')
    throw new H2h3Error(
      'usage',
      'with family=6 nothing beyond the network is reached: it leads on over IPv4',
      { next },
    );
}
