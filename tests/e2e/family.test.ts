import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test, type TestContext } from 'node:test';
import { resolveClient } from '../../harness/clients/resolve-client.ts';
import { createSetupContext } from '../../harness/tools/setup-context.ts';
import { messageOf } from '../../src/core/model/errors.ts';
import type { RawTrial } from '../../src/core/model/raw-trial.ts';
import type { TrialRecord } from '../../src/core/model/record.ts';
import { readEvidence } from '../../src/store/evidence.ts';
import { protocolsHere } from '../support/clients-here.ts';
import { projectDir, readRecords, runCli, runCliHere } from '../support/cli.ts';
import { harEntry } from '../support/imported-file.ts';
import { namespaceLack } from '../support/namespaces.ts';
import { machineWasLate, pathRefused } from '../support/shaped-run.ts';
import { tempFolder } from '../support/temp-folder.ts';

const setup = await createSetupContext({ projectDir });

async function whyNoIpv6(): Promise<string | null> {
  return existsSync('/proc/net/if_inet6') ? namespaceLack() : 'the kernel of this machine has no IPv6';
}

interface Tried {
  readonly record: TrialRecord;
  readonly raw: RawTrial;
}

/** What of a plan's clients loads pages, and what files; `sites` is the folder of a recorded one. */
type Asked = { readonly arms: readonly string[] } & (
  { readonly workload: string } | { readonly sites: string }
);

/** One trial of each arm over the emulated cable; why there are none where the machine could not hold the path. */
async function trialsOf(folder: string, { arms, ...asked }: Asked): Promise<readonly Tried[] | string> {
  const out = join(folder, 'workload' in asked ? asked.workload : 'run');
  const loaded = 'workload' in asked ? ['--workload', asked.workload] : ['--sites', asked.sites];
  const words = ['run', ...loaded, '--network', 'cable', '--arms', arms.join(',')];
  const more = ['--repetitions', '1', '--recorded', '0', '--quick-start', '--exploratory'];
  const { stderr } = await runCli([...words, ...more, '--out', out]);
  const refused = pathRefused(stderr);
  if (refused !== null) return refused;
  const records = readRecords(out);
  assert.equal(records.length, arms.length, stderr);
  return records.map((record) => {
    const { arm, status, reason, trialId } = record;
    assert.ok(status === 'ok' || machineWasLate(reason), `${arm}: ${reason}`);
    return { record, raw: readEvidence(join(out, 'trials', trialId)).raw };
  });
}

const recordedHost = 'shop.test';

/** A site of two hosts that was recorded at the usual port, as an archive. */
async function recordedAt(folder: string): Promise<string> {
  const origin = `https://${recordedHost}`;
  const other = 'https://cdn.shop.test';
  const page = `<!doctype html><title>shop</title><link rel=icon href="data:,"><h1>shop</h1><img src="/a.svg"><img src="${other}/b.svg">`;
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';
  const entries = [
    harEntry({ url: `${origin}/`, body: page, resourceType: 'document' }),
    ...[`${origin}/a.svg`, `${other}/b.svg`].map((url, index) =>
      harEntry({ url, type: 'image/svg+xml', body: svg, atSeconds: 1 + index }),
    ),
  ];
  const har = join(folder, 'shop.har');
  writeFileSync(har, JSON.stringify({ log: { creator: { name: 'test' }, entries } }));
  const archive = join(folder, 'archive');
  const importing = ['record', '--from-har', har, '--page', `${origin}/`, '--out', archive];
  const { code, stderr } = await runCliHere(importing);
  assert.equal(code, 0, stderr);
  return archive;
}

const fixed = ['h2+family=6', 'h3+family=6', 'h2+family=4'];
const named = ['auto+discovery=https-record+family=6', 'auto+discovery=alt-svc+family=6'];
const both = ['h2+family=both', 'h3+family=both', 'h2+family=both+ipv6=broken', 'h2+family=both+aaaa=+200ms'];

async function pageArms(): Promise<string[]> {
  const hasFirefox = (await resolveClient('firefox', setup).catch(() => null)) !== null;
  return [...fixed, ...named, ...both, ...(hasFirefox ? fixed.map((arm) => `firefox:${arm}`) : [])];
}

/**
 * Of both versions, and of both of which IPv6 is broken. That one start of every server answers over either version, and logs which, is
 * told by `server-contract.test.ts`: here it is the client's choice and the path.
 */
const raceArms = (protocols: readonly string[]): string[] =>
  protocols.flatMap((protocol) => ['', '+ipv6=broken'].map((ipv6) => `curl:${protocol}+family=both${ipv6}`));

/** Browsers and curl wait for IPv6 for at least so long (RFC 8305, section 8). */
const usualWaitMs = 150;

const lacking = await whyNoIpv6();

// One run each serves all tests: every arm has a path of its own, which is checked once.
describe('over either version of IP', { skip: lacking ?? false }, () => {
  const folder = tempFolder({ after: (remove) => after(remove as () => void) });
  let pages: readonly Tried[] | string = 'not run';
  let files: readonly Tried[] | string = 'not run';
  before(async () => {
    pages = await trialsOf(folder, { workload: 'page-landing', arms: await pageArms() });
    const protocols = await protocolsHere('curl', (line) => process.stderr.write(`${line}\n`)).catch(
      messageOf,
    );
    if (typeof protocols === 'string') {
      files = protocols;
      return;
    }
    const arms = [...['h2+family=6', 'h2+family=4'].map((arm) => `curl:${arm}`), ...raceArms(protocols)];
    files = await trialsOf(folder, { workload: 'download-1mb', arms });
  });

  /**
   * Whether IPv6, which works and was asked first by the link, had no answer when the client's wait for it was over, so that IPv4 came
   * before: one of both ends had no CPU. Such a trial tells nothing of what is taken otherwise.
   */
  function wasOutrun(
    t: TestContext,
    { arm, factors, metrics }: TrialRecord,
    { linkFlows = [] }: RawTrial,
  ): boolean {
    if (factors.ipv6 === 'broken' || metrics['connectFamily'] !== 4) return false;
    const firstMs = (wanted: number): number =>
      Math.min(
        ...linkFlows.map(({ family, firstMs: ms }) =>
          family === wanted && ms !== undefined ? ms : Infinity,
        ),
      );
    const waitedMs = firstMs(4) - firstMs(6);
    t.diagnostic(`${arm}: IPv4 answered first, ${waitedMs} ms after IPv6 was asked`);
    return waitedMs >= usualWaitMs;
  }

  /** IPv4 is asked after a wait where IPv6 is broken, or where its answer was not there when that was over, and else not. */
  function requireRace({ arm, factors, metrics }: TrialRecord): void {
    const raceMs = metrics['addressRaceMs'];
    const isBroken = factors.ipv6 === 'broken';
    assert.ok(isBroken ? Number(raceMs) > 100 : !(Number(raceMs) < usualWaitMs), `${arm}: ${String(raceMs)}`);
  }

  /** Those of a run whose arm is wanted; null where the machine could not hold the path, and the test is skipped. */
  function those(
    t: TestContext,
    run: readonly Tried[] | string,
    isWanted: (factors: TrialRecord['factors']) => boolean,
  ): readonly Tried[] | null {
    if (typeof run === 'string') {
      t.skip(run);
      return null;
    }
    const wanted = run.filter(({ record }) => isWanted(record.factors));
    assert.ok(wanted.length > 0);
    return wanted;
  }

  test('pages come over IPv6 by both protocols, and a download of curl by one, by the link’s flows and by the server’s log', (t) => {
    for (const run of [pages, files]) {
      const trials = those(
        t,
        run,
        ({ family, discovery }) => family !== 'both' && (discovery ?? 'forced') === 'forced',
      );
      for (const { record, raw } of trials ?? []) {
        const wanted = Number(record.factors.family);
        assert.deepEqual(new Set(raw.serverLog?.map(({ family }) => family)), new Set([wanted]), record.arm);
        assert.deepEqual(new Set(raw.linkFlows?.map(({ family }) => family)), new Set([wanted]), record.arm);
        assert.equal(raw.testbed?.links[0]?.family, record.factors.family, record.arm);
        assert.equal(record.metrics['connectFamily'], wanted, record.arm);
      }
    }
  });

  test('names that a resolver answers lead to IPv6 alone', (t) => {
    const trials = those(t, pages, ({ discovery }) => discovery !== undefined);
    for (const { record, raw } of trials ?? []) {
      const answered = raw.discovery?.questions.filter(({ found }) => found).map(({ type }) => type);
      assert.ok(answered?.includes('AAAA') && !answered.includes('A'), record.arm);
      assert.deepEqual(new Set(raw.serverLog?.map(({ family }) => family)), new Set([6]), record.arm);
    }
  });

  test('of both versions a browser takes IPv6, and where it is broken IPv4 after a wait', (t) => {
    const trials = those(t, pages, ({ family }) => family === 'both');
    for (const { record, raw } of trials ?? []) {
      const { arm, factors, metrics } = record;
      const isBroken = factors.ipv6 === 'broken';
      if (wasOutrun(t, record, raw)) continue;
      assert.equal(metrics['connectFamily'], isBroken ? 4 : 6, arm);
      // The wait is part of the same load, however long a busy machine makes both.
      requireRace(record);
      if (isBroken) assert.ok(Number(metrics['addressRaceMs']) < Number(metrics['pltMs']), arm);
      const late = raw.nameQuestions?.filter(({ answeredAfterMs = 0 }) => answeredAfterMs >= 199);
      assert.equal(
        late?.some(({ type }) => type === 'AAAA'),
        factors.aaaa !== undefined,
        arm,
      );
    }
  });

  test('a recorded site has names with both versions too, and its recorded ports lead to the server', async (t) => {
    const archive = await recordedAt(folder);
    const browsers = (await resolveClient('firefox', setup).catch(() => null)) === null ? [] : ['firefox:'];
    const arms = ['', ...browsers].flatMap((browser) =>
      ['h2+family=both', 'h3+family=both', 'h2+family=both+ipv6=broken'].map((arm) => `${browser}${arm}`),
    );
    const run = await trialsOf(join(folder, 'recorded'), { sites: archive, arms });
    for (const { record, raw } of those(t, run, () => true) ?? []) {
      const { arm, factors, metrics } = record;
      const taken = factors.ipv6 === 'broken' ? 4 : 6;
      if (wasOutrun(t, record, raw)) continue;
      assert.equal(metrics['connectFamily'], taken, arm);
      const logged = raw.serverLog?.map(({ family }) => family) ?? [];
      assert.ok(logged.length >= 3 && logged.every((family) => family === taken), `${arm}: ${logged.join()}`);
      assert.ok(
        raw.nameQuestions?.some(({ type, name }) => type === 'AAAA' && name === recordedHost),
        arm,
      );
    }
  });

  test('of both versions curl takes IPv6 over either protocol, and IPv4 where IPv6 is broken', (t) => {
    const trials = those(t, files, ({ family }) => family === 'both');
    for (const { record, raw } of trials ?? []) {
      const { arm, factors, metrics } = record;
      const taken = factors.ipv6 === 'broken' ? 4 : 6;
      if (wasOutrun(t, record, raw)) continue;
      const carried = raw.linkFlows?.toSorted((a, b) => b.downBytes - a.downBytes)[0];
      assert.equal(carried?.family, taken, arm);
      const logged = raw.serverLog?.map(({ family }) => family) ?? [];
      assert.ok(
        logged.every((family) => family === undefined || family === taken),
        arm,
      );
      assert.equal(metrics['connectFamily'], taken, arm);
      requireRace(record);
    }
  });
});
