import type { WorkloadKind } from '../../../src/core/model/workload.ts';
import { armTitle } from '../../format/labels.ts';
import { linkCourseSvg, stretchWords } from '../../svg/link-course.ts';
import { Markup, markup } from '../markup.ts';
import type { ReportContext } from '../report-context.ts';

/** Longer lists are in the trial's evidence. */
const maxListed = 8;

/** What crossed links that change with time, over what was in force; nothing for a run without such links. */
export function linkCourses({ summary, labels }: ReportContext): Markup {
  const { linkCourses: all = [] } = summary;
  if (all.length === 0) return markup``;
  const kinds = new Map(summary.workloads.map(({ id, kind }): [string, WorkloadKind] => [id, kind]));
  const figures = all.map((courses) => {
    const { workload, client, network, blockIndex, arms } = courses;
    const schedule = arms[0]?.schedule ?? [];
    const told = schedule.slice(0, maxListed).map((stretch) => markup`<li>${stretchWords(stretch)}</li>`);
    return markup`<figure class="link-course-figure">
      <figcaption>${labels.workload(workload, kinds.get(workload) ?? 'page')}, ${labels.client(client)}, ${labels.network(network)}, block ${blockIndex + 1}: Mbit/s</figcaption>
      ${new Markup(linkCourseSvg(courses, armTitle))}
      ${told.length > 0 && markup`<ul>${told}</ul>`}
    </figure>`;
  });
  return markup`<section id="link-courses" aria-labelledby="link-courses-title">
    <h2 id="link-courses-title">The link over time</h2>
    <p class="note">
      Rate, delay and loss as the link itself counted them, from navigation start on, in the first block that every arm
      finished. Bands show when the schedule of the link set something, dashed lines what it set. In a dark band nothing
      passes. A delay includes the time in the queue.
    </p>
    ${figures}
  </section>`;
}
