/**
 * `npm run verify:first-test [-- --times 3]`: from an empty folder with a filled npm cache to the first shaped tests of Playwright, as
 * an ordinary user on whose PATH there is no compiler. The recipes of docs/h2h3-link.md, in this machine's Chromium and Firefox. The
 * median of the whole must be below 30 s, and each step is named with its time. About two minutes on an idle machine.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { formatTable } from '../../src/cli/table.ts';
import { projectDir } from '../support/cli.ts';
import { recipesOf, type Recipe } from '../support/recipes-of-page.ts';
import { browserHere, openLinkWorld, standInBrowsers, type LinkWorld } from './link-world.ts';

const { values } = parseArgs({ options: { times: { type: 'string', default: '3' } } });
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const limitS = 30;
/** The newest that drives Firefox 153 ESR. */
const playwright = '@playwright/test@1.64.1';
const compilers =
  /^(?:.*-)?(?:cc|gcc|g\+\+|c\+\+|c89|c99|clang|clang\+\+|tcc|zig|ld|as|cpp|make)(?:-[\d.]+)?$/;

/** A folder with every program of PATH but compilers. */
function pathWithoutCompiler(folder: string): string {
  const own = join(folder, 'programs');
  mkdirSync(own);
  const folders = [dirname(process.execPath), ...(process.env['PATH'] ?? '').split(delimiter)];
  for (const from of [...folders, '/usr/sbin', '/sbin'])
    for (const name of existsSync(from) ? readdirSync(from) : [])
      if (!compilers.test(name) && !existsSync(join(own, name))) {
        try {
          symlinkSync(join(from, name), join(own, name));
        } catch {
          // One whose target is gone has the name already.
        }
      }
  return own;
}

/** A step that was taken, s. */
type Step = readonly [name: string, seconds: number];

interface Tools {
  readonly world: LinkWorld;
  readonly path: string;
  readonly recipes: readonly Recipe[];
  readonly programs: { readonly chromium: string; readonly firefox: string | null };
}

/** @throws Error with what was said where a step fails */
async function timed(name: string, line: string, cwd: string, { world, path }: Tools): Promise<Step> {
  const beganMs = performance.now();
  const { code, stdout, stderr } = await world.run(`export PATH='${path}'; ${line}`, cwd);
  if (code !== 0) throw new Error(`${name}: exit ${code}\n${stdout}\n${stderr}`);
  return [name, (performance.now() - beganMs) / 1000];
}

/** The files of a recipe for this server and these browsers. */
function writeRecipe({ files }: Recipe, cwd: string, { world, programs }: Tools): void {
  for (const { name, text } of files)
    writeFileSync(
      join(cwd, name),
      text.replaceAll('3000', String(world.port)).replaceAll('/usr/bin/firefox', programs.firefox ?? ''),
    );
}

const installLine = (world: LinkWorld): string =>
  `npm install --prefer-offline --no-audit --no-fund --loglevel=error --save-dev ${world.tarball} ${playwright}`;

/** One user's way, with a home that has npm's cache and nothing else. */
async function oneWay(place: string, tools: Tools): Promise<Step[]> {
  const { world, recipes, programs } = tools;
  const [fixture, system] = recipes;
  const cwd = world.emptyFolder(place);
  const cache = `H2H3_CACHE='${world.emptyFolder(`${place}-cache`)}'`;
  const steps = [await timed('npm install', installLine(world), cwd, tools)];
  writeFileSync(join(cwd, 'shop.spec.js'), '');
  if (fixture === undefined || system === undefined) throw new Error('the recipes of Playwright are gone');
  // What a user has by `npx playwright install`.
  const browsers = `PLAYWRIGHT_BROWSERS_PATH='${standInBrowsers(world, cwd, programs.chromium)}'`;
  writeRecipe(fixture, cwd, tools);
  const test = 'npx playwright test shop.spec.js';
  steps.push(await timed('Chromium, by the fixture', `${cache} ${browsers} ${test}`, cwd, tools));
  if (programs.firefox === null) return steps;
  writeRecipe(system, cwd, tools);
  const behind = `npx h2h3-link cable --local ${world.port} -- ${test}`;
  steps.push(await timed('Firefox, by the command', `${cache} ${behind}`, cwd, tools));
  return steps;
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) / 2)] ?? NaN;

const world = await openLinkWorld();
try {
  const chromium = await browserHere('chromium');
  const firefox = await browserHere('firefox');
  if (typeof chromium === 'string') throw new Error(chromium);
  if (typeof firefox === 'string') say(`left out: Firefox: ${firefox}`);
  const page = readFileSync(join(projectDir, 'docs/h2h3-link.md'), 'utf8');
  const tools = {
    world,
    path: pathWithoutCompiler(world.folder),
    recipes: recipesOf(page, 'Recipes').filter(({ name }) => name.startsWith('Playwright Test')),
    programs: { chromium: chromium.program, firefox: typeof firefox === 'string' ? null : firefox.program },
  };
  const { code } = await world.run(`PATH='${tools.path}'; command -v cc || command -v gcc`, world.folder);
  if (code === 0) throw new Error('there is a compiler on the PATH that is to have none');
  await timed('filling the cache of npm', installLine(world), world.emptyFolder('warm'), tools);
  const ways: Step[][] = [];
  for (let time = 1; time <= Number(values.times); time += 1) ways.push(await oneWay(`way-${time}`, tools));
  const totals = ways.map((steps) => steps.reduce((sum, [, seconds]) => sum + seconds, 0));
  const seconds = (numbers: readonly number[]): string[] =>
    [...numbers, median(numbers)].map((number) => number.toFixed(1));
  const names = ways[0]?.map(([name]) => name) ?? [];
  say(
    formatTable([
      ['step', ...ways.map((_, index) => `time ${index + 1}, s`), 'median, s'],
      ...names.map((name, index) => [name, ...seconds(ways.map((steps) => steps[index]?.[1] ?? NaN))]),
      ['all', ...seconds(totals)],
    ]),
  );
  const found = median(totals);
  say(`median ${found.toFixed(1)} s, at most ${limitS} s`);
  if (!(found <= limitS)) process.exitCode = 1;
} finally {
  world.close();
}
