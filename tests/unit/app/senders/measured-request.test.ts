import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { takeSendersFolder } from '../../../../src/app/senders/measured-request.ts';
import { H2h3Error } from '../../../../src/core/model/errors.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const asked = { servers: ['caddy', 'nginx@1.30'], client: 'best', repeats: 8, all: false };

/** A folder in which a measurement has begun. */
function begun(folder: string): void {
  mkdirSync(join(folder, 'disturbed'));
  writeFileSync(join(folder, 'disturbed', 'plan.json'), '{}');
}

const refused = (thrown: unknown): boolean =>
  thrown instanceof H2h3Error && thrown.code === 'usage' && /--out/.test(thrown.next ?? '');

test('the same measurement goes on in its folder, and --all adds to it', (t) => {
  const folder = tempFolder(t);
  takeSendersFolder(folder, asked);
  begun(folder);
  takeSendersFolder(folder, { ...asked, servers: asked.servers.toReversed() });
  takeSendersFolder(folder, { ...asked, all: true });
  assert.match(readFileSync(join(folder, 'request.json'), 'utf8'), /"all": true/);
  assert.throws(() => takeSendersFolder(folder, asked), refused);
});

for (const other of [{ client: 'curl' }, { repeats: 1 }, { servers: ['caddy'] }, { properties: ['burst'] }])
  test(`a folder of another measurement is refused with the next step: ${JSON.stringify(other)}`, (t) => {
    const folder = tempFolder(t);
    takeSendersFolder(folder, asked);
    begun(folder);
    assert.throws(
      () => takeSendersFolder(folder, { ...asked, ...other }),
      (thrown) => {
        assert.ok(refused(thrown));
        assert.match(
          (thrown as H2h3Error).next ?? '',
          /--server caddy,nginx@1\.30 --client best --repetitions 8/,
        );
        return true;
      },
    );
  });

test('a folder in which nothing has begun takes whatever is asked next', (t) => {
  const folder = tempFolder(t);
  takeSendersFolder(folder, asked);
  takeSendersFolder(folder, { ...asked, client: 'curl' });
  assert.match(readFileSync(join(folder, 'request.json'), 'utf8'), /"client": "curl"/);
});

test('runs of which it is not known what was asked are left alone', (t) => {
  const folder = tempFolder(t);
  begun(folder);
  assert.throws(
    () => takeSendersFolder(folder, asked),
    (thrown) => {
      assert.ok(thrown instanceof H2h3Error);
      assert.equal(thrown.code, 'bad-input');
      return true;
    },
  );
});
