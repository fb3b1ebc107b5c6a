import assert from 'node:assert/strict';
import { test } from 'node:test';
import { meaningfulLines } from '../../../../harness/clients/browsers/chromium/chromium-process.ts';

const noise = [
  '/usr/bin/google-chrome: line 45: /dev/fd/62: No such file or directory',
  '[12:12:1123/1.2:ERROR:dbus/bus.cc:408] Failed to connect to the bus',
];

test('of what a browser wrote the shell of its start script and a lacking D-Bus are left out', () => {
  const own = '[12:12:1123/1.2:FATAL:zygote.cc(44)] No usable sandbox!';
  assert.equal(meaningfulLines([...noise, own, ''].join('\n')), own);
});

test('where the shell alone said anything, that is the reason', () => {
  const said = '/usr/bin/chromium: 12: exec: /usr/lib/chromium/chromium: not found';
  assert.equal(meaningfulLines(`${said}\n`), said);
});
