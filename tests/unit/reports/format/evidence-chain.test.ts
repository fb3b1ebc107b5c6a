import assert from 'node:assert/strict';
import { test } from 'node:test';
import { evidenceChain } from '../../../../reports/format/evidence-chain.ts';
import { diagnosisFixture } from '../../../support/diagnosis-fixture.ts';

const place = { workload: 'download-100mb', client: 'chromium', network: 'ethernet-1g', server: 'caddy' };
const sentences = (...changes: Parameters<typeof diagnosisFixture>[1][]): string[] =>
  evidenceChain(diagnosisFixture(place, ...changes)).map(({ what, measured }) => `${what}${measured}`);

test('the chain leads from the whole over its parts, limits, CPU time and causes to experiments and rest', () => {
  const said = sentences();
  const order = [
    /^HTTP\/3 takes 1240 ms longer than HTTP\/2: 1910 ms against 670 ms/,
    /^97\s% of it is transfer while the client’s networking process was saturated: \+1200 ms \(95 % interval \+960 to \+1440 ms\)/,
    /^The transfer is limited by the client’s networking process for 78\s% of its time with HTTP\/3, 12\s% with HTTP\/2/,
    /^For the same work HTTP\/3 needs 3.03 times the CPU time .*decryption \+700 ms .*, socket read \+500 ms/,
    /^The client’s networking process is saturated for longer: \+1200 ms, 97\s% of the difference \(1500 ms instead of 300 ms/,
    /^Confirmed by an experiment: With half the CPU for the client/,
    /^4.8\s% of it is not explained: \+60 ms/,
  ];
  assert.equal(said.length, order.length, said.join('\n'));
  order.forEach((pattern, place) => assert.match(said[place] ?? '', pattern));
});

test('what is not beyond chance, and parts of less than a tenth, are not told', () => {
  const said = sentences().join('\n');
  assert.doesNotMatch(said, /limited by the link|rest \+|first byte/);
});

test('a part that works against the whole is told as such', () => {
  const part = { cause: 'first byte', ms: -400, interval: [-500, -300] as [number, number], evidence: '' };
  const said = sentences({ parts: [{ ...part, confirmed: false }] });
  assert.ok(
    said.some((line) => /^Offset by first byte: −400 ms/.test(line)),
    said.join('\n'),
  );
});

test('an experiment that bears nothing out says so', () => {
  const [part] = diagnosisFixture(place).parts;
  const results = part?.interventions?.map((result) => ({ ...result, confirms: false }));
  const said = sentences({ parts: part ? [{ ...part, confirmed: false, interventions: results }] : [] });
  assert.ok(
    said.some((line) => line.startsWith('Not confirmed by an experiment: ')),
    said.join('\n'),
  );
});
