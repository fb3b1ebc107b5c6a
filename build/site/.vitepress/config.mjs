/**
 * The documentation as a site, by `npm run site`: the pages of the repository as they are, with search. A link that leads
 * nowhere fails the build. Links to files that are no pages go to the repository, which `SITE_REPOSITORY` names.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const projectDir = join(import.meta.dirname, '../../..');
const repository = (process.env.SITE_REPOSITORY ?? '').replace(/\/$/, '');
const titleOf = (page) => /^# (.*)$/m.exec(readFileSync(join(projectDir, page), 'utf8'))?.[1] ?? page;
const pageLink = (page) => ({ text: titleOf(page), link: `/${page.replace(/\.md$/, '')}` });

/** The pages of docs/ by what a reader wants of them. What is in no group here is under the last. */
const groups = [
  ['Start', ['docs/first-run.md', 'docs/reading-a-report.md']],
  [
    'Do',
    [
      'your-app',
      'live-addresses',
      'journeys',
      'sites',
      'video',
      'networks',
      'h2h3-link',
      'senders',
      'versions-and-gate',
      'many-machines',
    ],
  ],
  [
    'Look up',
    ['commands', 'factors', 'metrics', 'clients-and-servers', 'library', 'compatibility', 'limits'],
  ],
  ['Findings', ['studies', 'findings', 'questions']],
].map(([text, pages]) => [text, pages.map((page) => (page.includes('/') ? page : `docs/${page}.md`))]);
/** Sample reports are pages of their own kind, which `npm run site` puts beside their list. */
const samples = [
  ...readFileSync(join(projectDir, 'reports/examples/README.md'), 'utf8').matchAll(/^\| `([\w-]+\.html)` /gm),
].map(([, name]) => ({
  text: `Sample: ${name.replace('.html', '')}`,
  link: `/reports/examples/${name}`,
  target: '_blank',
}));
const grouped = new Set(groups.flatMap(([, pages]) => pages));
const rest = readdirSync(join(projectDir, 'docs'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`)
  .filter((page) => !grouped.has(page));

const isNoPage = (href, page) => {
  if (/^(?:[a-z]+:|#|\/)/i.test(href)) return false;
  const target = join(projectDir, dirname(page), href.replace(/[#?].*$/, ''));
  return existsSync(target) && (statSync(target).isDirectory() || !/\.(?:md|png|svg|webp)$/.test(target));
};

/** Headings are linked as the repository's own pages link them. */
const anchorOf = (heading) =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

export default {
  title: 'h2h3',
  description: 'Head to head, 2 against 3: HTTP/3 against HTTP/2, measured in real browsers',
  srcDir: projectDir,
  srcExclude: ['node_modules/**', 'results/**', 'tests/**', 'dist/**', '.h2h3/**'],
  outDir: join(projectDir, 'results/site'),
  cacheDir: join(projectDir, '.h2h3/site'),
  rewrites: { 'README.md': 'index.md' },
  cleanUrls: true,
  // Files of the repository, which are known to be there (`isNoPage`), where it has no address.
  ignoreDeadLinks: [/^\/blob\/main\//],
  markdown: {
    anchor: { slugify: anchorOf },
    config: (markdown) => {
      const plain = markdown.renderer.rules.link_open;
      markdown.renderer.rules.link_open = (...given) => {
        const [tokens, index, options, environment, self] = given;
        const token = tokens[index];
        const href = token.attrGet('href') ?? '';
        const page = relative(projectDir, environment.path ?? projectDir);
        if (isNoPage(href, page))
          token.attrSet('href', `${repository}/blob/main/${join(dirname(page), href)}`);
        return plain === undefined ? self.renderToken(tokens, index, options) : plain(...given);
      };
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    sidebar: [
      ...groups.map(([text, pages]) => ({ text, items: pages.map(pageLink) })),
      { text: 'Sample reports', items: [pageLink('reports/examples/README.md'), ...samples] },
      { text: 'How it works', items: rest.map(pageLink) },
      { text: 'Project', items: ['CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'].map(pageLink) },
    ],
  },
};
