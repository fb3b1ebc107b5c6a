import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { z } from 'zod';
import { factors } from '../../../src/core/factors/registry.ts';
import { networkSpecSchema } from '../../../src/core/model/network-spec.ts';
import { planSchema, type Plan } from '../../../src/core/model/plan.ts';
import { parseArms } from '../../../src/plan/arms.ts';
import { textVerdict } from '../../../src/plan/outside-fields.ts';
import { readOutsidePlan, trialsAgain } from '../../../src/plan/outside-plan.ts';
import { generateRun } from '../../support/generated-run.ts';
import { cpuMs } from '../../support/cpu-ms.ts';

const { plan } = generateRun({ blocks: 3 });
const asDocument = (change: object): unknown => JSON.parse(JSON.stringify({ ...plan, ...change }));
const actsOf = (change: object): string[] =>
  readOutsidePlan(asDocument(change), 'run.zip').acts.map(({ field, does }) => `${field} ${does}`);
const isRefused = (change: object, reason: RegExp): void =>
  assert.throws(
    () => readOutsidePlan(asDocument(change), 'run.zip'),
    ({ code, message }: { code?: string; message: string }) => {
      assert.equal(code, 'bad-input');
      assert.match(message, reason);
      return true;
    },
  );

interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

/** Places of a plan where its schema lets a text of any kind stand, as the allow-list names them. */
function textPlaces(schema: Schema, place: string): string[] {
  const branches = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  const { additionalProperties: rest } = schema;
  return [
    ...branches.flatMap((branch) => textPlaces(branch, place)),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) =>
      textPlaces(inner, place === '' ? name : `${place}.${name}`),
    ),
    ...(typeof rest === 'object' ? textPlaces(rest, `${place}.*`) : []),
    ...[...(schema.prefixItems ?? []), ...(schema.items === undefined ? [] : [schema.items])].flatMap(
      (inner) => textPlaces(inner, `${place}[]`),
    ),
    ...(schema.type === 'string' || typeof schema.const === 'string' ? [place] : []),
  ];
}

test('every text that the schema of plans has is named in the allow-list, or refused', () => {
  const places = new Set(textPlaces(z.toJSONSchema(planSchema, { io: 'output' }) as Schema, ''));
  assert.ok(places.size > 60, `${places.size} places`);
  const attacks = ['/tmp/evil', '../evil', '$(evil)', 'https://evil.test/?${TOKEN}', 'a b\u0000c', '-x'];
  const loose: string[] = [];
  for (const place of places)
    for (const attack of attacks) {
      const verdict = textVerdict(place, attack);
      if (verdict === undefined) loose.push(place);
    }
  // Words for people and names that are looked up: nothing is started, read or reached by them. Whoever adds a field to plans
  // sees it refused until it stands in the allow-list, and here where any text may stand in it.
  assert.deepEqual([...new Set(loose)].filter((place) => !/^(?:published|trials)\b/.test(place)).sort(), [
    'arms[].label',
    'audience.conditions[].title',
    'audience.leftOut[].title',
    'audience.leftOut[].why',
    'audience.notes[]',
    'audience.source',
    'budgets[]',
    'command',
    'compare[][]',
    'conditions[].workload',
    'customNetworks[].source',
    'customNetworks[].title',
    'grid.workloads[].workload',
    'standIns[].fault',
    'workloads[].id',
    'workloads[].title',
  ]);
});

test('no text that is not named passes, wherever it stands', () => {
  const word = fc.stringMatching(/^[a-z]{1,12}$/);
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), fc.string(), (path, value) => {
      const place = path.join('.');
      const known = ['name', 'scale', 'command', 'recordedBlocks', 'published', 'trials', 'primary'];
      fc.pre(!known.includes(path[0] ?? ''));
      assert.notEqual(textVerdict(place, value), undefined);
    }),
    { numRuns: 500 },
  );
});

test('every factor has a rule: it acts, is a name, or has a form of its own', () => {
  for (const { id, example } of factors) {
    const place = `arms[].factors.${id}`;
    for (const attack of ['/tmp/evil', '$(evil)', 'a;b', '../x', '\u001b[2J'])
      assert.notEqual(textVerdict(place, attack), undefined, `${id} ${attack}`);
    for (const value of example.split(', ')) {
      const verdict = textVerdict(place, value);
      if (id === 'url' || id === 'flags') assert.equal(typeof verdict, 'object', id);
      else assert.equal(verdict, undefined, `${id} ${value}`);
    }
  }
});

test('a plan as a run left it passes, and its trials can be made again', () => {
  assert.deepEqual(actsOf({}), []);
  assert.deepEqual(actsOf({ live: {} }), []);
  const again = trialsAgain(plan, () => true);
  assert.deepEqual(
    again.map(({ trialId }) => trialId).length,
    plan.trials.length,
    'as many as the plan has blocks, arms and conditions',
  );
  for (const { factors, client } of again)
    assert.deepEqual([client, factors.client], ['chromium', 'chromium']);
});

test('each field that starts, reads or reaches something is named', () => {
  const direction = { rateMbps: 1, queueBytes: 3000 };
  const traced = { trace: { format: 'mahimahi', file: '/etc/passwd' }, queueBytes: 3000 };
  const network = { id: 'x', title: 'x', source: 'x', up: direction, down: traced };
  const spec = networkSpecSchema.parse(network);
  const site = { kind: 'archive', id: 's', directory: '/home/x', indexHash: '00', options: {} };
  const builds = { baseline: { command: 'rm -r x' }, candidate: { command: 'rm -r x' } };
  const cases: readonly [object, RegExp][] = [
    [{ urls: ['https://a.test/'] }, /^urls\[0\] loads a live address$/],
    [{ app: { addresses: ['http://10.0.0.1/'] } }, /^app\.addresses asks an app/],
    [{ app: { addresses: ['/'], builds } }, /^app\.builds starts programs$/],
    [{ live: { server: { command: 'rm -r x' } } }, /^live\.server starts a program$/],
    [{ live: { login: 'x.ts' } }, /^live\.login runs a script$/],
    [{ live: { storageState: '/x' } }, /^live\.storageState reads a file/],
    [{ live: { headers: ['A: ${B}'] } }, /^live\.headers reads secrets/],
    [{ live: { cookies: ['a=${B}'] } }, /^live\.cookies reads secrets/],
    [{ live: { basicAuth: '${B}' } }, /^live\.basicAuth reads secrets/],
    [{ live: { ca: '/x.pem' } }, /^live\.ca reads a file/],
    [{ live: { insecure: true } }, /^live\.insecure says how/],
    [{ live: { connectTo: ['a:1:b:2'] } }, /^live\.connectTo says how/],
    [{ script: { file: '/x.ts', sha256: '00' } }, /^script runs a script$/],
    [{ customSites: [site] }, /^customSites\[0\] serves what a folder/],
    [{ customNetworks: [spec] }, /^customNetworks\[0\]\.down\.trace\.file reads a file$/],
  ];
  for (const [change, expected] of cases)
    assert.ok(
      actsOf(change).some((act) => expected.test(act)),
      `${String(expected)}: ${actsOf(change).join(', ')}`,
    );
});

/** The plan with arms of these factors, as a run makes it. */
function withArms(...arms: readonly string[]): Plan {
  return generateRun({ blocks: 2, arms: parseArms(arms) }).plan;
}

test('a client that is a path is named wherever it stands, and flags and addresses of arms are', () => {
  const armed = withArms('/tmp/x:h2', '/tmp/x:h3');
  assert.ok(actsOf(armed).includes('arms[0].factors.client starts a program by its path'));
  assert.match(actsOf(withArms('h2+flags=--renderer-cmd-prefix=x', 'h3')).join(), /flags sets switches/);
  assert.match(
    actsOf(withArms('h2+url=https://a.test/', 'h3+url=https://b.test/')).join(),
    /url loads a live/,
  );
  const conditions = plan.conditions.map((condition) => ({ ...condition, client: '/tmp/x' }));
  const trials = plan.trials.map((trial) => ({
    ...trial,
    client: '/tmp/x',
    factors: { ...trial.factors, client: '/tmp/x' },
  }));
  assert.match(actsOf({ conditions, trials }).join(), /conditions\[0\]\.client starts a program by its path/);
  // Said by trials alone, where another arm sets its own client.
  const half = withArms('chromium:h2', 'h3');
  const open = half.trials.map((trial) =>
    trial.arm === 'h3'
      ? { ...trial, client: '/tmp/x', factors: { ...trial.factors, client: '/tmp/x' } }
      : trial,
  );
  assert.match(
    actsOf({ ...half, trials: open }).join(),
    /conditions\[0\]\.client starts a program by its path/,
  );
});

test('a phone that is attached is used only where the user allows it', () => {
  for (const client of ['android', 'android@emulator-5554', 'Android@x', 'android@$(x)']) {
    for (const place of ['conditions[].client', 'arms[].factors.client']) {
      const verdict = textVerdict(place, client);
      assert.match(
        typeof verdict === 'object' ? verdict.does : '',
        /starts adb.* phone/,
        `${place} ${client}`,
      );
    }
  }
  assert.ok(
    actsOf(withArms('android:h2', 'chromium:h3')).some((act) =>
      /^arms\[0\]\.factors\.client starts adb/.test(act),
    ),
  );
  assert.equal(textVerdict('conditions[].client', 'chromium@153'), undefined);
});

test('fields that no plan has, and trials that are not those of arms and conditions, are refused', () => {
  isRefused({ hook: 'evil' }, /hook is no field of a plan/);
  isRefused({ arms: plan.arms.map((arm) => ({ ...arm, exec: 'x' })) }, /arms\[0\]\.exec is no field/);
  isRefused(JSON.parse('{"__proto__": {"x": 1}}') as object, /is no field|./);
  const [first, ...rest] = plan.trials;
  assert.ok(first);
  const altered = (change: object): object => ({ trials: [{ ...first, ...change }, ...rest] });
  isRefused(altered({ client: '/tmp/x' }), /trials\[0\]\.client \(\/tmp\/x\) is not what/);
  isRefused(
    altered({ factors: { ...first.factors, flags: '--x' } }),
    /trials\[0\]\.factors\.flags \(--x\) is not/,
  );
  isRefused(altered({ workload: 'other' }), /trials\[0\]\.workload/);
  isRefused(altered({ arm: 'h9' }), /trials\[0\] is of no arm or condition/);
  isRefused(altered({ trialId: '../x' }), /trials/);
  isRefused({ name: '../x' }, /name \(\.\.\/x\) is no name/);
  isRefused({ probes: ['/x'] }, /probes\[0\] \(\/x\) is no plain name/);
  const twice = [plan.conditions[0], plan.conditions[0]];
  isRefused({ conditions: twice, trials: [] }, /conditions have one name twice/);
});

test('a plan of more trials than any of ours has is refused before they are made', () => {
  assert.throws(
    () => trialsAgain({ ...plan, repetitions: 1e9 }, () => true),
    /repetitions: the plan has 4000000000 trials/,
  );
});

test('each count and each list of a plan has an upper bound, which the refusal names', () => {
  const many = <Item>(item: Item): Item[] => Array.from({ length: 100_001 }, () => item);
  const tooMany = 100_001;
  for (const change of [
    { repetitions: tooMany },
    { recordedBlocks: tooMany },
    { interims: [tooMany] },
    { ends: [tooMany] },
    { arms: many(plan.arms[0]) },
    { compare: many(['h2', 'h3']) },
    { interims: many(1) },
    { urls: many('https://a.test/') },
    { workloads: many(plan.workloads[0]) },
    { conditions: many(plan.conditions[0]) },
  ]) {
    const [field] = Object.keys(change);
    isRefused(change, new RegExp(`refused: ${field}.* (?:more than|at most) \\d+ (?:blocks|entries)`));
  }
  const { properties = {} } = z.toJSONSchema(planSchema, { io: 'output' });
  const lists = Object.entries(properties as Record<string, { type?: string; maxItems?: number }>);
  assert.deepEqual(
    lists.filter(([, { type, maxItems }]) => type === 'array' && maxItems === undefined),
    [],
  );
});

/** A plan of so many conditions, each of which has one trial; what arms leave open is said by that trial alone. */
function planOfConditions(count: number): unknown {
  const [condition] = plan.conditions;
  const [trial] = plan.trials;
  const open = { client: 'by-arm', network: 'by-arm', server: 'by-arm' };
  const ids = Array.from({ length: count }, (_, index) => `c${index}`);
  return asDocument({
    conditions: ids.map((conditionId) => ({ ...condition, conditionId, ...open })),
    trials: ids.map((conditionId) => ({ ...trial, conditionId })),
  });
}

test('reading a plan takes time in proportion to its trials', () => {
  const timeMs = (count: number): number => {
    const document = planOfConditions(count);
    return cpuMs(() => readOutsidePlan(document, 'run.zip'));
  };
  const ratio = timeMs(16_000) / timeMs(2000);
  assert.ok(ratio < 16, `8 times as many trials took ${ratio.toFixed(1)} times as long`);
});

test('the blocks of a plan are put in order in time in proportion to their number', () => {
  const timeMs = (blocks: number): number =>
    cpuMs(() =>
      trialsAgain({ ...plan, conditions: [], repetitions: blocks, recordedBlocks: blocks }, () => true),
    );
  const ratio = timeMs(16_000) / timeMs(2000);
  assert.ok(ratio < 24, `8 times as many blocks took ${ratio.toFixed(1)} times as long`);
});
