import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planFromRequest, readPlanRequest } from '../../../../src/app/plan/plan-request.ts';
import { liveAbilities } from '../../../../src/app/preflight/live-abilities.ts';
import type { ClientIdentity } from '../../../../harness/clients/client.ts';

const browser = (id: string): ClientIdentity => ({
  id,
  family: id,
  name: id,
  version: '1',
  build: 'full',
  source: 'system',
  executablePath: id,
  headed: false,
  environment: {},
});

test('what a browser cannot be told of a live address is refused by client and flag', async () => {
  const given = {
    connectTo: ['a.test:443:127.0.0.1:8443'],
    block: ['ads'],
    header: ['Accept-Language: de'],
    cookie: ['sid=${SID}'],
    basicAuth: 'me:${WORD}',
    storageState: 'state.json',
    login: 'log-in.ts',
  };
  const refusals = async (client: string, flags: Partial<typeof given>): Promise<string[]> => {
    const request = readPlanRequest(undefined, {
      url: ['https://a.test/'],
      client,
      repetitions: '1',
      exploratory: true,
      ...flags,
    });
    const clients = new Map([[client, browser(client)]]);
    const found = await liveAbilities.judge(planFromRequest(request, 'test').plan, { clients });
    return found.map(({ reason }) => reason);
  };
  for (const [name, value] of Object.entries(given)) {
    const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    assert.deepEqual(await refusals('webkit', { [name]: value }), [`webkit cannot be given ${flag}`]);
    assert.deepEqual(await refusals('chromium', { [name]: value }), []);
    if (name !== 'connectTo') assert.deepEqual(await refusals('firefox', { [name]: value }), []);
  }
  assert.deepEqual(await refusals('firefox', given), ['firefox cannot be given --connect-to']);
});
