import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readAudienceFile } from '../../../../src/app/plan/audience-file.ts';
import { planFromRequest, readPlanRequest } from '../../../../src/app/plan/plan-request.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const csv = 'share,rttMs,downMbps,upMbps\n60,20,50,10\n40,90,8,2\n';

test('the end of its name says whether a file is one JSON document or lines', (t) => {
  const folder = tempFolder(t);
  const fileOf = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const segments = [
    { share: 60, rttMs: 20, downMbps: 50, upMbps: 10 },
    { share: 40, rttMs: 90, downMbps: 8, upMbps: 2 },
  ];
  const ofCsv = readAudienceFile(fileOf('users.csv', csv));
  const ofJson = readAudienceFile(fileOf('users.json', JSON.stringify(segments)));
  const ofLines = readAudienceFile(
    fileOf('users.jsonl', segments.map((one) => JSON.stringify(one)).join('\n')),
  );
  assert.deepEqual([ofJson.conditions, ofLines.conditions], [ofCsv.conditions, ofCsv.conditions]);
  assert.equal(ofLines.source, 'users.jsonl');
  assert.throws(() => readAudienceFile(join(folder, 'none.csv')), {
    code: 'bad-input',
    message: /does not exist/,
  });
});

test('a plan file names its audience as seen from its own folder, and the plan keeps the conditions', (t) => {
  const folder = join(tempFolder(t), 'plans');
  mkdirSync(folder);
  writeFileSync(join(folder, 'users.csv'), csv);
  const file = join(folder, 'plan.yaml');
  writeFileSync(file, 'workloads: [page-agency]\nclients: [chromium]\naudience: users.csv\n');
  const { plan } = planFromRequest(readPlanRequest(file, {}), 'h2h3 run plan.yaml');
  assert.deepEqual(
    plan.conditions.map(({ network }) => network),
    plan.audience?.conditions.map(({ network }) => network),
  );
  assert.deepEqual(
    plan.audience?.conditions.map(({ share, rttMs }) => [share, rttMs]),
    [
      [0.6, 20],
      [0.4, 90],
    ],
  );
});

test('an audience takes the place of a preset’s networks, and not of those that are named', (t) => {
  const audience = join(tempFolder(t), 'users.csv');
  writeFileSync(audience, csv);
  const { networks } = readPlanRequest('web', { audience });
  assert.equal(networks.length, 2);
  assert.match(networks[0] ?? '', /^audience-20ms-/);
  assert.throws(() => readPlanRequest('web', { audience, network: '4g' }), /has networks of its own/);
  const file = join(tempFolder(t), 'plan.yaml');
  writeFileSync(file, 'workloads: [page-agency]\nnetworks: [4g]\n');
  assert.throws(() => readPlanRequest(file, { audience }), /has networks of its own/);
});
