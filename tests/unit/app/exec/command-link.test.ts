import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { openCommandLink } from '../../../../src/app/exec/command-link.ts';
import { linkVariable, networkVariable } from '../../../../src/app/exec/link-variables.ts';
import type { OpenPath } from '../../../../src/app/exec/open-path.ts';
import { requireNoLink } from '../../../../src/app/exec/second-link.ts';
import { linkAround } from '../../../../src/app/playwright/joined-link.ts';
import { H2h3Error } from '../../../../src/core/model/errors.ts';
import type { LinkFigures } from '../../../../src/core/model/schedule.ts';
import { contextThatSays } from '../../../support/app-context.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

/** A path that notes what it is set to, and counts 100 bytes more with each look. */
function notingPath(): { readonly path: OpenPath; readonly set: LinkFigures[]; readonly die: () => void } {
  const set: LinkFigures[] = [];
  let receivedBytes = 0;
  let lives = true;
  const path: Partial<OpenPath> = {
    counters: () => Promise.resolve({ receivedBytes: (receivedBytes += 100) }),
    flows: () => Promise.resolve([]),
    change: (figures) => Promise.resolve(void set.push(figures)),
    requireAlive: () => {
      if (!lives) throw new H2h3Error('process-failed', 'the path cable is gone: its emulator ended');
    },
  };
  return { path: path as OpenPath, set, die: () => void (lives = false) };
}

async function opened(t: TestContext, tempDir = tempFolder(t)) {
  const noting = notingPath();
  const link = await openCommandLink(noting.path, { tempDir }, contextThatSays().context);
  t.after(() => link.close());
  return { ...noting, link, environment: { ...link.environment, [networkVariable]: 'cable' } };
}

test('a command reads what crossed since it began, and changes its network', async (t) => {
  const { link, set, environment } = await opened(t);
  await link.begin({ receivedBytes: 40 });
  const around = linkAround(environment);
  assert.equal(around.network, 'cable');
  assert.deepEqual((await around.count()).counters, { receivedBytes: 60 });
  await around.change('outage');
  await around.change({ lossPercent: 5 });
  assert.deepEqual([set, link.changes()], [[{ outage: true }, { lossPercent: 5 }], 2]);
  // The next run begins as the network is.
  await link.begin({});
  assert.deepEqual([set.at(-1), link.changes()], [{}, 0]);
});

test('several programs of a command ask at once', async (t) => {
  const { environment } = await opened(t);
  const around = linkAround(environment);
  const answers = await Promise.all(Array.from({ length: 5 }, () => around.count()));
  assert.equal(new Set(answers.map(({ counters }) => counters['receivedBytes'])).size, 5);
});

test('what no network can be set to is refused and not counted, and so is what is asked of one that is gone', async (t) => {
  const { link, environment, die } = await opened(t);
  const around = linkAround(environment);
  await assert.rejects(
    around.change({ lossPercent: 101 }),
    /^Error: h2h3: the path is asked for what it has not: [^]*lossPercent/,
  );
  assert.equal(link.changes(), 0);
  die();
  await assert.rejects(around.count(), /the path cable is gone: its emulator ended/);
  await link.close();
  await assert.rejects(around.count(), /h2h3 does not answer, which kept the network cable up/);
});

test('where the folder has a name that is too long for a socket, a command finds none', async (t) => {
  const { environment } = await opened(t, join(tempFolder(t), 'x'.repeat(120)));
  assert.equal(linkVariable in environment, false);
  assert.throws(() => linkAround(environment), /behind no network/);
});

test('a link within a link is refused, and no other', () => {
  requireNoLink({});
  requireNoLink({ [networkVariable]: 'none' });
  assert.throws(() => requireNoLink({ [networkVariable]: 'cable' }), {
    code: 'unsupported',
    message: 'this is behind the network cable already, and a second link would add to it',
    next: /^Leave out one of the two/,
  });
});
