import { H2h3Error } from '../model/errors.ts';
import { networkSpecSchema, type DirectionSpec, type NetworkSpec } from '../model/network-spec.ts';
import type { Arm, ArmFault, Condition } from '../model/plan.ts';

const quantities = ['delay', 'rate', 'loss', 'connect'] as const;

/** A worsening that is put upon some arms on purpose, to see whether it is found. */
export interface Fault {
  /** `candidate`, `baseline`, a protocol, or an arm's label. */
  readonly target: string;
  readonly quantity: (typeof quantities)[number];
  /** Percent of what is there (`+20%`), or ms of round trip or of connect (`+50ms`). */
  readonly amount: number;
  readonly unit: '%' | 'ms';
  /** As typed, without the target. */
  readonly words: string;
}

const expected =
  'TARGET:delay=+20% (or +50ms of round trip), TARGET:rate=-20%, TARGET:loss=+1%, TARGET:connect=+50ms, where TARGET is candidate, baseline, a protocol or an arm';

/** @throws H2h3Error `usage` for anything but `candidate:delay=+20%` and its like. */
export function parseFault(text: string): Fault {
  const cut = text.lastIndexOf(':');
  const words = text.slice(cut + 1);
  const [, name = '', number = '', unit = ''] = /^(\w+)=([+-]\d+(?:\.\d+)?)(%|ms)$/.exec(words) ?? [];
  const quantity = quantities.find((known) => known === name);
  const units = { delay: ['%', 'ms'], rate: ['%'], loss: ['%'], connect: ['ms'] };
  if (cut <= 0 || quantity === undefined || !units[quantity].includes(unit))
    throw new H2h3Error('usage', `"${text}" is no fault that can be injected`, {
      context: { expected, got: text },
    });
  const amount = Number(number);
  if (quantity === 'connect' && amount < 0)
    throw new H2h3Error('usage', `"${text}": connecting cannot be made quicker`);
  return { target: text.slice(0, cut), quantity, amount, unit: unit === 'ms' ? 'ms' : '%', words };
}

/** `candidate`: the arms of any other client than the first arm's, the repeated arms of two protocols run twice, or else every arm but the first. */
function isTarget(arm: Arm, target: string, arms: readonly Arm[]): boolean {
  const [first] = arms;
  const versions = new Set(arms.map(({ client }) => client)).size > 1;
  const twice = arms.length === 4 && arms.filter(({ label }) => label.includes('#')).length === 2;
  const isBaseline = versions
    ? arm.client === first?.client
    : twice
      ? !arm.label.includes('#')
      : arm === first;
  if (target === 'baseline') return isBaseline;
  if (target === 'candidate') return !isBaseline;
  return arm.label === target || arm.protocol === target;
}

function changed(direction: DirectionSpec, fault: Fault, isUp: boolean, network: string): DirectionSpec {
  const factor = 1 + fault.amount / 100;
  switch (fault.quantity) {
    case 'delay':
      if (fault.unit === 'ms') return { ...direction, delayMs: direction.delayMs + fault.amount / 2 };
      return { ...direction, delayMs: direction.delayMs * factor };
    case 'rate':
      if (direction.rateMbps === null)
        throw new H2h3Error('usage', `${network} has no constant rate that could be changed`, {
          context: { expected: 'a network with a rate in both directions', got: network },
        });
      return { ...direction, rateMbps: direction.rateMbps * factor };
    case 'loss':
      return { ...direction, lossPercent: direction.lossPercent + fault.amount };
    case 'connect':
      return isUp
        ? { ...direction, connectDelayMs: (direction.connectDelayMs ?? 0) + fault.amount }
        : direction;
  }
}

/** The network as the arm meets it. @throws H2h3Error `usage` where the fault cannot be. */
function faultyNetwork(spec: NetworkSpec, label: string, faults: readonly Fault[]): NetworkSpec {
  const words = faults.map((fault) => fault.words).join(', ');
  if (
    faults.some(({ quantity, unit }) => quantity === 'delay' && unit === '%') &&
    spec.up.delayMs + spec.down.delayMs === 0
  )
    throw new H2h3Error('usage', `${spec.id} has no delay, so ${words} would change nothing`, {
      next: 'Name a network with a delay (`h2h3 describe networks`), or a fault in ms.',
    });
  const [up, down] = [spec.up, spec.down].map((direction, index) =>
    faults.reduce((before, fault) => changed(before, fault, index === 0, spec.id), direction),
  );
  const parsed = networkSpecSchema.safeParse({
    ...spec,
    id: `${spec.id}-fault-${label.replace(/[^\w.-]+/g, '_')}`,
    title: `${spec.title}, with a fault injected on purpose: ${words}`,
    up,
    down,
  });
  if (parsed.success) return parsed.data;
  throw new H2h3Error('usage', `${spec.id} cannot have the fault ${words}`, {
    context: { got: parsed.error.issues.map(({ message }) => message).join('; ') },
  });
}

export interface PlannedFaults {
  readonly faults: readonly ArmFault[];
  /** Networks that stand in for the conditions' own. */
  readonly networks: readonly NetworkSpec[];
}

/**
 * For each arm that a fault is put upon: the networks that it goes over instead of the conditions' own. All else is
 * the same for both arms, the shaping of the path included.
 * @param specs every network with figures.
 * @throws H2h3Error `usage` for a malformed fault, a target that is no arm, or a network that cannot have it.
 */
export function planFaults(
  texts: readonly string[],
  arms: readonly Arm[],
  conditions: readonly Condition[],
  specs: readonly NetworkSpec[],
): PlannedFaults {
  const parsed = texts.map(parseFault);
  const lost = parsed.find(({ target }) => !arms.some((arm) => isTarget(arm, target, arms)));
  if (lost !== undefined)
    throw new H2h3Error('usage', `a fault is meant for "${lost.target}", which is no arm of this plan`, {
      context: { expected: ['candidate', 'baseline', ...arms.map(({ label }) => label)].join(', ') },
    });
  const used = [...new Set(conditions.map(({ network }) => network))];
  const faults: ArmFault[] = [];
  const networks: NetworkSpec[] = [];
  for (const arm of arms) {
    const own = parsed.filter(({ target }) => isTarget(arm, target, arms));
    if (own.length === 0) continue;
    const faulty = used.map((id) => [id, faultyNetwork(specOf(id, specs), arm.label, own)] as const);
    networks.push(...faulty.map(([, spec]) => spec));
    faults.push({
      arm: arm.label,
      fault: own.map(({ words }) => words).join(', '),
      networks: Object.fromEntries(faulty.map(([id, spec]) => [id, spec.id])),
    });
  }
  return { faults, networks };
}

function specOf(id: string, specs: readonly NetworkSpec[]): NetworkSpec {
  const spec = specs.find((known) => known.id === id);
  if (spec !== undefined) return spec;
  throw new H2h3Error('usage', `a fault needs a network with figures, ${id} has none`, {
    next: 'Name one, such as --network cable (`h2h3 describe networks`).',
  });
}
