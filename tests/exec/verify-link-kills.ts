/**
 * `npm run verify:link-kills [-- --starts 100]`: h2h3-link as it is packed is started so many times, as an ordinary user and as root, and
 * ended: by SIGKILL and SIGTERM at instants of its start and its work, and by its own end; by the command and by the library. Nothing
 * may be left: no process, namespace or temporary folder, and as root no interface, route or setting. About six minutes.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { formatTable } from '../../src/cli/table.ts';
import type { OrdinaryUser } from '../support/ordinary-user.ts';
import { startAndEndLinks } from './exec-cases.ts';
import { openLinkWorld, unpackLink } from './link-world.ts';

const { values } = parseArgs({ options: { starts: { type: 'string', default: '100' } } });
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const goneLimitMs = 10_000;
/** From before its namespaces are made until its command has been at work for some time. */
const spreadMs = 3_000;

/** Interfaces and devices of this machine. */
const interfaces = (): string => spawnSync('ip', ['-o', 'link'], { encoding: 'utf8' }).stdout;

const world = await openLinkWorld();
try {
  const users: readonly (OrdinaryUser | null)[] =
    process.getuid?.() === 0 ? [world.user, null] : [world.user];
  const before = interfaces();
  const rows: string[][] = [
    ['as', 'starts', 'ended at work', 'longest until nothing was left', 'with something left'],
  ];
  for (const [index, user] of users.entries()) {
    const name = user === null ? 'root' : 'ordinary user';
    const folder = join(world.folder, `kills-${index}`);
    mkdirSync(folder);
    chmodSync(folder, 0o777);
    writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
    unpackLink(world.tarball, folder);
    const count = Math.ceil(Number(values.starts) / users.length);
    let atWork = 0;
    let faulty = 0;
    let longestMs = 0;
    let done = 0;
    const link = { folder, node: process.execPath, user, port: world.port };
    const limits = { spreadMs, goneLimitMs, wholeMachine: user === null };
    await startAndEndLinks(link, count, limits, (end) => {
      done += 1;
      if (end.atWork) atWork += 1;
      longestMs = Math.max(longestMs, end.goneMs);
      if (end.faults.length > 0) faulty += 1;
      const found =
        end.faults.length > 0
          ? `LEFT: ${end.faults.join('; ')}`
          : `nothing left after ${end.goneMs.toFixed(0)} ms`;
      say(`${name} ${done}: ${end.what}, ${end.namespaces} namespaces: ${found}`);
    });
    rows.push([name, String(done), String(atWork), `${(longestMs / 1000).toFixed(1)} s`, String(faulty)]);
    // Ends that find nothing at work, or always the same, would prove little.
    if (faulty > 0 || atWork === 0 || done < count) process.exitCode = 1;
  }
  say(formatTable(rows));
  if (interfaces() !== before) {
    say(`interfaces changed:\n${before}\n${interfaces()}`);
    process.exitCode = 1;
  }
} finally {
  world.close();
}
