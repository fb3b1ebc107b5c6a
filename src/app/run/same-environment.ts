import {
  machineWords,
  networkWords,
  programFacts,
  unlike,
  type Facts,
} from '../../analyse/between-runs/environment-facts.ts';
import type { Environment, OtherHost } from '../../core/model/environment.ts';
import { H2h3Error } from '../../core/model/errors.ts';

/** What a run measures with, in words. */
export function environmentFacts(environment: Environment): Facts {
  return new Map([
    ['machine', machineWords(environment)],
    ['kernel', environment.machine.kernel],
    ...othersOf(environment).map(
      ([whose, { machine }]) => [`kernel of ${whose} machine`, machine.kernel] as const,
    ),
    ...programFacts(environment),
    ...environment.networks.map(({ id }) => [`network ${id}`, networkWords(environment, id)] as const),
  ]);
}

/** The second machine of a run, by whose it is. */
const othersOf = ({
  clientHost,
  proxyHost,
  serverHost,
}: Environment): readonly (readonly [string, OtherHost])[] => [
  ...(clientHost === undefined ? [] : [['the client’s', clientHost] as const]),
  ...(proxyHost === undefined ? [] : [['the proxy’s', proxyHost] as const]),
  ...(serverHost === undefined ? [] : [['the server’s', serverHost] as const]),
];

/**
 * A resumed run must have the same machine, browsers and servers, or its blocks would compare
 * different things.
 *
 * @param failures why servers or networks did not start
 * @throws H2h3Error `bad-input` listing what differs; where something did not start, the reason of that
 */
export function checkSameEnvironment(
  earlier: Environment,
  now: Environment,
  failures: readonly H2h3Error[] = [],
): void {
  const differences = unlike(environmentFacts(earlier), environmentFacts(now));
  if (differences.length === 0) return;
  // What did not start is absent, and why it did not is what helps.
  const [failure] = failures;
  if (failure !== undefined) throw failure;
  const lines = differences.map(({ what, a, b }) => `${what}: was ${a}, is ${b}`);
  throw new H2h3Error(
    'bad-input',
    `this run cannot go on here, because its blocks would mix\n  ${lines.join('\n  ')}`,
    {
      next: 'Restore what was there, or start a new run.',
    },
  );
}
