import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { preparePlayerSite } from '../../../video/player-site.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { videoContext } from '../../support/video-context.ts';

test('the served player has the page, dash.js, and only modules that a browser can load', async (t) => {
  const directory = await preparePlayerSite(videoContext(tempFolder(t)));
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  assert.ok(files.includes('dash.js') && files.includes(join('page', 'index.html')));
  for (const file of files.filter((name) => name.endsWith('.js') && name !== 'dash.js')) {
    const text = readFileSync(join(directory, file), 'utf8');
    for (const [, specifier] of text.matchAll(/\bfrom '([^']+)'/g)) {
      assert.match(specifier ?? '', /^\.{1,2}\/.*\.js$/, file);
      const asked = new URL(specifier ?? '', `https://player.test/${file}`).pathname.slice(1);
      assert.ok(files.includes(asked), `${file} imports ${specifier}, which is not served`);
    }
  }
});
