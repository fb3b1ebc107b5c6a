import { defineFactor } from './factor.ts';
import { durationIn, durationText } from './forms.ts';
import { misfitOfItem, withItem } from './scheduled-item.ts';

/** Nothing passes for a time. */
export interface Outage {
  readonly forMs: number;
  /** After navigation start. */
  readonly atMs: number;
}

const longestMs = 60_000;
const latestMs = 600_000;

function read(text: string): Outage | undefined {
  const [duration = '', start = '', ...more] = text.split('@');
  const forMs = durationIn(duration);
  const atMs = durationIn(start);
  if (forMs === undefined || atMs === undefined || more.length > 0) return undefined;
  return forMs > 0 && forMs <= longestMs && atMs <= latestMs ? { forMs, atMs } : undefined;
}

const itemOf = ({ forMs, atMs }: Outage) => ({ atMs, forMs, outage: true }) as const;

/** A time in which nothing passes a link, both ways. */
export const outage = defineFactor({
  id: 'outage',
  title: 'outage',
  example: '2s@3s, 500ms@1500ms',
  form: {
    words: 'how long nothing passes, and when after navigation start, such as 2s@3s (60s at most)',
    read,
    write: ({ forMs, atMs }: Outage) => `${durationText(forMs)}@${durationText(atMs)}`,
  },
  honouredBy: ['link'],
  shape: (value: Outage, spec) => withItem(spec, itemOf(value)),
  unfit: (value, spec) => misfitOfItem(spec, itemOf(value)),
  setBy: 'emulator',
  provenBy: 'the link’s own count, time after time',
  readBack: 'linkSchedule.down',
});
