/**
 * Plants faults in the QUIC of the project's own Go server, one after another, and sees whether `h2h3 senders` names each by its
 * property against the server without a fault, and nothing of that server measured twice:
 *
 *     npm run verify:senders [-- --faults no-pacing,steady-timeout] [--folder DIR]
 *
 * It wants namespaces, and takes about an hour. Folders that are there are not measured again.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { changedProperties } from '../../src/analyse/senders/changed-properties.ts';
import type { Senders } from '../../src/core/model/senders.ts';
import { startCli } from '../support/cli.ts';
import { faultVariable, overHttp3, plantedFaults, readSenders } from '../support/planted-senders.ts';

const { values } = parseArgs({ options: { faults: { type: 'string' }, folder: { type: 'string' } } });
const temporary = mkdtempSync(join(os.tmpdir(), 'h2h3-senders-'));
const folder = values.folder ?? temporary;
const asked = values.faults?.split(',');
const faults = plantedFaults.filter(([fault]) => asked?.includes(fault) ?? true);
const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function measured(name: string, properties: readonly string[], fault?: string): Promise<Senders> {
  const out = join(folder, name);
  const { child, result } = startCli(
    ['senders', '--server', 'go', '--property', properties.join(','), '--out', out],
    fault === undefined ? {} : { [faultVariable]: fault },
  );
  child.stderr?.pipe(process.stderr);
  const { code } = await result;
  assert.equal(code, 0, name);
  return readSenders(out);
}

let missed = 0;
try {
  const properties = faults.map(([, property]) => property);
  const without = await measured('without', properties);
  const again = await measured('again', properties);
  const accused = changedProperties(without, again);
  accused.forEach(({ sentence }) => say(`without a fault, measured again: ${sentence}`));
  say(`without a fault: ${accused.length} properties are called changed`);
  missed += accused.length;
  for (const [fault, property] of faults) {
    const planted = await measured(fault, [property], fault);
    const version = planted.senders.find(({ protocol }) => protocol === 'h3')?.version ?? '';
    assert.ok(version.includes(fault), `${version} names no fault`);
    const found = changedProperties(without, planted).filter(({ isWorse }) => isWorse);
    const isNamed = found.some((change) => change.property === property);
    const [before, now] = [without, planted].map((senders) => overHttp3(senders, property));
    say(
      `${fault}: ${isNamed ? 'named' : 'missed'} by ${property}: ${before?.sentence ?? 'nothing'} (${before?.verdict ?? ''}); with it ${now?.sentence ?? 'nothing'} (${now?.verdict ?? ''})`,
    );
    found
      .filter((change) => change.property !== property)
      .forEach(({ sentence }) => say(`  also: ${sentence}`));
    if (!isNamed) missed += 1;
  }
} finally {
  rmSync(temporary, { recursive: true, force: true });
}
assert.equal(missed, 0, 'a fault was missed, or a server without one accused');
