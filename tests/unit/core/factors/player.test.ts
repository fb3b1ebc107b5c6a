import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { versionedPrograms } from '../../../../harness/tools/versions/catalogue.ts';
import { player, playerMajors } from '../../../../src/core/factors/media.ts';

test('a player is named with a version or without, and no other word is one', () => {
  for (const text of ['hlsjs', 'shaka@5', 'dashjs@4.7.4', 'dashjs@latest'])
    assert.equal(player.form.read(text), text);
  for (const text of ['vlc', 'hlsjs@', 'hlsjs@../x', 'shaka@5&x=1', 'dashjs 5'])
    assert.equal(player.form.read(text), undefined, text);
});

test('every version of a player that can be fetched has its adapter in the page', () => {
  const adapters = readFileSync('video/page/players/registry.ts', 'utf8');
  for (const [id, majors] of Object.entries(playerMajors)) {
    assert.ok(Object.hasOwn(versionedPrograms, id), `${id} cannot be fetched`);
    for (const major of majors) assert.ok(adapters.includes(`'${id}@${major}': open`), `${id} ${major}`);
  }
});
