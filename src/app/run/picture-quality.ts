import { H2h3Error } from '../../core/model/errors.ts';
import type { Plan } from '../../core/model/plan.ts';
import type { PreparedWorkload } from '../../core/model/workload.ts';

/** Metrics of pictures that were compared when a film was encoded. */
const ofPictures: readonly string[] = ['qoeVmaf', 'meanVmaf'];

/**
 * A run that is decided by picture quality needs films of which it is known.
 *
 * @throws H2h3Error `unsupported` where a film has none, because no ffmpeg here can work it out
 */
export function requirePictureQuality(
  { primary }: Pick<Plan, 'primary'>,
  prepared: ReadonlyMap<string, Pick<PreparedWorkload, 'kind' | 'vmaf'>>,
): void {
  if (primary.video === undefined || !ofPictures.includes(primary.video)) return;
  const [film] = [...prepared].find(([, { kind, vmaf }]) => kind === 'video' && vmaf === undefined) ?? [];
  if (film === undefined) return;
  throw new H2h3Error(
    'unsupported',
    `${primary.video} decides, and the picture quality of ${film} is not known`,
    {
      context: { expected: 'an ffmpeg with libvmaf, and tracks that differ in their pictures' },
      next: 'Put such an ffmpeg on PATH, or let another metric decide: `primary: { video: startupDelayMs }` in a plan file.',
    },
  );
}
