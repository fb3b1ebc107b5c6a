import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { heightPx, widthPx } from '../../reports/html/studies/figures/frame.ts';
import { drawFigure } from '../../reports/html/studies/figures/render-figure.ts';
import { mark } from '../../reports/html/studies/figures/marks.ts';
import { markup, type Markup } from '../../reports/html/markup.ts';
import { studyFigure } from '../../src/analyse/studies/study-figures.ts';
import type { StudyFigure } from '../../src/core/model/study-figure.ts';
import { experiments } from '../../src/app/presets/registry.ts';
import { keptFolder, readKeptRun } from '../../src/app/studies/kept-runs.ts';
import { projectDir } from './source-graph.ts';

/** The figure of each study that the docs show. */
const shown = [
  { file: 'zhang', id: 'Z3', place: 'table 2' },
  { file: 'liu', id: 'L2', place: 'figure 5' },
  { file: 'kakhki', id: 'K3', place: 'table 4' },
  { file: 'shreedhar', id: 'S1', place: 'figures 5, 6, 7' },
] as const;

const keyPx = 20;

/** The page's own styles of figures, in light colours: a picture in a text is not told which scheme surrounds it. */
function style(): string {
  const sheet = (name: string): string =>
    readFileSync(join(projectDir, 'reports', 'html', 'styles', name), 'utf8');
  const [root = ''] = /:root \{[^}]*\}/.exec(sheet('base.css')) ?? [];
  const rules =
    sheet('studies.css').match(
      /(?:^|\n)(?::root|\.sf[\w-]*(?: text| \.sf-title)?(?:,\n\.sf-\w+)*) \{[^}]*\}/g,
    ) ?? [];
  return [root, ...rules, 'text { font-family: sans-serif; }']
    .join('\n')
    .replaceAll(/light-dark\(([^,]+), [^)]+\)/g, '$1')
    .replaceAll(/\n\s*/g, ' ');
}

function legend({ series }: StudyFigure): Markup {
  const drawn = series.flatMap(({ name, points, published }, index) =>
    points.length + published.length > 0 ? [[name, index] as const] : [],
  );
  const width = widthPx / Math.max(1, drawn.length);
  return markup`${drawn.map(([name, index]) => markup`${mark(index, 'ours', index * width + 10, heightPx + 10)}<text x="${index * width + 20}" y="${heightPx + 13}">${name}</text>`)}<text class="sf-title" x="6" y="${heightPx + keyPx + 12}">Black: published. Violet: measured here, with its interval of 95 %.</text>`;
}

/** A picture for each study, from the runs that the project keeps: path below the project, and SVG. */
export function studyPictures(): readonly (readonly [file: string, svg: string])[] {
  return shown.map(({ file, id, place }) => {
    const experiment = experiments().find((each) => each.id === id);
    const spec = experiment?.figures.find((figure) => figure.place === place);
    if (experiment === undefined || spec === undefined) throw new Error(`${id} has no figure of ${place}`);
    const figure = studyFigure(spec, readKeptRun(join(keptFolder(), `${experiment.preset}.json`)));
    const height = heightPx + 2 * keyPx;
    const { text } =
      markup`<svg xmlns="http://www.w3.org/2000/svg" class="sf" viewBox="0 0 ${widthPx} ${height}" width="${2 * widthPx}" height="${2 * height}" role="img" aria-label="${`${figure.title}, ${place}`}"><style>${style()}</style><rect width="100%" height="100%" fill="#fff"/>${drawFigure(figure)}${legend(figure)}</svg>`;
    return [`docs/studies/${file}.svg`, `${text}\n`] as const;
  });
}
