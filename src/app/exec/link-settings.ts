import type { LinkSettings, NetworkProvider } from '../../../harness/network/network.ts';
import { currentName } from '../../core/factors/former-names.ts';
import { factorNamed, factors } from '../../core/factors/registry.ts';
import { isAppliedBy, unknownFactor, valuesFor } from '../../core/factors/values.ts';
import { H2h3Error } from '../../core/model/errors.ts';

const ofLink = factors.filter((factor) => isAppliedBy(factor, ['link']));

/**
 * What `--set` says of a link, `FACTOR=VALUE` each.
 *
 * @throws H2h3Error `usage` for what is no factor, none of a link, or no value of it
 */
export function linkSettings(texts: readonly string[]): LinkSettings {
  const assigned = texts.map((text): [string, string] => {
    const [, given = '', value = ''] = /^([^=]+)=(.+)$/.exec(text) ?? [];
    const name = currentName(given);
    const expected = ofLink.map(({ id }) => id).join(', ');
    if (name === '') throw new H2h3Error('usage', `--set wants FACTOR=VALUE, got "${text}"`);
    const factor = factorNamed(name);
    if (factor === undefined) throw unknownFactor(name);
    if (!ofLink.includes(factor))
      throw new H2h3Error('usage', `exec sets what belongs to the link, and ${name} does not`, {
        context: { expected, got: name },
        next: '`npx h2h3 run --set` sets the others for what h2h3 loads itself.',
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
