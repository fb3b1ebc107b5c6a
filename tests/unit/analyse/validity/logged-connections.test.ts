import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withLoggedConnections } from '../../../../src/analyse/validity/logged-connections.ts';
import { networkObjectsOf } from '../../../../src/core/metrics/evidence/network-object.ts';
import type { ServerLogEntry } from '../../../../src/core/model/raw-trial.ts';
import { harEntry, harOf, logEntry } from '../derive/evidence.ts';

const host = 'site.test';
const known = (path: string, connection: string) =>
  harEntry({ url: `https://${host}${path}`, entry: { connection } });
/** As Chromium tells of a worker's script. */
const nameless = (path: string) => known(path, '');

function connectionsOf(
  entries: readonly ReturnType<typeof harEntry>[],
  log: readonly ServerLogEntry[],
): (string | undefined)[] {
  const objects = networkObjectsOf(harOf(entries));
  return withLoggedConnections(objects, log).map(({ connection }) => connection);
}

/** The log of what came over one protocol, with the client's port. */
function logOf(places: Readonly<Record<string, string>>): ServerLogEntry[] {
  const [first] = networkObjectsOf(harOf([harEntry()]));
  return Object.entries(places).map(([path, connection]) =>
    logEntry({ host, path, connection, protocol: first?.protocol ?? 'h2' }),
  );
}

test('an object without a connection has that of the objects that the server logged over the same one', () => {
  const entries = [known('/', '41'), nameless('/worker.js'), known('/b', '57')];
  const log = logOf({ '/': '40001', '/worker.js': '40001', '/b': '40002' });
  assert.deepEqual(connectionsOf(entries, log), ['41', '41', '57']);
});

test('a connection that the browser names nowhere is one of its own', () => {
  const entries = [known('/', '41'), nameless('/worker.js'), nameless('/more.js')];
  const log = logOf({ '/': '40001', '/worker.js': '40002', '/more.js': '40002' });
  const [first, second, third] = connectionsOf(entries, log);
  assert.equal(first, '41');
  assert.ok(second !== undefined && second !== '41');
  assert.equal(third, second);
});

test('what neither the browser nor the server tells stays unknown', () => {
  const entries = [known('/', '41'), nameless('/worker.js')];
  assert.deepEqual(connectionsOf(entries, []), ['41', undefined]);
  assert.deepEqual(connectionsOf(entries, logOf({ '/': '40001' })), ['41', undefined]);
});
