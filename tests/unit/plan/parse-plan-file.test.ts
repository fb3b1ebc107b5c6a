import assert from 'node:assert/strict';
import { test } from 'node:test';
import { H2h3Error } from '../../../src/core/model/errors.ts';
import { parsePlanDocument } from '../../../src/plan/parse-plan-file.ts';

function messageOf(text: string): string {
  try {
    parsePlanDocument(text, 'plan.yaml');
  } catch (thrown) {
    assert.ok(thrown instanceof H2h3Error);
    assert.equal(thrown.code, 'bad-input');
    return thrown.message;
  }
  return assert.fail('the file was accepted');
}

test('a plan file gives back what it says', () => {
  const text = 'name: mine\nworkloads: [page-tabler]\narms: [h2, h3]\nrepetitions: 12\n';
  assert.deepEqual(parsePlanDocument(text, 'plan.yaml').plan, {
    name: 'mine',
    workloads: ['page-tabler'],
    arms: ['h2', 'h3'],
    repetitions: 12,
  });
});

test('a wrong value is named with its line, what was expected and what was got', () => {
  const message = messageOf('name: mine\nworkloads:\n  - page-tabler\nrepetitions: many\n');
  assert.match(message, /plan\.yaml:4: repetitions: .*expected number.*got "many"/);
});

test('an unknown key is named with its line', () => {
  assert.match(messageOf('workloads: [page-a]\nseed: 3\nrepetition: 4\n'), /plan\.yaml:3: .*repetition/);
});

test('a factor that an arm cannot have is named with what it can have', () => {
  assert.throws(
    () => parsePlanDocument('workloads: [page-a]\narms: [h2, {protocol: h3, sever: nginx}]\n', 'p.yaml'),
    /p\.yaml:2: arms\.1: .*"sever".*Did you mean server\? An arm has protocol, client/,
  );
});

test('broken YAML is named with its line', () => {
  assert.match(messageOf('name: mine\nworkloads: [page-a\nseed: 1\n'), /plan\.yaml:[23]: not valid YAML/);
});

test('several faults are all named', () => {
  const message = messageOf('workloads: [page-a]\nseed: -1\nprobes: [har, 7]\n');
  assert.match(message, /plan\.yaml:2: seed/);
  assert.match(message, /plan\.yaml:3: probes/);
});

test('a half-duplex network whose directions differ is named with its line and the value', () => {
  const direction = '{ rateMbps: 10, queueBytes: 9000 }';
  const text = (down: string): string =>
    `workloads: [download-1mb]\ncustomNetworks:\n  mine:\n    duplex: half\n    up: ${direction}\n    down: ${down}\n`;
  assert.match(
    messageOf(text('{ rateMbps: 5, queueBytes: 9000 }')),
    /plan\.yaml:4: customNetworks\.mine\.duplex: both directions of a half-duplex link have the same rateMbps.*got "half"/,
  );
  assert.equal(parsePlanDocument(text(direction), 'plan.yaml').plan.customNetworks?.['mine']?.duplex, 'half');
});

test('a quick start is for exploratory plans alone', () => {
  const quick = 'workloads: [page-a]\nrepetitions: 1\nquickStart: true\n';
  assert.match(messageOf(quick), /plan\.yaml:3: quickStart: a quick start is for exploratory plans/);
  assert.equal(parsePlanDocument(`${quick}exploratory: true\n`, 'plan.yaml').plan.quickStart, true);
});

test('an empty plan and one without workloads are refused', () => {
  assert.match(messageOf(''), /plan\.yaml:1/);
  assert.match(messageOf('name: mine\n'), /at least one entry/);
});

test('an address that is not https is refused', () => {
  assert.match(messageOf('urls: ["http://example.org/"]\n'), /plan\.yaml:1: urls\.0/);
});

test('traces are looked for beside the plan file', () => {
  const trace = '{ format: seconds-mbps, file: t.txt }';
  const text = `workloads: [download-1mb]\ncustomNetworks:\n  mine:\n    up: { rateMbps: 1, queueBytes: 9000 }\n    down: { trace: ${trace}, queueBytes: 9000 }\n`;
  const { customNetworks } = parsePlanDocument(text, '/plans/plan.yaml').plan;
  assert.deepEqual(customNetworks?.['mine']?.down.trace, { format: 'seconds-mbps', file: '/plans/t.txt' });
});

test('a metric that does not exist, or is none of the workload, is named with its line', () => {
  const message = messageOf(
    'workloads: [page-a]\nprimary:\n  page: stallCount\n  video: nosuchMs\nmargins:\n  nosuchMs: 0.1\n',
  );
  assert.match(message, /plan\.yaml:3: primary\.page: no metric of a page.*"stallCount"/);
  assert.match(message, /plan\.yaml:4: primary\.video: no metric of a video/);
  assert.match(message, /plan\.yaml:6: margins\.nosuchMs: no such metric/);
});

test('an unknown arm is named with its line, and so is what only the caller can know', () => {
  assert.match(
    messageOf('workloads: [page-a]\narms:\n  - h2\n  - h4\n'),
    /plan\.yaml:4: arms\.1: unknown arm/,
  );
  const faultsOf = () => [{ path: ['workloads', 1], message: 'unknown workload' }];
  assert.throws(
    () => parsePlanDocument('workloads:\n  - page-a\n  - page-b\n', 'plan.yaml', faultsOf),
    /plan\.yaml:3: workloads\.1: unknown workload, got "page-b"/,
  );
});

test('of a plan with scales each says what is its own, and the quick one runs unless another is asked for', () => {
  const { plan, scales } = parsePlanDocument(
    'clients: [curl]\nscales:\n  quick: { workloads: [a], repetitions: 6 }\n  standard: { workloads: [a] }\n  paper: { workloads: [b] }\n',
    'plan.yaml',
  );
  assert.deepEqual(plan, { clients: ['curl'], workloads: ['a'], repetitions: 6, scale: 'quick' });
  assert.deepEqual(scales?.standard, { clients: ['curl'], workloads: ['a'], scale: 'standard' });
  assert.deepEqual(scales?.paper, { clients: ['curl'], workloads: ['b'], scale: 'paper' });
});

test('a fault within a scale is named with its line, one that all scales share once', () => {
  const message = messageOf(
    'seed: -1\nscales:\n  quick: { workloads: [a] }\n  standard:\n    workloads: [a]\n    repetitions: many\n  paper:\n    workloads: [a]\n    repetition: 3\n',
  );
  assert.match(message, /plan\.yaml:6: scales\.standard\.repetitions: .*got "many"/);
  assert.match(message, /plan\.yaml:9: scales\.paper: .*"repetition".*Did you mean repetitions/);
  assert.equal([...message.matchAll(/plan\.yaml:1: seed/g)].length, 1);
  assert.match(messageOf('workloads: [a]\nscales: { quick: {} }\n'), /scales\.standard/);
});
