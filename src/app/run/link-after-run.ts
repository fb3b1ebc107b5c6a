import { linkWords } from '../../../harness/hosts/far-link.ts';
import type { RealLink } from '../../core/model/environment.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import type { RunDirectory } from '../../store/run-directory.ts';
import type { AppContext } from '../app-context.ts';
import type { RunResources } from './open-resources.ts';

/** With which each warning of the link begins. */
const theLink = 'the link between both machines';

/** Measures each link to another machine once more, and says where it is another than before the run. */
export async function recordLinkAfter(
  { linkBehind }: Pick<RunResources, 'linkBehind'>,
  directory: RunDirectory,
  { progress }: AppContext,
): Promise<void> {
  const environment = directory.environment();
  if (linkBehind === undefined || environment === null) return;
  progress.reporter({ title: 'Measuring the link again' });
  const measured = environment.networks.filter(({ realLink }) => realLink !== undefined);
  const networks = new Map(environment.networks.map((network) => [network.id, network]));
  const warnings: string[] = [];
  for (const [link, behind] of Map.groupBy(measured, ({ id }) => linkBehind(id))) {
    const after = await link.measure().catch((thrown: unknown) => {
      if (!(thrown instanceof H2h3Error) || ['internal', 'interrupted'].includes(thrown.code)) throw thrown;
      return thrown;
    });
    warnings.push(
      ...warningsOf(
        behind.flatMap(({ realLink }) => realLink ?? []),
        after,
      ),
    );
    if (!(after instanceof H2h3Error))
      behind.forEach((network) => networks.set(network.id, { ...network, realLinkAfter: after }));
  }
  warnings.forEach((line) => progress.say(`warning: ${line}`));
  directory.writeEnvironment({
    ...environment,
    networks: [...networks.values()],
    warnings: [...new Set([...environment.warnings, ...warnings])],
  });
}

function warningsOf(before: readonly RealLink[], after: RealLink | H2h3Error): string[] {
  if (after instanceof H2h3Error) return [`${theLink} was not measured after the run: ${after.message}`];
  const [other] = before.filter((link) => hasChanged(link, after));
  return other === undefined
    ? []
    : [`${theLink} changed during the run: ${linkWords(other)} before, ${linkWords(after)} after`];
}

/** A measurement of a second is no closer than that. */
const rateFactor = 1.5;
const roundTripShare = 0.5;
const minRoundTripMs = 0.2;
const lossPercentagePoints = 1;

/** Whether the link is another by more than a short measurement of the same one differs. */
export function hasChanged(before: RealLink, after: RealLink): boolean {
  const isOther = (a: number, b: number): boolean => Math.max(a, b) > rateFactor * Math.min(a, b);
  const lostMore = (way: 'up' | 'down'): boolean =>
    before.udp !== undefined &&
    after.udp !== undefined &&
    Math.abs(after.udp[way].lossPercent - before.udp[way].lossPercent) > lossPercentagePoints;
  const laterMs = Math.abs(after.roundTripMs - before.roundTripMs);
  return (
    laterMs > Math.max(minRoundTripMs, roundTripShare * before.roundTripMs) ||
    isOther(before.upMbps, after.upMbps) ||
    isOther(before.downMbps, after.downMbps) ||
    lostMore('up') ||
    lostMore('down')
  );
}
