import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOfBrowserAlone } from '../../../../sites/record/browser-services.ts';

test('an update service counts as the browser’s own request unless a page asked that host for something', () => {
  const update = 'https://update.googleapis.com/';
  assert.equal(isOfBrowserAlone(update, new Set(['https://example.org/', 'data:,x'])), true);
  assert.equal(isOfBrowserAlone(update, new Set(['https://update.googleapis.com/script.js'])), false);
  // Chromium asks it of each page with a form.
  assert.equal(isOfBrowserAlone('https://content-autofill.googleapis.com/', new Set()), true);
});

test('any other host that nobody answers for stays a failure of the page', () => {
  assert.equal(isOfBrowserAlone('https://dead.example/', new Set()), false);
  assert.equal(isOfBrowserAlone('https://<no address>:x/', new Set()), false);
  assert.equal(isOfBrowserAlone('https://fonts.googleapis.com/', new Set()), false);
});
