import { H2h3Error } from '../../core/model/errors.ts';
import { networkVariable } from './link-variables.ts';
import { noNetwork } from './network-named.ts';

/**
 * A link within a link would have the delay of both and the lower rate, while each says its own figures.
 *
 * @param environment of the program that asks for a link
 * @throws H2h3Error `unsupported` where that program is behind a network already
 */
export function requireNoLink(environment: Readonly<Record<string, string | undefined>>): void {
  const network = environment[networkVariable];
  if (network === undefined || network === noNetwork) return;
  throw new H2h3Error(
    'unsupported',
    `this is behind the network ${network} already, and a second link would add to it`,
    { next: 'Leave out one of the two: the command around this one, or the network that is asked for here.' },
  );
}
