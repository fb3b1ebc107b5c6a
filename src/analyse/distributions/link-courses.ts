import type { LinkCourses } from '../../core/model/link-courses.ts';
import type { Summary } from '../../core/model/summary.ts';
import type { ConditionTrials, TrialTable } from '../comparison/trial-table.ts';

/** Of each condition over a link that follows a schedule, the first block in which every arm has its course. */
export function linkCourses({ conditions }: Pick<TrialTable, 'conditions'>): Pick<Summary, 'linkCourses'> {
  const all = conditions
    .filter(({ step }) => step === undefined)
    .flatMap((condition) => coursesIn(condition) ?? []);
  return all.length === 0 ? {} : { linkCourses: all };
}

function coursesIn({ condition, blocks, recordsByArm }: ConditionTrials): LinkCourses | undefined {
  const { workload, client, network } = condition;
  for (const blockIndex of blocks) {
    const arms = [...recordsByArm].flatMap(([arm, records]) => {
      const record = records.get(blockIndex);
      const course = record?.status === 'ok' ? record.metrics.linkCourse : undefined;
      return course === undefined ? [] : [{ ...course, arm }];
    });
    if (arms.length > 0 && arms.length === recordsByArm.size)
      return { workload, client, network, blockIndex, arms };
  }
  return undefined;
}
