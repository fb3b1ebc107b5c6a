import assert from 'node:assert/strict';
import { test } from 'node:test';
import { webkitRefusal } from '../../../../../../harness/clients/browsers/webkit/webkit-refusal.ts';
import { liveNetwork, liveServer } from '../../../../../../src/core/model/live-names.ts';

test('WebKit loads pages of live addresses over HTTP/2, and says of everything else why not', () => {
  const client = { id: 'webkit', family: 'webkit', name: 'WebKitGTK' } as Parameters<typeof webkitRefusal>[0];
  const page = { id: 'url-a.example', kind: 'page' } as const;
  const live = { front: liveServer, network: liveNetwork };
  for (const protocol of ['h2', 'auto'] as const)
    assert.equal(webkitRefusal(client, page, protocol, live), undefined);
  assert.match(webkitRefusal(client, page, 'h3', live) ?? '', /speaks no HTTP\/3/);
  assert.match(webkitRefusal(client, page, 'h2', { ...live, front: 'caddy' }) ?? '', /it loads addresses/);
  assert.match(webkitRefusal(client, { ...page, kind: 'journey' }, 'h2', live) ?? '', /pages alone/);
  assert.match(webkitRefusal(client, { ...page, view: 'repeat' }, 'h2', live) ?? '', /no second visits/);
});
