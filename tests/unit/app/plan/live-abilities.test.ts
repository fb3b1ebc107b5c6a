import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requireLiveAbilities } from '../../../../src/app/plan/live-abilities.ts';
import { planFromRequest, readPlanRequest } from '../../../../src/app/plan/plan-request.ts';
import type { ClientIdentity } from '../../../../harness/clients/client.ts';

const browser = (id: string): ClientIdentity => ({
  ...{ id, family: id, name: id, version: '1', build: 'full', source: 'system' },
  ...{ executablePath: id, headed: false, environment: {} },
});

test('what a browser cannot be told of a live address is refused by client and flag', () => {
  const given = {
    connectTo: ['a.test:443:127.0.0.1:8443'],
    block: ['ads'],
    header: ['Accept-Language: de'],
    cookie: ['sid=${SID}'],
    basicAuth: 'me:${WORD}',
    storageState: 'state.json',
    login: 'log-in.ts',
  };
  const requireOf = (client: string, flags: Partial<typeof given>): void => {
    const request = readPlanRequest(undefined, {
      ...{ url: ['https://a.test/'], client, repetitions: '1', exploratory: true },
      ...flags,
    });
    requireLiveAbilities(planFromRequest(request, 'test').plan, new Map([[client, browser(client)]]));
  };
  for (const [name, value] of Object.entries(given)) {
    const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    assert.throws(() => requireOf('webkit', { [name]: value }), {
      code: 'usage',
      message: `webkit cannot be given ${flag}`,
    });
    requireOf('chromium', { [name]: value });
    if (name !== 'connectTo') requireOf('firefox', { [name]: value });
  }
  assert.throws(() => requireOf('firefox', given), /firefox cannot be given --connect-to$/);
});
