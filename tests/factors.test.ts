import assert from 'node:assert/strict';
import { test } from 'node:test';
import ts from 'typescript';
import { clientAppliers } from '../harness/clients/client-driver.ts';
import type { ClientIdentity } from '../harness/clients/client.ts';
import { clientDrivers } from '../harness/clients/drivers.ts';
import { networkProviders, networkSpecs } from '../harness/network/registry.ts';
import { proxySoftware } from '../harness/proxies/registry.ts';
import { serverSoftware } from '../harness/servers/registry.ts';
import { factorsAppliedBy, requireApplied, serverUnableReason } from '../harness/servers/sender-settings.ts';
import { testbedKey, testbedRequestOf } from '../harness/testbed/testbed-request.ts';
import { contentOf } from '../src/app/plan/arm-addresses.ts';
import { planFromRequest, readPlanRequest } from '../src/app/plan/plan-request.ts';
import { appliedFactors } from '../src/app/preflight/applied-factors.ts';
import { workloadCatalogue } from '../src/app/plan/workload-catalogue.ts';
import { networkUnderFault } from '../src/app/run/injected-faults.ts';
import type { Applier } from '../src/core/factors/factor.ts';
import { withLinkFactors } from '../src/core/factors/link-factors.ts';
import { factorOf, factors, type AnyFactor } from '../src/core/factors/registry.ts';
import { isAppliedBy, mustApply, valuesFor } from '../src/core/factors/values.ts';
import { H2h3Error } from '../src/core/model/errors.ts';
import { rawTrialSchema } from '../src/core/model/raw-trial.ts';
import { planFileSchema } from '../src/plan/plan-file.ts';
import { setupContextIn } from './support/setup-context.ts';
import { parse, sourcesIn, syntaxTreeOf, walk } from './support/source-graph.ts';
import { tempFolder } from './support/temp-folder.ts';

const examplesOf = ({ example }: AnyFactor): readonly string[] => example.split(', ');

/** Everything that starts a trial: who loads what, over which testbed, and what the client is told. */
function startsOf(factor: AnyFactor): string[] {
  const set = (text: string): string => (factor.id === 'protocol' ? text : `h2+${factor.id}=${text}`);
  const values = examplesOf(factor).slice(0, 2).map(set);
  const open = factor.unsetLabel === undefined ? [] : ['h2'];
  const arms = [...values, ...open];
  const flags = {
    arm: arms.length > 1 ? arms : [...arms, 'h2'],
    exploratory: true,
    ...(factor.id === 'network' ? {} : { network: 'dsl' }),
    ...(factor.id === 'url' ? {} : { workload: 'download-1mb' }),
  };
  const { plan } = planFromRequest(readPlanRequest(undefined, flags), '');
  return plan.arms.map(({ label }) => {
    const trial = plan.trials.find(({ arm }) => arm === label);
    assert.ok(trial, label);
    const request = testbedRequestOf({ ...trial, network: networkUnderFault(plan, trial) });
    const { client, factors: texts } = trial;
    const told = valuesFor(clientAppliers, texts);
    return JSON.stringify([client, contentOf(trial), texts.protocol, testbedKey(request), told]);
  });
}

test('no two values of a factor begin a trial alike', () => {
  for (const factor of factors) {
    const starts = startsOf(factor);
    assert.ok(starts.length > 1, factor.id);
    assert.equal(new Set(starts).size, starts.length, `${factor.id} changes nothing: ${starts.join('\n')}`);
  }
});

/** The first example that one of these carries out, and the protocol over which they do. */
function exampleFor(factor: AnyFactor, who: readonly Applier[]): { protocol: 'h2' | 'h3'; text: string } {
  const [first = ''] = examplesOf(factor);
  const found = (['h2', 'h3'] as const).flatMap((protocol) =>
    examplesOf(factor).flatMap((text) =>
      mustApply(factor, factor.form.read(text), who, { protocol }) ? [{ protocol, text }] : [],
    ),
  );
  return found[0] ?? { protocol: 'h2', text: first };
}

/** The factor's first example as these appliers are given it. */
function settingOf<Who extends Applier>(
  factor: AnyFactor,
  who: readonly Who[],
): ReturnType<typeof valuesFor<Who>> {
  const { protocol, text } = exampleFor(factor, who);
  return valuesFor(who, { protocol, [factor.id]: text });
}

test('every factor of servers is applied by one, and refused with the reason by each that does not', () => {
  for (const factor of factors.filter((one) => isAppliedBy(one, ['sender', 'server']))) {
    const able = serverSoftware.filter((one) => factorsAppliedBy(one).some((name) => name === factor.id));
    assert.ok(able.length > 0, `no server applies ${factor.id}`);
    for (const server of [...serverSoftware, ...proxySoftware]) {
      if (factorsAppliedBy(server).some((name) => name === factor.id)) continue;
      assert.throws(
        () => requireApplied(settingOf(factor, ['sender', 'server']), server),
        (thrown) =>
          thrown instanceof H2h3Error &&
          thrown.code === 'unsupported' &&
          thrown.message === serverUnableReason(factor, server),
      );
    }
  }
});

test('over TCP the link sets the initial window, over QUIC the server does or says why it cannot', () => {
  const over = (protocol: 'h2' | 'h3', who: readonly Applier[]): unknown =>
    valuesFor(who, { protocol, initialwindow: '32' });
  assert.deepEqual(over('h2', ['link']), { initialwindow: { packets: 32 } });
  assert.deepEqual(over('h2', ['sender', 'server']), {});
  assert.deepEqual(over('h3', ['link']), {});
  assert.deepEqual(over('h3', ['sender', 'server']), { initialwindow: { packets: 32 } });
  const unable = [...serverSoftware, ...proxySoftware].filter(
    ({ applies }) => !applies.includes('initialwindow'),
  );
  assert.ok(unable.length >= 5 && unable.length < serverSoftware.length + proxySoftware.length);
  const withReason = unable.filter(({ lacks }) => lacks?.initialwindow !== undefined);
  assert.ok(withReason.length >= 5, 'most say a reason of their own');
  for (const server of withReason)
    assert.equal(
      serverUnableReason(factorOf('initialwindow'), server),
      `${server.id} ${server.lacks?.initialwindow ?? ''}`,
    );
  for (const server of unable)
    assert.match(serverUnableReason(factorOf('initialwindow'), server) ?? '', new RegExp(server.id));
});

test('every factor of links is applied by a network of ours, and refused with the reason by each that cannot have it', (t) => {
  const networks = networkProviders(setupContextIn(tempFolder(t)));
  for (const factor of factors.filter((one) => isAppliedBy(one, ['link']))) {
    const settings = settingOf(factor, ['link']);
    if (factor.shape !== undefined)
      for (const spec of networkSpecs.filter(({ offloads }) => !offloads))
        assert.notDeepEqual(withLinkFactors(spec, settings), spec, `${factor.id} leaves ${spec.id} as it is`);
    const able = networks.filter(
      ({ unsupportedReason }) => unsupportedReason !== undefined && unsupportedReason(settings) === undefined,
    );
    assert.ok(able.length > 0, `no network applies ${factor.id}`);
    for (const { id, unsupportedReason } of networks) {
      const reason = unsupportedReason?.(settings);
      assert.ok(reason === undefined || reason.length > 20, `${id}: no reason against ${factor.id}`);
    }
  }
});

test('another client of a link speaks IPv4 alone', (t) => {
  const cable = networkProviders(setupContextIn(tempFolder(t))).find(({ id }) => id === 'cable');
  for (const version of ['6', 'both']) {
    const settings = valuesFor(['link'], { family: version, crosstraffic: 'upload' });
    assert.equal(cable?.unsupportedReason?.(settings), 'another client of a link speaks IPv4 alone');
  }
  assert.equal(
    cable?.unsupportedReason?.(valuesFor(['link'], { family: '4', crosstraffic: 'upload' })),
    undefined,
  );
});

test('every factor of clients, players and workloads is applied by one', () => {
  const byClients = [...clientDrivers.values()].flatMap(({ applies }) => applies as readonly string[]);
  const byWorkloads = [...workloadCatalogue().values()].flatMap(({ applies = [] }) => applies);
  for (const factor of factors) {
    if (isAppliedBy(factor, ['client']))
      assert.ok(byClients.includes(factor.id), `no client applies ${factor.id}`);
    if (isAppliedBy(factor, ['player', 'workload']))
      assert.ok(byWorkloads.includes(factor.id), `no workload applies ${factor.id}`);
  }
});

/** Any client of a family; what it is beside that says nothing of its factors. */
const clientOf = (family: string): ClientIdentity => ({
  id: family,
  family,
  name: family,
  version: '1.0',
  build: 'full',
  source: 'system',
  executablePath: family,
  headed: false,
  environment: {},
});

test('every factor of clients is refused, by a plan that sets it, for each client that does not apply it', async () => {
  let refused = 0;
  for (const factor of factors.filter((one) => isAppliedBy(one, ['client'])))
    for (const [family, { applies }] of clientDrivers) {
      if (applies.some((name) => name === factor.id)) continue;
      const arm = ['h2', `h2+${factor.id}=${exampleFor(factor, ['client']).text}`];
      const flags = { arm, client: family, workload: 'download-1mb', network: 'dsl', exploratory: true };
      const { plan } = planFromRequest(readPlanRequest(undefined, flags), '');
      const clients = new Map([[family, clientOf(family)]]);
      const blockers = await appliedFactors.judge(plan, { clients });
      const reason =
        factor.unable === undefined
          ? `sets ${factor.id}, which the client ${family} does not know`
          : `sets ${factor.id}: the client ${family} ${factor.unable}`;
      assert.ok(
        blockers.some((blocker) => blocker.reason.includes(reason)),
        `${family} neither applies ${factor.id} nor is it refused`,
      );
      refused++;
    }
  assert.ok(refused > 10, `${refused} refused`);
});

/** Whether a path such as `testbed.links.mtuBytes` is in the schema of a trial's evidence. */
function isInEvidence(path: string): boolean {
  let schema: unknown = rawTrialSchema;
  for (const name of path.split('.')) schema = partOf(schema, name);
  return schema !== undefined;
}

interface SchemaPart {
  readonly shape?: Readonly<Record<string, unknown>>;
  readonly def?: {
    readonly innerType?: unknown;
    readonly element?: unknown;
    readonly options?: readonly unknown[];
  };
}

/** A part of an object's schema, whether it may be absent, null or one of several. */
function partOf(schema: unknown, name: string): unknown {
  const { shape, def } = (schema ?? {}) as SchemaPart;
  if (shape !== undefined) return shape[name];
  if (def?.options !== undefined)
    return def.options.map((one) => partOf(one, name)).find((one) => one !== undefined);
  const inner = def?.innerType ?? def?.element;
  return inner === undefined ? undefined : partOf(inner, name);
}

test('what each factor did is read back into the evidence, or a reason says why it is not', () => {
  assert.ok(isInEvidence('testbed.links.mtuBytes') && !isInEvidence('testbed.links.none'));
  for (const { id, readBack, provenBy } of factors)
    if (readBack === null) assert.match(provenBy, /^nothing: .{20,}|\(HAR\)$/, id);
    else assert.ok(isInEvidence(readBack), `${id}: no ${readBack} in the evidence of a trial`);
});

test('a factor without a list of its own in plan files can be set for every arm, as a word or a number', () => {
  for (const { id, example, ownField } of factors) {
    const [value = ''] = example.split(', ');
    if (ownField !== undefined)
      assert.ok(ownField in planFileSchema.shape, `${id}: no ${ownField} in plan files`);
    else planFileSchema.parse({ workloads: ['download-1mb'], set: { [id]: value } });
  }
  const { set } = planFileSchema.parse({ workloads: ['download-1mb'], set: { tls: 1.2, mtu: 1400 } });
  assert.deepEqual(set, { tls: '1.2', mtu: '1400' });
});

/** Names of what an array, an object, a type or a union lists. */
function namesListed(node: ts.Node): readonly string[] {
  if (ts.isArrayLiteralExpression(node))
    return node.elements.filter(ts.isStringLiteralLike).map(({ text }) => text);
  if (ts.isUnionTypeNode(node))
    return node.types.flatMap((type) =>
      ts.isLiteralTypeNode(type) && ts.isStringLiteral(type.literal) ? [type.literal.text] : [],
    );
  const members = ts.isObjectLiteralExpression(node)
    ? node.properties
    : ts.isInterfaceDeclaration(node) || ts.isTypeLiteralNode(node)
      ? node.members
      : [];
  return members.flatMap(({ name }) => (name !== undefined && ts.isIdentifier(name) ? [name.text] : []));
}

/** Whether a list says what one server, client or workload applies. */
function listsAppliedFactors(node: ts.Node): boolean {
  for (let parent = node.parent; !ts.isSourceFile(parent) && !ts.isBlock(parent); parent = parent.parent)
    if (ts.isPropertyAssignment(parent) && parent.name.getText() === 'applies') return true;
  return false;
}

/** More names than this at one place are a list; what a run is made of is named in many. */
const maxNames = 3;

function listsIn(file: string, tree: ts.SourceFile): string[] {
  const names: ReadonlySet<string> = new Set(
    factors.filter((one) => !isAppliedBy(one, ['run'])).map(({ id }) => id),
  );
  const found: string[] = [];
  walk(tree, (node) => {
    const listed = namesListed(node).filter((name) => names.has(name));
    if (listed.length > maxNames && !listsAppliedFactors(node)) found.push(`${file}: ${listed.join(', ')}`);
  });
  return found;
}

test('nothing else keeps a list of factors', () => {
  const lists = sourcesIn(['src', 'harness', 'sites', 'video', 'reports', 'build']).flatMap((file) =>
    listsIn(file, syntaxTreeOf(file)),
  );
  assert.deepEqual(lists, [], 'derive it from src/core/factors/registry.ts');
  const names = 'mtu cipher pacing storage'.split(' ');
  for (const list of [`[${names.map((name) => `'${name}'`).join()}]`, `{ ${names.join(': 1, ')}: 1 }`])
    assert.equal(listsIn('list.ts', parse('list.ts', `const list = ${list};`)).length, 1, list);
  const one = `const server = { applies: ['mtu', 'cipher', 'pacing', 'storage'] };`;
  assert.deepEqual(listsIn('one.ts', parse('one.ts', one)), []);
});

test('every factor that a file of the room defines is in the registry', () => {
  const defined: string[] = [];
  for (const file of sourcesIn(['src/core/factors']))
    walk(syntaxTreeOf(file), (node) => {
      if (!ts.isCallExpression(node) || node.expression.getText() !== 'defineFactor') return;
      defined.push(/\bid: '([\w-]+)'/.exec(node.getText())?.[1] ?? file);
    });
  assert.deepEqual(defined.toSorted(), factors.map(({ id }) => id as string).toSorted());
});
