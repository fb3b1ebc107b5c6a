import { formatLevel, plural } from '../../format/numbers.ts';
import { chosen, remember } from './address.ts';
import { chunkBitratesFigure } from './chunk-bitrates.ts';
import type { PageComparison } from '../page-data.ts';
import { corpusFigure } from './corpus.ts';
import { distributionFigure, isSameInBothArms } from './distribution.ts';
import { figure, removeFigures } from './figure.ts';
import type { FigureSpec } from './figure.ts';
import { forestFigure } from './forest.ts';
import { frameFigures } from './frames.ts';
import { heatMapFigure } from './heat-map.ts';
import { curveFigure } from './ratio-curve.ts';
import { ladderStepsFigure } from './ladder-steps.ts';
import { messageFigures } from './messages.ts';
import { make, unique } from './read-page.ts';
import type { Page } from './read-page.ts';
import { sweepFigures } from './sweep.ts';
import { sessionFigures } from './sessions.ts';
import { isSiteCurve, siteCurvesFigure } from './site-curves.ts';
import { visualProgressFigure } from './visual-progress.ts';
import { comparedLoads } from './compared-loads.ts';

interface Choice {
  readonly label: string;
  readonly options: readonly string[];
}

/**
 * Selects for these choices; `show` is told the chosen texts, at once and after each change. One option needs no select.
 * What is chosen stands in the address, under the label.
 */
function chooser(
  holder: Element,
  choices: readonly Choice[],
  show: (chosen: readonly string[]) => void,
): void {
  const selects = choices.map(({ options }) =>
    make('select', {}, ...options.map((option) => make('option', { value: option }, option))),
  );
  const nameOf = (i: number): string =>
    `${holder.id.replace('-choice', '')}-${(choices[i]?.label ?? '').toLowerCase()}`;
  const refresh = (): void => {
    show(selects.map(({ value }) => value));
  };
  const restore = (): void => {
    selects.forEach((select, i) => {
      const wanted = wantedOption(holder.id, choices[i], chosen(nameOf(i)));
      if (wanted !== undefined) select.value = wanted;
    });
  };
  selects.forEach((select, i) => {
    const choice = choices[i];
    if (choice !== undefined && choice.options.length > 1) {
      holder.append(make('label', {}, choice.label, select));
    }
    select.addEventListener('change', () => {
      remember({ [nameOf(i)]: select.selectedIndex === 0 ? '' : select.value, page: '' });
      refresh();
    });
  });
  restore();
  refresh();
  addEventListener('hashchange', () => {
    const before = selects.map(({ value }) => value).join();
    restore();
    if (selects.map(({ value }) => value).join() !== before) refresh();
  });
}

/** The option that the address asks for; the page that fared worst has a name of its own, its pages come worst first. */
function wantedOption(
  holderId: string,
  choice: Choice | undefined,
  value: string | null,
): string | undefined {
  const worst = holderId === 'inside-choice' && choice?.label === 'Page' && chosen('page') === 'worst';
  return worst ? choice.options[0] : choice?.options.find((option) => option === value);
}

function show(holder: Element, specs: readonly (FigureSpec | null)[], otherwise: string): void {
  removeFigures(holder);
  const figures = specs.filter((spec) => spec !== null).map((spec) => figure(spec));
  holder.append(...(figures.length > 0 ? figures : [make('p', { class: 'empty' }, otherwise)]));
}

const kinds: Readonly<Record<string, string>> = {
  page: 'Web pages',
  video: 'Video',
  download: 'Downloads',
  messages: 'Messages',
};

/** All conditions side by side, where a run has several. */
const everywhere = 'all conditions';

function placesOf({ comparisons }: Page): string[] {
  const places = unique(comparisons.map(({ place }) => place));
  return places.length > 1 ? [everywhere, ...places] : places;
}

function startEffects(page: Page, choice: Element, holder: Element): void {
  const nameOf = (comparison: Page['comparisons'][number]): string =>
    `${kinds[comparison.kind] ?? comparison.kind}: ${comparison.metric}`;
  const choices = [
    { label: 'Metric', options: unique(page.comparisons.map(nameOf)) },
    { label: 'Condition', options: placesOf(page) },
  ];
  chooser(choice, choices, ([metric, place]) => {
    const here = page.comparisons.filter((comparison) => place === everywhere || comparison.place === place);
    const chosen = here.filter((comparison) => nameOf(comparison) === metric);
    if (place === everywhere) {
      show(holder, [forestFigure(chosen)], 'No estimate of this metric in any condition.');
      return;
    }
    const together = chosen.some(({ metricName }) => isSiteCurve(metricName)) ? siteCurvesFigure(here) : null;
    show(
      holder,
      [forestFigure(chosen), together ?? curveFigure(chosen)],
      'No estimate of this metric in this condition.',
    );
  });
}

/** Plots of metrics of which every block has the same value in both arms show nothing: they fold. */
function foldedAlike(alike: readonly PageComparison[]): HTMLElement {
  const names = alike.map(({ metric, metricName, baseline: { median }, unit }) =>
    `${metric} ${formatLevel(median, unit, metricName)} ${unit}`.trim(),
  );
  const plots = make('div', { class: 'figures grid' });
  const details = make(
    'details',
    { class: 'alike' },
    make(
      'summary',
      {},
      `The same in both arms in every block: ${plural(alike.length, 'metric')} (${names.join(', ')})`,
    ),
    plots,
  );
  details.addEventListener('toggle', () => {
    if (!details.open || plots.childElementCount > 0) return;
    const specs = alike.map(distributionFigure).filter((spec) => spec !== null);
    plots.append(...specs.map(figure));
  });
  return details;
}

/** Distributions shown at first; the others come on demand. */
const maxDistributions = 6;

function startDistributions(page: Page, choice: Element, holder: Element): void {
  const choices = [
    { label: 'Workload', options: unique(page.comparisons.map(({ workload }) => workload)) },
    { label: 'Condition', options: unique(page.comparisons.map(({ place }) => place)) },
  ];
  chooser(choice, choices, ([workload, place]) => {
    const chosen = page.comparisons.filter(
      (comparison) => comparison.workload === workload && comparison.place === place,
    );
    const none = 'No block of this workload has a value in this condition.';
    const alike = chosen.filter(isSameInBothArms);
    const differing = chosen.filter((comparison) => !alike.includes(comparison));
    const specs = differing.map(distributionFigure).filter((spec) => spec !== null);
    show(holder, specs.slice(0, maxDistributions), alike.length > 0 ? 'No metric differs.' : none);
    const rest = specs.slice(maxDistributions);
    if (rest.length > 0) holder.append(moreButton(rest));
    if (alike.length > 0) holder.append(foldedAlike(alike));
  });
}

/** What a viewer notices, in this order. */
const viewedMetrics: readonly string[] = [
  'meanVmaf',
  'timeWeightedBitrateKbps',
  'stallTotalMs',
  'startupDelayMs',
];

function startViewing(page: Page, choice: Element, holder: Element): void {
  const viewed = viewedMetrics.flatMap((name) =>
    page.comparisons.filter(({ metricName, kind }) => metricName === name && kind === 'video'),
  );
  const choices = [
    { label: 'Film', options: unique(viewed.map(({ workload }) => workload)) },
    { label: 'Condition', options: unique(viewed.map(({ place }) => place)) },
  ];
  chooser(choice, choices, ([workload, place]) => {
    const here = viewed.filter(
      (comparison) => comparison.workload === workload && comparison.place === place,
    );
    const alike = here.filter(isSameInBothArms);
    const differing = here.filter((comparison) => !alike.includes(comparison));
    show(holder, differing.map(distributionFigure), 'No session differs from the other side’s.');
    if (alike.length > 0) holder.append(foldedAlike(alike));
  });
}

function moreButton(rest: readonly FigureSpec[]): HTMLElement {
  const more = make(
    'button',
    { type: 'button', class: 'more' },
    `Show ${plural(rest.length, 'more metric')}`,
  );
  more.addEventListener('click', () => {
    more.replaceWith(...rest.map(figure));
  });
  return more;
}

/** Names of blocks in the order of their likeness to the overall result. */
function closenessNames(count: number): string[] {
  return Array.from({ length: count }, (_, i) => (i === 0 ? 'closest to the result' : `${i + 1}. closest`));
}

function startSessions(page: Page, choice: Element, holder: Element): void {
  const places = unique(page.sessionGroups.flatMap(({ blocks }) => blocks.map(({ place }) => place)));
  const choices = [
    { label: 'Sessions', options: page.sessionGroups.map(({ title }) => title) },
    { label: 'Block', options: places },
  ];
  chooser(choice, choices, ([title, place]) => {
    const group = page.sessionGroups.find((sessionGroup) => sessionGroup.title === title);
    const block = group?.blocks.find((one) => one.place === place);
    const left = group?.leftOut ?? 0;
    const none =
      left > 0
        ? 'The timeline of this block was left out to keep the page small. It is in summary.json.'
        : 'This condition has no such block.';
    show(holder, block === undefined ? [] : sessionFigures(block, page.baselineArm), none);
  });
}

function startInside(page: Page, choice: Element, holder: Element): void {
  const byTitle = Map.groupBy(page.pageLoads, ({ title }) => title);
  const most = Math.max(0, ...[...byTitle.values()].map((groups) => groups.length));
  const choices = [
    { label: 'Page', options: [...byTitle.keys()] },
    { label: 'Block', options: closenessNames(most) },
  ];
  chooser(choice, choices, ([title, place]) => {
    const group = byTitle.get(title ?? '')?.[closenessNames(most).indexOf(place ?? '')];
    if (group === undefined) {
      show(holder, [], 'This page has no further block here. Its HARs are in the run directory.');
      return;
    }
    // A load without frames has no curve; its requests are shown all the same.
    const curve = visualProgressFigure(group, page.baselineArm);
    removeFigures(holder);
    if (curve !== null) holder.append(figure(curve));
    const changes = page.pageChanges.find((pageChange) => pageChange.title === title);
    holder.append(...comparedLoads(group, changes, page));
  });
}

function startGrid(page: Page, choice: Element, holder: Element): void {
  const { heatMaps } = page.patterns;
  const nameOf = ({ metric, place, candidate }: (typeof heatMaps)[number]): string =>
    [metric, place, candidate].filter(Boolean).join(', ');
  chooser(choice, [{ label: 'Map', options: unique(heatMaps.map(nameOf)) }], ([name]) => {
    const maps = heatMaps.filter((map) => nameOf(map) === name);
    show(holder, maps.map(heatMapFigure), 'No point of the grid has a comparison yet.');
  });
}

function startSweeps(page: Page, choice: Element, holder: Element): void {
  const { sweeps } = page.patterns;
  chooser(choice, [{ label: 'Workload', options: unique(sweeps.map(({ title }) => title)) }], ([title]) => {
    const chosen = sweeps.filter((sweep) => sweep.title === title);
    show(holder, chosen.flatMap(sweepFigures), 'No condition of this workload has a value.');
  });
}

function startQuality(page: Page, _choice: Element, holder: Element): void {
  const { chunkBitrates, ladderSteps } = page.patterns;
  show(
    holder,
    [
      ...chunkBitrates.map((bitrates) => chunkBitratesFigure(bitrates, page.baselineArm)),
      ...ladderSteps.map(ladderStepsFigure),
    ],
    'No chunk was played in any session.',
  );
}

/** Shows the figures of the group that is chosen by its title. */
function showGroup<Group extends { readonly title: string }>(
  {
    choice,
    holder,
    label,
    groups,
  }: { choice: Element; holder: Element; label: string; groups: readonly Group[] },
  figuresOf: (group: Group) => FigureSpec[],
  none: string,
): void {
  chooser(choice, [{ label, options: groups.map(({ title }) => title) }], ([title]) => {
    const group = groups.find((one) => one.title === title);
    show(holder, group === undefined ? [] : figuresOf(group), none);
  });
}

function startMessages({ patterns, baselineArm }: Page, choice: Element, holder: Element): void {
  const of = { choice, holder, label: 'Messages', groups: patterns.messages };
  showGroup(of, (group) => messageFigures(group, baselineArm), 'No message came back.');
}

function startFrames({ patterns, baselineArm }: Page, choice: Element, holder: Element): void {
  const of = { choice, holder, label: 'Broadcasts', groups: patterns.frames };
  showGroup(of, (group) => frameFigures(group, baselineArm), 'No frame was seen.');
}

function startCorpus(page: Page, _choice: Element, holder: Element): void {
  const { corpus } = page.patterns;
  show(holder, [corpusFigure(corpus)], 'Objects and bytes are known of fewer than two of these pages.');
}

/** Fills the places for plots that the page's markup left. */
export function startPlots(page: Page): void {
  const starts = {
    effect: startEffects,
    distribution: startDistributions,
    viewing: startViewing,
    grid: startGrid,
    sweep: startSweeps,
    quality: startQuality,
    corpus: startCorpus,
    message: startMessages,
    frame: startFrames,
    inside: startInside,
    session: startSessions,
  };
  for (const [name, start] of Object.entries(starts)) {
    const choice = document.getElementById(`${name}-choice`);
    const holder = document.getElementById(`${name}-plots`);
    if (choice !== null && holder !== null) start(page, choice, holder);
  }
}
