import { distributionFigure } from './distribution.ts';
import { figure, removeFigures } from './figure.ts';
import type { FigureSpec } from './figure.ts';
import { forestFigure } from './forest.ts';
import { curveFigure } from './ratio-curve.ts';
import { make, unique } from './read-page.ts';
import type { Page } from './read-page.ts';
import { sessionFigures } from './sessions.ts';
import { waterfalls } from './waterfall.ts';

interface Choice {
  readonly label: string;
  readonly options: readonly string[];
}

/** Selects for these choices; `show` is told the chosen texts, at once and after each change. One option needs no select. */
function chooser(
  holder: Element,
  choices: readonly Choice[],
  show: (chosen: readonly string[]) => void,
): void {
  const selects = choices.map(({ options }) =>
    make('select', {}, ...options.map((option) => make('option', { value: option }, option))),
  );
  const refresh = (): void => {
    show(selects.map(({ value }) => value));
  };
  selects.forEach((select, i) => {
    const choice = choices[i];
    if (choice !== undefined && choice.options.length > 1) {
      holder.append(make('label', {}, choice.label, select));
    }
    select.addEventListener('change', refresh);
  });
  refresh();
}

function show(holder: Element, specs: readonly (FigureSpec | null)[], otherwise: string): void {
  removeFigures(holder);
  const figures = specs.filter((spec) => spec !== null).map((spec) => figure(spec));
  holder.append(...(figures.length > 0 ? figures : [make('p', { class: 'empty' }, otherwise)]));
}

const kinds: Readonly<Record<string, string>> = { page: 'Web pages', video: 'Video', download: 'Downloads' };

function startEffects(page: Page, choice: Element, holder: Element): void {
  const nameOf = (one: Page['comparisons'][number]): string =>
    `${kinds[one.kind] ?? one.kind}: ${one.metric}`;
  const choices = [
    { label: 'Metric', options: unique(page.comparisons.map(nameOf)) },
    { label: 'Condition', options: unique(page.comparisons.map(({ place }) => place)) },
  ];
  chooser(choice, choices, ([metric, place]) => {
    const chosen = page.comparisons.filter((one) => nameOf(one) === metric && one.place === place);
    show(
      holder,
      [forestFigure(chosen), curveFigure(chosen)],
      'No estimate of this metric in this condition.',
    );
  });
}

function startDistributions(page: Page, choice: Element, holder: Element): void {
  const choices = [
    { label: 'Workload', options: unique(page.comparisons.map(({ workload }) => workload)) },
    { label: 'Condition', options: unique(page.comparisons.map(({ place }) => place)) },
  ];
  chooser(choice, choices, ([workload, place]) => {
    const chosen = page.comparisons.filter((one) => one.workload === workload && one.place === place);
    show(holder, chosen.map(distributionFigure), 'No block of this workload has a value in this condition.');
  });
}

function startSessions(page: Page, choice: Element, holder: Element): void {
  const most = Math.max(0, ...page.sessionGroups.map(({ blocks }) => blocks.length));
  const places = Array.from({ length: most }, (_, i) =>
    i === 0 ? 'closest to the result' : `${i + 1}. closest`,
  );
  const choices = [
    { label: 'Sessions', options: page.sessionGroups.map(({ title }) => title) },
    { label: 'Block', options: places },
  ];
  chooser(choice, choices, ([title, place]) => {
    const group = page.sessionGroups.find((one) => one.title === title);
    const block = group?.blocks[places.indexOf(place ?? '')];
    const left = group?.leftOut ?? 0;
    const none =
      left > 0
        ? 'The timeline of this block was left out to keep the page small; summary.json has it.'
        : 'This condition has no such block.';
    show(holder, block === undefined ? [] : sessionFigures(block, page.baselineArm), none);
  });
}

function startInside(page: Page, choice: Element, holder: Element): void {
  const titles = page.pageLoads.map(({ title }) => title);
  chooser(choice, [{ label: 'Page', options: unique(titles) }], ([title]) => {
    const group = page.pageLoads.find((one) => one.title === title);
    holder.replaceChildren(...(group ? waterfalls(group) : []));
  });
}

/** Fills the places for plots that the page's markup left. */
export function startPlots(page: Page): void {
  const starts = {
    effect: startEffects,
    distribution: startDistributions,
    inside: startInside,
    session: startSessions,
  };
  for (const [name, start] of Object.entries(starts)) {
    const choice = document.getElementById(`${name}-choice`);
    const holder = document.getElementById(`${name}-plots`);
    if (choice !== null && holder !== null) start(page, choice, holder);
  }
}
