import type { PlanFileInput } from '../plan-file.ts';

/** A plan that ships with the project, under a name. */
export interface Preset {
  readonly id: string;
  readonly title: string;
  readonly plan: Omit<PlanFileInput, 'name'>;
}
