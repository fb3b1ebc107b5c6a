import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NetworkObject } from '../../../../src/core/metrics/evidence/network-object.ts';
import { documentFindings, ledOnWarnings } from '../../../../src/analyse/validity/object-rules.ts';

function objectsOf(...answers: readonly (readonly [string, number])[]): NetworkObject[] {
  return answers.map(([url, status]) => ({ url, status }) as NetworkObject);
}

test('a live address that leads on is told with the page that was measured', () => {
  const led = objectsOf(
    ['https://a.example/', 302],
    ['https://a.example/login', 200],
    ['https://a.example/x.js', 200],
  );
  const said = ['https://a.example/ led on to https://a.example/login: that page was measured'];
  assert.deepEqual(ledOnWarnings(led, 'https://a.example/'), said);
  // The page's own timeline begins with the page that came in the end.
  assert.deepEqual(ledOnWarnings(led.slice(1), 'https://a.example/#top'), said);
  assert.deepEqual(ledOnWarnings(objectsOf(['https://a.example/', 200]), 'https://a.example/#top'), []);
});

test('a live address that answers with an error is no measurement; an error of one of its objects is', () => {
  const refused = objectsOf(['https://a.example/', 302], ['https://a.example/login', 403]);
  assert.deepEqual(
    documentFindings(refused, true).map(({ status, reason }) => [status, reason]),
    [['invalid', 'https://a.example/login answered with status 403']],
  );
  assert.deepEqual(
    documentFindings(objectsOf(['https://a.example/', 200], ['https://a.example/x.js', 404]), true),
    [],
  );
  assert.deepEqual(documentFindings(refused, false), []);
  assert.deepEqual(documentFindings([], true), []);
});
