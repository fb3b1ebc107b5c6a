import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { knownClients } from '../../harness/clients/client-catalogue.ts';
import { serverSoftware } from '../../harness/servers/registry.ts';
import { projectDir } from '../support/cli.ts';

test('the page of the matrix has every client, both protocols, and every server (npm run matrix)', () => {
  const text = readFileSync(join(projectDir, 'docs/client-matrix.md'), 'utf8');
  const [head = [], , ...rows] = text
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.split('|').map((cell) => cell.trim()));
  assert.deepEqual(
    head.slice(4, -1),
    serverSoftware.map(({ id }) => id),
  );
  const clients = [...knownClients.map(({ id }) => id), 'embedded'];
  assert.deepEqual(
    rows.map(([, client, , protocol]) => `${client} ${protocol}`),
    clients.flatMap((id) => [`\`${id}\` HTTP/2`, `\`${id}\` HTTP/3`]),
  );
});
