import type { PlanFileInput } from '../plan-file.ts';

type PresetPlan = Omit<PlanFileInput, 'name'>;

/** How much of a study is run: `quick` shows its direction, `paper` is as it was published. */
export const scaleNames = ['quick', 'standard', 'paper'] as const;
export type ScaleName = (typeof scaleNames)[number];

/** A plan that ships with the project, under a name. */
export interface Preset {
  readonly id: string;
  readonly title: string;
  /** What runs without `--scale`; of a study its quick scale. */
  readonly plan: PresetPlan;
  /** Of a study: its plan at each scale. */
  readonly scales?: Readonly<Record<ScaleName, PresetPlan>>;
}
