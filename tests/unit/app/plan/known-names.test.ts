import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseVersionedName } from '../../../../harness/clients/client-name.ts';
import { requireClientName } from '../../../../harness/clients/resolve-client.ts';
import { deviceNamed } from '../../../../sites/devices.ts';
import { selectSites } from '../../../../sites/select-sites.ts';
import { historyTrend } from '../../../../src/app/history/history.ts';
import { unknownNames } from '../../../../src/app/plan/known-names.ts';
import { scaleNamed } from '../../../../src/app/plan/plan-source.ts';
import { H2h3Error } from '../../../../src/core/model/errors.ts';
import { parseArms } from '../../../../src/plan/arms.ts';
import { withFaults } from '../../../../src/plan/faults.ts';
import { parsePlanDocument } from '../../../../src/plan/parse-plan-file.ts';
import { ladderNamed } from '../../../../video/ladders/registry.ts';
import { setupContextIn } from '../../../support/setup-context.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const arms = parseArms(['h2', 'h3']);

/** A name with one slip of the finger, and what was meant. */
const slips: readonly (readonly [string, (folder: string) => unknown])[] = [
  ['page-agency', () => selectSites('pgae-agency')],
  ['replica-bing.com', () => selectSites('repica-bing.com')],
  ['padded', () => ladderNamed('paddd')],
  ['Pixel 5', () => deviceNamed('Pixl 5')],
  ['quick', () => scaleNamed('quik')],
  ['chromium', () => parseVersionedName('chrmium@153')],
  ['chromium', (folder) => requireClientName('chromum', setupContextIn(folder))],
  ['candidate', () => withFaults(['candidat:delay=+10ms'], arms)],
  ['delay', () => withFaults(['candidate:dely=+10ms'], arms)],
  ['pltMs', () => historyTrend(['pltM'], { file: undefined, resultsDir: 'results' })],
];

for (const [meant, use] of slips)
  test(`a user who mistypes ${meant} is asked whether it was meant`, async (t) => {
    const folder = tempFolder(t);
    await assert.rejects(
      Promise.resolve().then(() => use(folder)),
      (thrown) => {
        assert.ok(thrown instanceof H2h3Error && thrown.code === 'usage', String(thrown));
        assert.ok(thrown.next?.startsWith(`Did you mean ${meant}?`), thrown.next);
        return true;
      },
    );
  });

test('a plan file is asked about keys, metrics, networks and probes that nothing is called', () => {
  const messageOf = (text: string): string => {
    try {
      parsePlanDocument(text, 'plan.yaml', (input) => unknownNames(input, new Map()));
    } catch (thrown) {
      return String(thrown);
    }
    throw new Error('the plan was taken');
  };
  assert.match(messageOf('wrkloads: [a]\n'), /Did you mean workloads\?/);
  assert.match(
    messageOf('name: x\nurls: ["https://a.example/"]\nprimary: { page: pltM }\n'),
    /Did you mean pltMs\?/,
  );
  const wrong = 'name: x\nurls: ["https://a.example/"]\nnetworks: [5g-drivin]\nprobes: [fraems]\n';
  assert.match(messageOf(wrong), /Did you mean 5g-driving\?/);
  assert.match(messageOf(wrong), /Did you mean frames\?/);
});
