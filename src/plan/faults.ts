import { H2h3Error } from '../core/model/errors.ts';
import { faultExamples, isChunkDelay, parseFaults, type LinkFault } from '../core/model/fault.ts';
import { networkSpecSchema, type DirectionSpec, type NetworkSpec } from '../core/model/network-spec.ts';
import type { Arm, StandIn } from '../core/model/plan.ts';
import { didYouMean } from '../core/model/nearest-name.ts';

const expectedTarget = `TARGET:${faultExamples}, where TARGET is candidate, baseline, a protocol or an arm`;

/** `candidate`: the arms of any other client, server, player or build than the first arm's, the repeated arms of two protocols run twice, or else every arm but the first. */
function isTarget(arm: Arm, target: string, arms: readonly Arm[]): boolean {
  const [first] = arms;
  const compared = (['client', 'server', 'player', 'app'] as const).find(
    (factor) => new Set(arms.map(({ factors }) => factors[factor])).size > 1,
  );
  const twice = arms.length === 4 && arms.filter(({ label }) => label.includes('#')).length === 2;
  const isBaseline =
    compared !== undefined
      ? arm.factors[compared] === first?.factors[compared]
      : twice
        ? !arm.label.includes('#')
        : arm === first;
  if (target === 'baseline') return isBaseline;
  if (target === 'candidate') return !isBaseline;
  return arm.label === target || arm.factors.protocol === target;
}

/** Every second of a generated trace is multiplied, so that both arms still meet the same course from the same place. */
function changedRate(
  { rateMbps, trace }: DirectionSpec,
  factor: number,
  network: string,
): Pick<DirectionSpec, 'rateMbps' | 'trace'> {
  if (rateMbps !== null) return { rateMbps: rateMbps * factor };
  if (trace?.format !== 'generated')
    throw new H2h3Error('usage', `${network} has no rate that could be changed`, {
      context: { expected: 'a rate, or a generated trace, in both directions', got: network },
    });
  const cap = trace.capMbps === undefined ? {} : { capMbps: trace.capMbps * factor };
  return { rateMbps: null, trace: { ...trace, ...cap, scale: trace.scale * factor } };
}

type Scheduled = 'rateMbps' | 'delayMs' | 'lossPercent';

/** What a schedule sets is as much worse as the direction's own figure; a file of its own cannot be. */
function changedSchedule(
  { schedule, scheduleFile }: DirectionSpec,
  figure: Scheduled,
  change: (value: number) => number,
  network: string,
): Pick<DirectionSpec, 'schedule'> {
  if (scheduleFile !== undefined)
    throw new H2h3Error('usage', `${network} follows a file, which no fault changes`, {
      context: { expected: 'a network without scheduleFile', got: scheduleFile },
    });
  if (schedule === undefined) return {};
  return {
    schedule: schedule.map((item) => {
      const value = item[figure];
      return value === undefined ? item : { ...item, [figure]: change(value) };
    }),
  };
}

function changed(direction: DirectionSpec, fault: LinkFault, isUp: boolean, network: string): DirectionSpec {
  const factor = 1 + fault.amount / 100;
  const scheduled = (figure: Scheduled, change: (value: number) => number): Pick<DirectionSpec, 'schedule'> =>
    changedSchedule(direction, figure, change, network);
  switch (fault.quantity) {
    case 'delay': {
      const longer = (delayMs: number): number =>
        fault.unit === 'ms' ? delayMs + fault.amount / 2 : delayMs * factor;
      return { ...direction, delayMs: longer(direction.delayMs), ...scheduled('delayMs', longer) };
    }
    case 'rate':
      return {
        ...direction,
        ...changedRate(direction, factor, network),
        ...scheduled('rateMbps', (rateMbps) => rateMbps * factor),
      };
    case 'loss':
      return {
        ...direction,
        lossPercent: direction.lossPercent + fault.amount,
        ...scheduled('lossPercent', (lossPercent) => Math.min(100, lossPercent + fault.amount)),
      };
    case 'connect':
      return isUp
        ? { ...direction, connectDelayMs: (direction.connectDelayMs ?? 0) + fault.amount }
        : direction;
  }
}

/** Those that the link carries out: chunks are held back behind the server. */
const linkFaults = (words: string): LinkFault[] =>
  parseFaults(words).flatMap((fault) => (isChunkDelay(fault) ? [] : [fault]));

/** The network as the arm meets it. @throws H2h3Error `usage` where the fault cannot be. */
function faultyNetwork(spec: NetworkSpec, words: string): NetworkSpec {
  const faults = linkFaults(words);
  if (
    faults.some(({ quantity, unit }) => quantity === 'delay' && unit === '%') &&
    spec.up.delayMs + spec.down.delayMs === 0
  )
    throw new H2h3Error('usage', `${spec.id} has no delay, so ${words} would change nothing`, {
      next: 'Name a network with a delay (`npx h2h3 describe networks`), or a fault in ms.',
    });
  const [up, down] = [spec.up, spec.down].map((direction, index) =>
    faults.reduce((before, fault) => changed(before, fault, index === 0, spec.id), direction),
  );
  const parsed = networkSpecSchema.safeParse({
    ...spec,
    id: `${spec.id}-fault-${words.replace(/[^\w.-]+/g, '_')}`,
    title: `${spec.title}, with a fault injected on purpose: ${words}`,
    up,
    down,
  });
  if (parsed.success) return parsed.data;
  throw new H2h3Error('usage', `${spec.id} cannot have the fault ${words}`, {
    context: { got: parsed.error.issues.map(({ message }) => message).join('; ') },
  });
}

/**
 * The arms with the factor `fault` where one is injected from outside, such as `candidate:delay=+20%`.
 * @throws H2h3Error `usage` for a malformed fault or a target that is no arm
 */
export function withFaults(injected: readonly string[], arms: readonly Arm[]): Arm[] {
  const parsed = injected.map((text) => {
    const cut = text.lastIndexOf(':');
    if (cut <= 0)
      throw new H2h3Error('usage', `"${text}" is no fault that can be injected`, {
        context: { expected: expectedTarget, got: text },
      });
    parseFaults(text.slice(cut + 1));
    return { target: text.slice(0, cut), words: text.slice(cut + 1) };
  });
  const lost = parsed.find(({ target }) => !arms.some((arm) => isTarget(arm, target, arms)));
  const targets = ['candidate', 'baseline', ...arms.map(({ label }) => label)];
  if (lost !== undefined)
    throw new H2h3Error('usage', `a fault is meant for "${lost.target}", which is no arm of this plan`, {
      context: { expected: targets.join(', '), got: lost.target },
      next: didYouMean(lost.target, targets),
    });
  return arms.map((arm) => {
    const own = parsed.filter(({ target }) => isTarget(arm, target, arms)).map(({ words }) => words);
    if (own.length === 0) return arm;
    const fault = [...(arm.factors.fault === undefined ? [] : [arm.factors.fault]), ...own].join(',');
    parseFaults(fault);
    return { ...arm, factors: { ...arm.factors, fault } };
  });
}

/**
 * The networks that arms with a fault go over instead of their own. All else is the same for both arms, the shaping of
 * the path included.
 * @param networks that the conditions leave to arms which set none
 * @param specs every network with figures
 * @throws H2h3Error `usage` for a network that cannot have the fault
 */
export function faultyNetworks(
  arms: readonly Arm[],
  networks: readonly string[],
  specs: readonly NetworkSpec[],
): { readonly standIns: readonly StandIn[]; readonly networks: readonly NetworkSpec[] } {
  const found = new Map<string, { standIn: StandIn; spec: NetworkSpec }>();
  for (const { factors } of arms) {
    const { fault } = factors;
    if (fault === undefined || linkFaults(fault).length === 0) continue;
    for (const network of factors.network === undefined ? networks : [factors.network]) {
      const spec = faultyNetwork(specOf(network, specs), fault);
      found.set(spec.id, { standIn: { network, fault, standIn: spec.id }, spec });
    }
  }
  const all = [...found.values()];
  return { standIns: all.map(({ standIn }) => standIn), networks: all.map(({ spec }) => spec) };
}

function specOf(id: string, specs: readonly NetworkSpec[]): NetworkSpec {
  const spec = specs.find((known) => known.id === id);
  if (spec !== undefined) return spec;
  throw new H2h3Error('usage', `a fault needs a network with figures, ${id} has none`, {
    next: 'Name one, such as --network cable (`npx h2h3 describe networks`).',
  });
}
