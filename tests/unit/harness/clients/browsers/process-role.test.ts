import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  chromiumProcessRole,
  firefoxProcessRole,
} from '../../../../../harness/clients/browsers/process-role.ts';

test('what a process does is read from its command line', () => {
  const roles: readonly (readonly [string, string])[] = [
    ['/opt/chrome --headless', 'browser'],
    ['/opt/chrome --type=renderer --x', 'renderer'],
    ['/opt/chrome --type=gpu-process', 'gpu'],
    ['/opt/chrome --type=zygote --no-zygote-sandbox', 'zygote'],
    ['/opt/chrome --type=utility --utility-sub-type=network.mojom.NetworkService --lang=en', 'network'],
    ['/opt/chrome --type=utility --utility-sub-type=storage.mojom.StorageService', 'utility'],
    ['/opt/firefox --headless --profile /tmp/p', 'browser'],
    ['/opt/firefox -contentproc {1} 7 socket', 'network'],
    ['/opt/firefox -contentproc -isForBrowser {1} 8 tab', 'renderer'],
    ['/opt/firefox -contentproc {1} 9 rdd', 'rdd'],
  ];
  for (const [commandLine, role] of roles) {
    const roleOf = commandLine.includes('firefox') ? firefoxProcessRole : chromiumProcessRole;
    assert.equal(roleOf(commandLine), role, commandLine);
  }
});
