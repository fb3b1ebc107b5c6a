import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { execWorld, readReport, runExec, startSite, unchecked } from '../exec/exec-cases.ts';

const bytes = 1_000_000;
/** Of the network dsl, 25 Mbit/s and a round trip of 35 ms: the file, the connection and the request. */
const leastMs = (bytes * 8) / 25_000 + 2 * 35;

/** Programs that are no browsers, with the words that load the file. */
const programs: Readonly<Record<string, { readonly version: string; readonly words: Words }>> = {
  curl: { version: '--version', words: (address) => ['-sS', '-o', '/dev/null', address] },
  wget: { version: '--version', words: (address) => ['-q', '-O', '/dev/null', address] },
  ffmpeg: {
    version: '-version',
    words: (address) => ['-v', 'error', '-f', 's16le', '-ar', '48000', '-i', address, '-f', 'null', '-'],
  },
  python3: {
    version: '--version',
    words: (address) => [
      '-c',
      `import urllib.request as r; assert len(r.urlopen('${address}').read()) == ${bytes}`,
    ],
  },
  go: { version: 'version', words: () => ['test', '-vet=off', './...'] },
};
type Words = (address: string) => readonly string[];

/** A test of Go, which fails where the file comes too soon; by as few packages as can be, which are compiled anew. */
const goTest = (port: string): string => `package shop

import (
	"io"
	"net"
	"testing"
	"time"
)

func TestShop(t *testing.T) {
	began := time.Now()
	server, err := net.Dial("tcp", "localhost:${port}")
	if err != nil {
		t.Fatal(err)
	}
	server.Write([]byte("GET /${bytes} HTTP/1.0\\r\\n\\r\\n"))
	answer, err := io.ReadAll(server)
	if took := time.Since(began); err != nil || len(answer) < ${bytes} || took < ${Math.floor(leastMs)}*time.Millisecond {
		t.Fatal(len(answer), took, err)
	}
}
`;

/** Runs one of them behind dsl. */
async function loadsAcross(t: TestContext, name: string): Promise<void> {
  const here = await execWorld(t);
  if (here === null) return;
  const { version, words } = programs[name] ?? { version: '', words: () => [] };
  const { folder, user } = here;
  const [program = '', ...others] = [...user.prefix, name, version];
  if (spawnSync(program, others, { env: { ...process.env, ...user.environment } }).status !== 0)
    return t.skip(`there is no ${name} that every user may run`);
  const port = String(await startSite(t));
  const address = `http://localhost:${port}/${bytes}`;
  const project = join(folder, 'shop');
  mkdirSync(project);
  writeFileSync(join(project, 'go.mod'), 'module shop\n\ngo 1.20\n');
  writeFileSync(join(project, 'shop_test.go'), goTest(port));
  const json = join(user.environment['HOME'] ?? '', 'report.json');
  const path = [...unchecked('dsl'), '--local', port, '--json', json];
  const { code, stdout, stderr } = await runExec(user, [...path, '--', name, ...words(address)], project);
  assert.equal(code, 0, stdout + stderr);
  const [run] = readReport(json).runs;
  assert.ok((run?.durationMs ?? 0) >= leastMs, `${run?.durationMs} ms`);
  assert.ok((run?.counters['receivedBytes'] ?? 0) > bytes, JSON.stringify(run?.counters));
}

for (const name of Object.keys(programs))
  test(`${name} is behind a network as it is`, (t) => loadsAcross(t, name));
