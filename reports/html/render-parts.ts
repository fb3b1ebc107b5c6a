import type { Summary } from '../../src/core/model/summary.ts';
import { plural } from '../format/numbers.ts';
import { buildPageData, pageComparison } from './build-page-data.ts';
import { buildPageLoads } from './build-page-loads.ts';
import { markup } from './markup.ts';
import type { Markup } from './markup.ts';
import type { PageData, PageLoadGroup } from './page-data.ts';
import type { PageLoadEvidence } from './page-loads.ts';
import { loadBatches, sessionBatches, valueBatches } from './part-batches.ts';
import type { PageAssets } from './page-shell.ts';
import { pageText, topBar } from './page-shell.ts';
import type { ReportContext } from './report-context.ts';
import { pageLoadPlots, sessionPlots } from './sections/plots.ts';

/** A page of a report: its path next to the run, and what it holds. */
export interface ReportPage {
  readonly path: string;
  readonly text: string;
}

/** A further page of a report that did not fit into one file. */
export interface ReportPart extends ReportPage {
  readonly kind: 'inside' | 'sessions' | 'values';
  readonly title: string;
  /** What can be chosen in it. */
  readonly contents: readonly string[];
}

export const partFolder = 'report';

interface Draft {
  readonly kind: ReportPart['kind'];
  readonly title: string;
  readonly contents: readonly string[];
  readonly body: Markup;
  readonly data: PageData;
}

function reduced(context: ReportContext, part: Partial<Summary>): ReportContext {
  const patterns = { grid: [], corpus: [], ladderSteps: [], chunkBitrates: [] };
  const recorded = { comparisons: [], sessions: [], diagnosis: [] };
  const summary = { ...context.summary, ...patterns, ...recorded, ...part };
  // Parts stand in a folder of their own.
  const harFolder = context.harFolder === null ? null : `../${context.harFolder}`;
  return { ...context, summary, harFolder };
}

const distinct = (items: readonly string[]): string[] => [...new Set(items)];

function insideDraft(context: ReportContext, loads: readonly PageLoadEvidence[]): Draft {
  const room = { requests: Infinity, frameBytes: Infinity, curves: 0 };
  const { groups } = buildPageLoads(loads, context.summary.run, context.labels, room);
  return {
    kind: 'inside',
    title: 'Inside page loads',
    contents: distinct(groups.map(({ title }: PageLoadGroup) => title)),
    body: pageLoadPlots(groups, 0),
    data: buildPageData(reduced(context, {}), [], groups),
  };
}

function sessionDraft(context: ReportContext, sessions: Summary['sessions']): Draft {
  const own = reduced(context, { sessions });
  const data = buildPageData(own, [], []);
  return {
    kind: 'sessions',
    title: 'Video sessions',
    contents: data.sessionGroups.map(({ title }) => title),
    body: sessionPlots(own),
    data,
  };
}

function valueDraft(context: ReportContext, comparisons: Summary['comparisons']): Draft {
  const shown = comparisons.map((comparison) => pageComparison(comparison, context));
  return {
    kind: 'values',
    title: 'Single blocks',
    contents: distinct(shown.map(({ workload }) => workload)),
    body: markup`<section id="distributions" aria-labelledby="distributions-title">
      <h2 id="distributions-title">Distributions with every block</h2>
      <p class="note">Each pair of points is one block, joined because both were measured in the same block.</p>
      <div class="filters js" id="distribution-choice"></div>
      <div id="distribution-plots" class="figures grid"></div>
    </section>`,
    data: buildPageData(reduced(context, { comparisons }), shown, []),
  };
}

function finish(draft: Draft, number: number, context: ReportContext, assets: PageAssets): ReportPart {
  const { kind, title, contents, body, data } = draft;
  const { run, environment } = context.summary;
  const page = markup`${topBar(markup`<a href="../report.html">${run.name}</a>`, [['../report.html', '← Back to the report']])}
    <main id="main"><h1 class="long longer">${title}, part ${number}</h1>${body}</main>
    <footer><p>Made by h2h3${environment && ` ${environment.h2h3.version}`}: a part of <a href="../report.html">the report</a>. It loads nothing from the network.</p></footer>`;
  return {
    kind,
    title: `${title}, part ${number}`,
    contents,
    path: `${partFolder}/${kind}-${number}.html`,
    text: pageText({ title: `${title}, part ${number} · ${run.name} · h2h3`, assets, body: page, data }),
  };
}

/** What the first page of a report has no room for. */
export interface LeftOut {
  readonly loads: readonly PageLoadEvidence[];
  readonly sessions: Summary['sessions'];
  readonly comparisons: Summary['comparisons'];
}

/** Pages for everything that was left out; none where nothing was. */
export function renderParts(context: ReportContext, leftOut: LeftOut, assets: PageAssets): ReportPart[] {
  const drafts = [
    loadBatches(leftOut.loads).map((batch) => insideDraft(context, batch)),
    sessionBatches(leftOut.sessions).map((batch) => sessionDraft(context, batch)),
    valueBatches(leftOut.comparisons).map((batch) => valueDraft(context, batch)),
  ];
  return drafts.flatMap((ofKind) => ofKind.map((draft, i) => finish(draft, i + 1, context, assets)));
}

/** The way from the first page into the parts: a link for each, and what it holds. */
export function partLinks(parts: readonly ReportPart[]): Markup {
  if (parts.length === 0) return markup``;
  const items = parts.map(({ path, title, contents }) => {
    const links = contents.map(
      (content) => markup`<li><a href="${path}#${encodeURIComponent(content)}">${content}</a></li>`,
    );
    return markup`<li><a href="${path}">${title}</a><details><summary>${plural(contents.length, 'entry', 'entries')}</summary><ul class="part-contents">${links}</ul></details></li>`;
  });
  return markup`<section id="parts" aria-labelledby="parts-title">
    <h2 id="parts-title">More of this run</h2>
    <p class="note">What one page has no room for is in pages of its own, in the folder <code>${partFolder}</code> next to this file.</p>
    <ul class="parts">${items}</ul>
  </section>`;
}
