import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { browserFamilies } from '../../harness/clients/browsers/registry.ts';
import { runJourney } from '../../harness/clients/journey/run-journey.ts';
import { resolveClient } from '../../harness/clients/resolve-client.ts';
import { createSetupContext } from '../../harness/tools/setup-context.ts';
import { H2h3Error } from '../../src/core/model/errors.ts';
import {
  processTree,
  readProcessTable,
  type ProcessRow,
} from '../../src/core/system/processes/process-table.ts';
import { skipsWithout } from '../support/clients-here.ts';
import { projectDir } from '../support/cli.ts';
import { inBrowser } from '../support/left-to-wide.ts';
import { processesWith } from '../support/processes.ts';
import { tempFolder } from '../support/temp-folder.ts';

const url = 'data:text/html,<title>here</title><button>press</button>';

const leftBehind = `sleep 600.${process.pid}`;

/** Scripts that go wrong, by what is said of them: the third line is where most of them do. */
const common = {
  throws: [
    'await step("pay", async () => {\n  throw new Error("no money");\n});',
    /^the journey script\.ts:3 in step "pay" failed: no money$/,
  ],
  'never settles': [
    'await step("wait", () => new Promise(() => {}));',
    /^the journey script\.ts:2 in step "wait" did not settle within \d+ s$/,
  ],
  'loops without end': [
    'await step("spin", () => { for (;;); });',
    /^the journey script\.ts:2 in step "spin" did not settle within \d+ s$/,
  ],
  'opens a window': [
    'await step("two", () => browser.newPage().then(() => new Promise(() => {})));',
    /^the journey script\.ts:2 in step "two" opened a window: a journey has one page$/,
  ],
  'closes its page': [
    'await step("shut", () => page.close().then(() => new Promise(() => {})));',
    /^the journey script\.ts:2 in step "shut" closed the page: a journey has one page$/,
  ],
  'ends its process': [
    'await step("leave", () => process.exit(0));',
    /^the journey script\.ts:2 in step "leave" ended the process that it ran in$/,
  ],
  'names two steps alike': [
    'await step("a", () => 1); await step("a", () => 2);',
    /^the journey script\.ts:2 outside its steps failed: two steps are named "a"$/,
  ],
  'leaves a program in another session without its environment': [
    `(await import("node:child_process")).spawnSync("sh", ["-c", "setsid env -i ${leftBehind} &"], { stdio: "ignore" });\n throw new Error("left");`,
    /^the journey script\.ts:3 outside its steps failed: left$/,
  ],
  'cannot be parsed': ['await step("a", () => {', /^the journey script\.ts:\d+ outside its steps failed: /],
  'waits for what never comes': [
    'await step("a", () => page.waitForSelector("#absent"));',
    // Half of the step's limit here.
    /^the journey script\.ts:2 in step "a" failed: Waiting for selector `#absent` failed/,
  ],
  'uses what is not there': [
    'await step("a", () => secret("NOT_SET_ANYWHERE"));',
    /^the journey script\.ts:2 in step "a" failed: the variable NOT_SET_ANYWHERE is not set$/,
  ],
} as const;

const limitsMs = [
  ['never settles', 1500],
  ['loops without end', 1500],
  ['waits for what never comes', 4000],
] as const;

/** Those that do something to the browser; the others are seen by the process that runs the script, whatever the browser. */
const ofAnyBrowser: Cases = {
  throws: common.throws,
  'never settles': common['never settles'],
  'opens a window': common['opens a window'],
  'closes its page': common['closes its page'],
};

const playwright = {
  'throws in a test': [
    'test("a", async () => {\n throw new Error("no money"); });',
    /^the journey script\.ts:3 in step "a" failed: no money$/,
  ],
  'never settles in a test': [
    'test("a", () => new Promise(() => {}));',
    /^the journey script\.ts:2 in step "a" did not settle within \d+ s$/,
  ],
  'waits for what never comes in a test': [
    'test("a", ({ page }) => page.waitForSelector("#absent"));',
    /script\.ts:2 in step "a" failed: page\.waitForSelector: Timeout 2000ms exceeded\. \(waiting for locator\('#absent'\).*\)$/,
  ],
  'opens a window in a test': [
    'test("a", ({ context }) => context.newPage().then(() => new Promise(() => {})));',
    /^the journey script\.ts:2 in step "a" opened a window: a journey has one page$/,
  ],
  'closes its page in a test': [
    'test("a", ({ page }) => page.close().then(() => new Promise(() => {})));',
    /^the journey script\.ts:2 in step "a" closed the page: a journey has one page$/,
  ],
  'asks for a fixture that a journey lacks': [
    'test("a", async ({ page, request }) => {});',
    /script\.ts:2 in step "a" failed: a journey has no fixture "request": it has page, context and browser$/,
  ],
  'goes back': [
    'test("a", async ({ page }) => {\n await page.goBack(); });',
    /script\.ts:3 in step "a" failed: a journey has no page\.goBack and page\.goForward/,
  ],
  'asks for more of test': [
    'test.use({ locale: "de" });',
    /script\.ts:2 outside its steps failed: a journey has no test\.use: /,
  ],
  'is disappointed': [
    'test("a", async ({ page }) => {\n await test.step("see", () => expect(page.locator("h1")).toHaveText("x", { timeout: 300 })); });',
    /^the journey script\.ts:3 in step "see" failed: expect\(locator\)\.toHaveText\(expected\) failed/,
  ],
} as const;

for (const family of ['chromium', 'firefox'] as const)
  test(
    `what a script does wrong in ${family} is named with step and line, and nothing of it is left`,
    inBrowser(family),
    async (t) => {
      if (await skipsWithout(t, family)) return;
      const setup = await createSetupContext({ projectDir });
      const client = await resolveClient(family, setup);
      const cases = Object.entries(
        family === 'chromium'
          ? { ...scriptsOf(common), ...scriptsOf(playwright, '"h2h3/journey"') }
          : scriptsOf(ofAnyBrowser),
      );
      const start = await browserFamilies[family].launcher();
      for (const [what, [script, said]] of cases) {
        const folder = tempFolder(t);
        const scriptFile = join(folder, 'script.ts');
        writeFileSync(scriptFile, script);
        const profileDir = join(folder, 'profile');
        mkdirSync(profileDir);
        const shared = join(folder, 'shared');
        mkdirSync(shared);
        const browser = await start({
          client,
          profileDir,
          protocol: 'h2',
          spkiHash: '',
          hosts: [],
          server: null,
          headed: false,
          mediaBufferMegabytes: 0,
          frames: false,
          instrumentation: 'uninstrumented',
          driven: true,
        });
        try {
          await browser.startRecording();
          const failure = await runJourney(browser, {
            scriptFile,
            url,
            temporaryDir: join(profileDir, 'script'),
            environment: { TMPDIR: shared },
            part: 'measured',
            quietMs: 0,
            leftMs: () => 120_000,
            // Long enough for a step that ends, as only one that does not reaches it.
            stepLimitMs: limitsMs.find(([begin]) => what.startsWith(begin))?.[1] ?? 60_000,
            acceptsAnyCertificate: false,
            keep: () => undefined,
            keepSecret: () => undefined,
          }).then(
            () => assert.fail(`${what}: it was taken`),
            (thrown: unknown) => thrown,
          );
          assert.ok(failure instanceof H2h3Error && failure.code === 'bad-input', String(failure));
          assert.match(failure.message, said, what);
          assert.deepEqual(readdirSync(shared), [], `${what}: left in the folder for temporary files`);
        } finally {
          await browser.close();
        }
        const left = processTree(readProcessTable(), process.pid).filter(({ pid }) => pid !== process.pid);
        // What watches this process itself stays as long as it does.
        const isWatcher = ({ commandLine }: ProcessRow): boolean =>
          /\/(reaper|deputy)\.ts /.test(commandLine);
        assert.deepEqual(
          [...left.filter((row) => !row.zombie && !isWatcher(row)), ...processesWith(leftBehind)],
          [],
          what,
        );
      }
    },
  );

type Cases = Readonly<Record<string, readonly [string, RegExp]>>;

function scriptsOf(cases: Cases, from?: string): Cases {
  return Object.fromEntries(
    Object.entries(cases).map(([what, [body, said]]) => [
      what,
      [
        from === undefined
          ? `export default async ({ page, browser, step, secret }) => {\n${body}\n};`
          : `import { test, expect } from ${from};\n${body}`,
        said,
      ] as const,
    ]),
  );
}
