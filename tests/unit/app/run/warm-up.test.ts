import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { TrialOutcome } from '../../../../harness/trial/measurement.ts';
import { planFromRequest, readPlanRequest } from '../../../../src/app/plan/plan-request.ts';
import { RunProgressState } from '../../../../src/app/run/run-state.ts';
import { warmClients, warmUp } from '../../../../src/app/run/warm-up.ts';
import { TerminalProgress } from '../../../../src/cli/progress.ts';
import { H2h3Error } from '../../../../src/core/model/errors.ts';
import type { Plan } from '../../../../src/core/model/plan.ts';
import { contextThatSays } from '../../../support/app-context.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

function planOf(quickStart: boolean): Plan {
  const flags = { workload: 'download-1mb', network: 'loopback', client: 'chromium', repetitions: '2' };
  const request = readPlanRequest('download', { ...flags, exploratory: true, quickStart });
  return planFromRequest(request, 'test').plan;
}

const loads = {
  kind: 'measured',
  hasHar: false,
  postProcessMs: 0,
  raw: { browser: { name: 'Chromium', version: '156' } },
} as unknown as TrialOutcome;

interface Machine {
  /** Why no path can be opened. */
  readonly unopened?: string;
  /** Why nothing can be measured here at all. */
  readonly refused?: string;
}

interface Warmed {
  readonly opened: readonly string[];
  readonly loaded: readonly string[];
  readonly warnings: readonly string[];
}

/** Warms up for a plan on such a machine, and says which arms were opened and which trials loaded for it. */
async function warmed(t: TestContext, plan: Plan, { unopened, refused }: Machine = {}): Promise<Warmed> {
  const opened: string[] = [];
  const loaded: string[] = [];
  const errorOf = (text: string | undefined): H2h3Error | undefined =>
    text === undefined ? undefined : new H2h3Error('unsupported', text);
  const folder = tempFolder(t);
  const { warnings } = await warmClients(
    {
      runner: {
        open: async ({ arm }) => {
          opened.push(arm);
          const error = errorOf(unopened);
          if (error !== undefined) throw error;
          return Promise.resolve();
        },
        run: ({ trial }) => {
          loaded.push(trial.trialId);
          return Promise.resolve(loads);
        },
      },
      clients: new Map(),
      trialDirOf: (trialId) => join(folder, trialId),
      testbeds: { refusal: () => errorOf(refused) },
    },
    { plan, path: folder },
    [],
    contextThatSays().context,
  );
  return { opened, loaded, warnings };
}

test('each arm is loaded once to be discarded', async (t) => {
  const { opened, loaded, warnings } = await warmed(t, planOf(false));
  assert.deepEqual([opened, loaded.length, warnings], [[], 2, []]);
  for (const trialId of loaded) assert.match(trialId, /^warmup-/);
});

test('with a quick start the path of each arm is opened and nothing is loaded, and a warning says so', async (t) => {
  const { opened, loaded, warnings } = await warmed(t, planOf(true));
  assert.deepEqual([opened.toSorted(), loaded], [['h2', 'h3'], []]);
  assert.match(warnings.join('\n'), /^quick start: .* nothing was loaded before them$/);
});

test('with a quick start a path that cannot be opened is left to its trials, and a machine without any is refused', async (t) => {
  const { opened } = await warmed(t, planOf(true), { unopened: 'no UDP on this path' });
  assert.deepEqual(opened.toSorted(), ['h2', 'h3']);
  await assert.rejects(warmed(t, planOf(true), { refused: 'no network namespaces here' }), /no network/);
});

test('what comes before the first trial is said step by step, where no line can be rewritten too', async () => {
  const written: string[] = [];
  const stream = { isTTY: false, columns: 80, write: (text: string) => written.push(text) > 0 };
  const progress = new TerminalProgress(stream);
  const plan = planOf(false);
  new RunProgressState(progress).advance('starting');
  await warmUp(
    { runner: { run: async () => Promise.resolve(loads), open: async () => Promise.resolve() } },
    plan,
    { ...contextThatSays().context, progress },
  );
  const [began, ...warm] = written;
  assert.equal(began, 'Starting what pages are loaded from\n');
  assert.equal(warm.length, 2);
  for (const [index, line] of warm.entries())
    assert.match(line, new RegExp(`^Warming up, ${index + 1} of 2: download-1mb chromium h[23]\\n$`));
});
