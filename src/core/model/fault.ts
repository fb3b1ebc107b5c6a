import { H2h3Error } from './errors.ts';
import { didYouMean } from './nearest-name.ts';

const linkQuantities = ['delay', 'rate', 'loss', 'connect'] as const;
const quantities = [...linkQuantities, 'chunkdelay'] as const;

/** A worsening of the link. */
export interface LinkFault {
  readonly quantity: (typeof linkQuantities)[number];
  /** Percent of what is there (`+20%`), or ms of round trip or of connect (`+50ms`). */
  readonly amount: number;
  readonly unit: '%' | 'ms';
}

/** Chunks of video that a program behind the server holds back before it answers: those whose number is a multiple of `every`. */
export interface ChunkDelay {
  readonly quantity: 'chunkdelay';
  readonly delayMs: number;
  readonly every: number;
}

/** A worsening that is put upon an arm on purpose, to see whether it is found. */
export type Fault = LinkFault | ChunkDelay;

/** What a fault looks like, for messages. */
export const faultExamples =
  'delay=+20% (or +50ms of round trip), rate=-20%, loss=+1%, connect=+50ms, chunkdelay=1500ms/5 (every fifth chunk of video)';

/** A chunk that comes later than this would end every session. */
const maxChunkDelayMs = 60_000;

/** Undefined for what is none. */
function chunkDelayOf(words: string): ChunkDelay | undefined {
  const [, delay = '', every = ''] = /^chunkdelay=([1-9]\d{0,4})ms\/([1-9]\d{0,3})$/.exec(words) ?? [];
  const delayMs = Number(delay);
  if (delayMs === 0 || delayMs > maxChunkDelayMs) return undefined;
  return { quantity: 'chunkdelay', delayMs, every: Number(every) };
}

/** @throws H2h3Error `usage` for anything but `delay=+20%` and its like */
function parseOne(words: string): Fault {
  const held = chunkDelayOf(words);
  if (held !== undefined) return held;
  const [, name = '', number = '', unit = ''] = /^(\w+)=([+-]\d+(?:\.\d+)?)(%|ms)$/.exec(words) ?? [];
  const quantity = linkQuantities.find((known) => known === name);
  const units = { delay: ['%', 'ms'], rate: ['%'], loss: ['%'], connect: ['ms'] };
  if (quantity === undefined || !units[quantity].includes(unit))
    throw new H2h3Error('usage', `"${words}" is no fault that can be injected`, {
      context: { expected: faultExamples, got: words },
      next: didYouMean(name || (words.split('=')[0] ?? ''), quantities),
    });
  const amount = Number(number);
  if (quantity === 'connect' && amount < 0)
    throw new H2h3Error('usage', `"${words}": connecting cannot be made quicker`);
  return { quantity, amount, unit: unit === 'ms' ? 'ms' : '%' };
}

/** Faults as the factor `fault` holds them, one after the other behind commas. @throws H2h3Error `usage` */
export function parseFaults(value: string): Fault[] {
  const faults = value.split(',').map((words) => parseOne(words.trim()));
  if (faults.filter(isChunkDelay).length > 1)
    throw new H2h3Error('usage', `"${value}" holds chunks back twice`, {
      context: { expected: 'one chunkdelay for an arm', got: value },
    });
  return faults;
}

export const isChunkDelay = (fault: Fault): fault is ChunkDelay => fault.quantity === 'chunkdelay';

/** How chunks are held back under the faults of an arm; undefined where none are. @throws H2h3Error as `parseFaults` */
export function chunkDelayIn(faults: string | undefined): ChunkDelay | undefined {
  return faults === undefined ? undefined : parseFaults(faults).find(isChunkDelay);
}

/** The folder in the addresses of media of which chunks are held back: what answers for them keeps nothing between requests. */
export const heldFolder = ({ delayMs, every }: Pick<ChunkDelay, 'delayMs' | 'every'>): string =>
  `held-${delayMs}ms-${every}`;

/** The path of a file without that folder, and what the folder says; null: nothing is held back. */
export function readHeldPath(path: string): {
  readonly path: string;
  readonly held: Omit<ChunkDelay, 'quantity'> | null;
} {
  const [folder = '', delayMs = '', every = ''] = /^\/held-(\d{1,5})ms-([1-9]\d{0,3})(?=\/)/.exec(path) ?? [];
  if (folder === '') return { path, held: null };
  return { path: path.slice(folder.length), held: { delayMs: Number(delayMs), every: Number(every) } };
}
