import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { H2h3Error } from '../../src/core/model/errors.ts';
import { parseInterfaces, readInterfaces } from '../../src/core/system/interface-counters.ts';
import { startCapture, type Capture } from './dumpcap.ts';
import type { Probe, ProbeContext, ProbeSession, ProbeYield } from './probe.ts';

const run = promisify(execFile);
const kept = 'capture.pcapng';
const keptKeys = 'keys.log';
/** After so many dumpcap ends by itself. */
const maxKilobytes = 128_000;

/** Packets at the client’s interface with the secrets to read them: Wireshark and tshark show HTTP/2 and HTTP/3 in it. */
export const capture: Probe = {
  id: 'capture',
  title: 'packets between client and server as pcapng with the secrets of their connections, for Wireshark',
  recorded: 'asked',
  disturbs: true,
  inTimed: false,
  keepsTraffic: true,
  onThisMachine: true,
  launch: { logs: ['keys'] },
  setup: async (context) => {
    const { server, logs } = context.launch;
    if (server === null)
      throw new H2h3Error('unsupported', 'which packets belong to a live address is not known', {
        next: 'Capture a live address with Wireshark itself.',
      });
    await mkdir(context.tempDir, { recursive: true });
    const file = join(context.tempDir, kept);
    const parts = [{ filter: `port ${server.port}` }];
    const device = deviceTo(server.address);
    const packets = await startCapture(file, { device, server, maxKilobytes, parts });
    return captured(file, packets, context, logs?.keys);
  },
};

/** Loopback, or the one interface of the client’s namespace. */
function deviceTo(address: string): string {
  if (address.startsWith('127.') || address === '::1') return 'lo';
  return [...parseInterfaces(readInterfaces()).keys()].find((name) => name !== 'lo') ?? 'lo';
}

function captured(
  file: string,
  { end, lacks }: Capture,
  { trialDir }: ProbeContext,
  keysFile: string | undefined,
): ProbeSession {
  return {
    stop: end,
    teardown: async (): Promise<ProbeYield> => {
      const warnings = await lacks();
      if (keysFile === undefined || !existsSync(keysFile)) {
        await copyFile(file, join(trialDir, kept));
        const why =
          'this client writes no secrets (SSLKEYLOGFILE), so the capture cannot be decrypted; browsers, curl, wget2 and h2load write them';
        return { artifacts: { capture: kept }, warnings: [...warnings, why] };
      }
      await copyFile(keysFile, join(trialDir, keptKeys));
      // A decryption secrets block, so that one file is enough.
      await run('editcap', ['--inject-secrets', `tls,${keysFile}`, file, join(trialDir, kept)]);
      return { artifacts: { capture: kept, keys: keptKeys }, warnings };
    },
  };
}
