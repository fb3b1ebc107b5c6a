import { defineFactor } from './factor.ts';
import { durationIn, durationText } from './forms.ts';
import { misfitOfItem, withItem } from './scheduled-item.ts';

/** A share of the packets is lost for a time. */
export interface LossBurst {
  readonly percent: number;
  readonly forMs: number;
  /** After navigation start. */
  readonly atMs: number;
}

const longestMs = 600_000;
const written = /^(?<share>(?:0|[1-9]\d?)(?:\.\d{1,3})?)%\/(?<duration>[^/@]+)@(?<start>[^/@]+)$/;

function read(text: string): LossBurst | undefined {
  const { share = '', duration = '', start = '' } = written.exec(text)?.groups ?? {};
  const percent = Number(share);
  const forMs = durationIn(duration);
  const atMs = durationIn(start);
  if (forMs === undefined || atMs === undefined || percent === 0) return undefined;
  return forMs > 0 && forMs <= longestMs && atMs <= longestMs ? { percent, forMs, atMs } : undefined;
}

const itemOf = ({ percent, forMs, atMs }: LossBurst) => ({ atMs, forMs, lossPercent: percent });

/** A time in which a share of the packets is lost over a link, both ways, whatever its own loss is. */
export const lossburst = defineFactor({
  id: 'lossburst',
  title: 'burst of loss',
  example: '30%/2s@1s, 10%/500ms@2s',
  unsetLabel: 'no burst of loss',
  form: {
    words:
      'a share of the packets below 100 %, for how long, and when after navigation start, such as 30%/2s@1s',
    read,
    write: ({ percent, forMs, atMs }: LossBurst) =>
      `${percent}%/${durationText(forMs)}@${durationText(atMs)}`,
  },
  honouredBy: ['link'],
  shape: (value: LossBurst, spec) => withItem(spec, itemOf(value)),
  unfit: (value, spec) => misfitOfItem(spec, itemOf(value)),
  setBy: 'emulator',
  provenBy: 'the link’s own count, time after time',
  readBack: 'linkSchedule.down',
});
