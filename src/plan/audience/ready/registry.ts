import type { Audience } from '../../../core/model/audience.ts';
import { readAudienceLines } from '../read-audience.ts';
import { cruxIndia2019 } from './crux-india-2019.ts';
import { cruxRoundTrips2024 } from './crux-round-trips-2024.ts';
import { cruxWorld2019 } from './crux-world-2019.ts';
import type { ReadyAudience } from './ready-audience.ts';

export const readyAudiences: readonly ReadyAudience[] = [cruxWorld2019, cruxIndia2019, cruxRoundTrips2024];

/** Whether a word is one of these and not a file, which `./` in front says. */
export function isReadyAudience(name: string): boolean {
  return readyAudiences.some(({ id }) => id === name);
}

/** The audience of that name; undefined of a file. */
export function readyAudience(name: string): Audience | undefined {
  const ready = readyAudiences.find(({ id }) => id === name);
  if (ready === undefined) return undefined;
  const audience = readAudienceLines(ready.lines, ready.id);
  return { ...audience, notes: [ready.source, ...audience.notes] };
}
