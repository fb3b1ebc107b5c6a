/**
 * `npm run verify:link-overhead [-- --repeat 3]`: the CPU time that the programs which h2h3-link brings take at 1 Gbit/s. A command behind
 * an own network of that rate loads a file over TCP: from a server at the far end, where the emulator alone carries it, and from one of
 * this machine by `--local`, where the relay carries it too. For an idle machine; about a minute.
 */
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { formatTable } from '../../src/cli/table.ts';
import { readProcessTable } from '../../src/core/system/processes/process-table.ts';
import { startProgram } from '../support/cli.ts';
import { readReport } from './exec-cases.ts';
import { openLinkWorld, unpackLink } from './link-world.ts';

const { values } = parseArgs({ options: { repeat: { type: 'string', default: '3' } } });
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const rateMbps = 1000;
/** Of a core, at this rate. */
const maxPercent = 30;
/** What must have crossed of the rate, so that the time is that of a full link. */
const minShare = 0.9;
/** About six seconds at the rate. */
const fileBytes = 750_000_000;
const farPort = 8000;

/** `HOST PORT`: sends the file from one buffer, as often as it takes; prints its port. */
const serve = `require('http').createServer((request, response) => {
  const part = Buffer.alloc(1000000);
  let left = ${fileBytes};
  const more = () => {
    while (left > 0) {
      left -= part.length;
      if (!response.write(part)) return response.once('drain', more);
    }
    response.end();
  };
  response.writeHead(200, { 'content-length': ${fileBytes} });
  more();
}).listen(Number(process.argv[3]), process.argv[2], function () { console.log(this.address().port); });`;

/** Reads it, and prints how long that took, ms, and how many bytes came. */
const client = `const { get } = require('http');
get(process.argv[1], (answer) => {
  const beganMs = performance.now();
  let bytes = 0;
  answer.on('data', (part) => { bytes += part.length; });
  answer.on('end', () => { console.log(performance.now() - beganMs, bytes); process.exit(); });
});`;

/** CPU time so far of living programs of this name, s. */
const cpuSecondsOf = (name: string): number =>
  readProcessTable()
    .filter(({ commandLine }) => commandLine.includes(`/${name}`))
    .reduce((sum, { userSeconds, systemSeconds }) => sum + userSeconds + systemSeconds, 0);

const world = await openLinkWorld();
const script = join(world.folder, 'serve.cjs');
writeFileSync(script, serve);
const server = spawn(process.execPath, [script, '127.0.0.1', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
try {
  const port = String(await once(server.stdout, 'data')).trim();
  const folder = join(world.folder, 'overhead');
  mkdirSync(folder);
  chmodSync(folder, 0o777);
  const launcher = join(unpackLink(world.tarball, folder), 'src/cli/launcher.js');
  const ways = [
    [
      'a server at the far end',
      ['--far', `${process.execPath} ${script} 0.0.0.0 ${farPort}`],
      `http://198.18.0.2:${farPort}/`,
    ],
    ['--local, with the relay', ['--local', port], `http://localhost:${port}/`],
  ] as const;
  const rows: string[][] = [
    ['way', 'Mbit/s on the path', 'emulator, % of a core', 'at 1 Gbit/s', 'relay, % of a core'],
  ];
  for (const [name, reach, address] of ways)
    for (let time = 0; time < Number(values.repeat); time += 1) {
      const json = join(folder, `report-${rows.length}.json`);
      const network = ['--down', '1gbit', '--up', '1gbit', '--rtt', '10ms', '--no-check', '--json', json];
      const words = [launcher, ...network, ...reach, '--', process.execPath, '-e', client, address];
      const environment = { ...world.user.environment, H2H3_CACHE: world.emptyFolder('overhead-cache') };
      const cli = startProgram([...world.user.prefix, process.execPath, ...words], environment, {
        cwd: folder,
      });
      // The relay is gone when the command is: its time is looked at while both are there.
      let relaySeconds = 0;
      const look = setInterval(
        () => (relaySeconds = Math.max(relaySeconds, cpuSecondsOf('port-relay'))),
        100,
      );
      const { code, stdout, stderr } = await cli.result;
      clearInterval(look);
      const [loadMs = NaN, bytes = NaN] = stdout.trim().split(' ').map(Number);
      if (code !== 0 || bytes !== fileBytes) throw new Error(`exit ${code}: ${stdout}${stderr}`);
      const { counters = {} } = readReport(json).runs[0] ?? {};
      const mbps = ((counters['emulatorDownBytes'] ?? NaN) * 8) / 1000 / loadMs;
      const percent = (100 * (counters['emulatorCpuMs'] ?? NaN)) / loadMs;
      const atRate = (percent * rateMbps) / mbps;
      const isRight = mbps >= minShare * rateMbps && atRate <= maxPercent;
      const relay = ((100_000 * relaySeconds) / loadMs).toFixed(1);
      rows.push([
        name,
        mbps.toFixed(0),
        percent.toFixed(1),
        `${atRate.toFixed(1)}${isRight ? '' : '  WRONG'}`,
        relay,
      ]);
      if (!isRight) process.exitCode = 1;
    }
  say(formatTable(rows));
  say(
    `the emulator may take ${maxPercent} % of a core, on a path that carries ${100 * minShare} % of its rate`,
  );
  say(readFileSync('/proc/loadavg', 'utf8').trim());
} finally {
  server.kill();
  world.close();
}
