import { figuresOff } from '../../../harness/network/remeasure.ts';
import { formatBytes, formatMeasured, plural } from '../../../reports/format/numbers.ts';
import type { NetworkDescription, PathCheckKind } from '../../core/model/environment.ts';
import type { CommandRun, ExecReport } from '../../core/model/exec-report.ts';
import type { OpenPath } from './open-path.ts';

/** What the path's check found, and what a command behind it must know. */
export function checkWords({ description, lack }: Pick<OpenPath, 'description' | 'lack'>): string[] {
  const { id, backend, checks, notes = [] } = description;
  if (backend === 'none') return [];
  if (backend === 'proxy') return notes.map((note) => `${id}: ${note}`);
  return [`${id}: ${checkSentence(checks)}`, ...(lack === null ? [] : [`${id}: ${lack}`])];
}

function checkSentence(checks: NetworkDescription['checks']): string {
  if (checks.length === 0) return 'the path is up, and was not checked';
  const off = figuresOff(checks);
  if (off.length > 0)
    return `${off.length} of ${plural(checks.length, 'check')} of the path failed: ${off.join('; ')}`;
  const measured = (wanted: PathCheckKind, way: string): string[] => {
    const found = checks.find(({ kind, direction }) => kind === wanted && direction === way);
    return found === undefined ? [] : [formatMeasured(found.measured, found.unit)];
  };
  const rates = [
    ...measured('udp-rate', 'down').map((rate) => `${rate} down`),
    ...measured('udp-rate', 'up').map((rate) => `${rate} up`),
  ];
  const parts = [...measured('round-trip-time', 'up').map((time) => `${time} round trip`), ...rates];
  return `${parts.join(', ')}; all ${checks.length} checks of the path passed`;
}

/** Counters that sentences say in other words, or that are not the path's alone. */
const saidOtherwise =
  /^(?:received|sent|emulator(?:Up|Down)?(?:Packets|Bytes|TcpBytes|UdpBytes|LossDrops|QueueDrops|AqmDrops|CpuMs)|softnetDrops|.*Late10ms)/;

/** Drops by the cause that was set for them. */
const drops = [
  ['LossDrops', 'lost by chance'],
  ['QueueDrops', 'dropped by the queue'],
  ['AqmDrops', 'dropped by the queue'],
] as const;

/** What crossed the path one way, by the link's counters where it has any, else by the near end's. */
export function crossed(
  { counters }: Pick<CommandRun, 'counters'>,
  direction: 'up' | 'down',
): { readonly bytes: number; readonly packets: number; readonly dropped: number } {
  const [link, near] = direction === 'up' ? ['emulatorUp', 'sent'] : ['emulatorDown', 'received'];
  const counted = (name: string): number | undefined => counters[`${link}${name}`];
  return {
    bytes: counted('Bytes') ?? counters[`${near}Bytes`] ?? 0,
    packets: counted('Packets') ?? counters[`${near}Packets`] ?? 0,
    dropped: drops.reduce((sum, [name]) => sum + (counted(name) ?? 0), 0),
  };
}

function crossedWords(run: CommandRun, direction: 'up' | 'down'): string {
  const { bytes, packets } = crossed(run, direction);
  const lost = drops.flatMap(([name, words]) => {
    const count = run.counters[`emulator${direction === 'up' ? 'Up' : 'Down'}${name}`] ?? 0;
    return count === 0 ? [] : [`${count} ${words}`];
  });
  // A proxy sees bytes alone.
  const inPackets = packets === 0 ? '' : ` in ${plural(packets, 'packet')}`;
  return [`${formatBytes(bytes)} ${direction}${inPackets}`, ...lost].join(', ');
}

/** What the link counted while the command ran. */
export function endWords(run: CommandRun): string[] {
  const { network, counters, leftBehind, changes = 0 } = run;
  const others = Object.entries(counters)
    .filter(([name, value]) => value !== 0 && !saidOtherwise.test(name))
    .map(([name, value]) => `${name} ${Math.round(value * 100) / 100}`);
  const left =
    leftBehind === 0
      ? []
      : [`${network}: ended ${plural(leftBehind, 'process', 'processes')} that the command left`];
  const changed = changes === 0 ? [] : [`${network}: the command changed it ${plural(changes, 'time')}`];
  if (Object.keys(counters).length === 0) return left;
  const isStill = (['down', 'up'] as const).every((direction) => crossed(run, direction).bytes === 0);
  const moved = isStill
    ? ['nothing crossed the network']
    : [crossedWords(run, 'down'), crossedWords(run, 'up')];
  const words = [...moved, ...others];
  return [`${network}: ${words.join('; ')}`, ...changed, ...left];
}

const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? NaN) + (sorted[Math.ceil(middle)] ?? NaN)) / 2;
};

/** Each network with its times and exit codes, below a head. */
export function tableRows({ runs }: ExecReport): string[][] {
  const byNetwork = Map.groupBy(runs, ({ network }) => network);
  const rows = [...byNetwork].map(([network, own]) => {
    const times = own.map(({ durationMs }) => durationMs);
    const total = (count: (run: CommandRun) => number): number =>
      own.reduce((sum, run) => sum + count(run), 0);
    const dropped = total((run) => crossed(run, 'up').dropped + crossed(run, 'down').dropped);
    return [
      network,
      String(own.length),
      formatMeasured(median(times), 'ms'),
      `${formatMeasured(Math.min(...times), 'ms')} to ${formatMeasured(Math.max(...times), 'ms')}`,
      [...new Set(own.map(({ exitCode }) => exitCode))].join(', '),
      formatBytes(total((run) => crossed(run, 'down').bytes)),
      formatBytes(total((run) => crossed(run, 'up').bytes)),
      String(dropped),
    ];
  });
  return [
    ['network', 'runs', 'median time', 'shortest to longest', 'exit codes', 'down', 'up', 'dropped'],
    ...rows,
  ];
}
