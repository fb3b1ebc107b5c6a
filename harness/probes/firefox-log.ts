import { createReadStream, createWriteStream, readdirSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { H2h3Error } from '../../src/core/model/errors.ts';
import { logLines } from './log-lines.ts';
import type { Probe, ProbeYield } from './probe.ts';

/** Of one process; what comes after it is neither read nor kept. */
const maxBytes = 128_000_000;

/** Counters by what a line of the log says. */
const counted: readonly (readonly [string, RegExp])[] = [
  ['firefoxLogHttp3Sessions', /Http3Session::Init origin=/],
  ['firefoxLogHttp3Streams', /Http3Session::AddStream \S+ atrans=/],
  ['firefoxLogHttp3Requests', /neqo_http3\S* .*Request method=/],
  ['firefoxLogHttp3Reads', /Http3Session::ReadResponseData\b/],
  ['firefoxLogHttp2Sessions', /Http2Session::Http2Session\b/],
  ['firefoxLogHttp2WindowUpdates', /Http2Session::UpdateLocalStreamWindow\b/],
];

/** Firefox's log of HTTP/3, QUIC (neqo) and HTTP/2, a file for each of its processes that has something to say. */
export const firefoxLog: Probe = {
  id: 'firefox-log',
  title: 'Firefox’s log of its HTTP/3, QUIC and HTTP/2 modules (MOZ_LOG): sessions, streams, reads',
  recorded: 'asked',
  disturbs: true,
  inTimed: false,
  keepsTraffic: true,
  launch: { logs: ['mozLog'] },
  setup: ({ launch, trialDir }) => {
    const file = launch.logs?.mozLog;
    if (launch.client.family !== 'firefox' || file === undefined)
      throw new H2h3Error('unsupported', `${launch.client.name} writes no log of Firefox’s modules`, {
        next: 'Chromium’s own account is the probe net-log.',
      });
    return { teardown: () => keep(file, trialDir) };
  },
};

async function keep(file: string, trialDir: string): Promise<ProbeYield> {
  const folder = dirname(file);
  const names = readdirSync(folder).filter(
    (name) => name.startsWith(basename(file)) && name !== basename(file),
  );
  if (names.length === 0) return { warnings: ['Firefox wrote no log'] };
  const counters: Record<string, number> = {};
  const artifacts: Record<string, string> = {};
  const warnings: string[] = [];
  for (const [index, name] of names.toSorted().entries()) {
    const place = join(folder, name);
    const { size } = await stat(place);
    if (size > maxBytes) warnings.push(`a log of ${size} bytes was read up to ${maxBytes}`);
    await countLines(logLines(place, maxBytes), counters);
    const kept = `firefox-${index}.moz_log.gz`;
    await pipeline(
      createReadStream(place, { end: maxBytes - 1 }),
      createGzip(),
      createWriteStream(join(trialDir, kept)),
    );
    artifacts[`firefoxLog${index}`] = kept;
  }
  return { artifacts, counters, warnings };
}

/** Adds up what the lines say; a line that was cut short says nothing. */
export async function countLines(
  lines: AsyncIterable<string>,
  counters: Record<string, number>,
): Promise<void> {
  for await (const line of lines)
    for (const [name, pattern] of counted) if (pattern.test(line)) counters[name] = (counters[name] ?? 0) + 1;
}
