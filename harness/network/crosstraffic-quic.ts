import { mkdir, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { CrossTraffic } from '../../src/core/factors/other-traffic.ts';
import { openToolCache } from '../../src/core/system/tool-cache.ts';
import { openCertificateStore } from '../tools/certificates.ts';
import { ensureDebianTree, type DebianTree } from '../tools/debian-tree.ts';
import type { SetupContext } from '../tools/setup-context.ts';

const client = 'usr/bin/gtlsclient';
const server = 'usr/sbin/gtlsserver';
const debian = {
  name: 'ngtcp2-traffic',
  suite: 'trixie',
  packages: ['ngtcp2-client', 'ngtcp2-server'],
  programs: [client, server],
  downloadMegabytes: 17,
} as const;

const host = 'crosstraffic.h2h3.test';
/** The server answers a path of digits with so many bytes; no trial lasts until they have come. */
const downloadBytes = 20_000_000_000;
/** One body is sent often, so that no large file is needed. */
const uploadBytes = 64_000_000;
const uploads = 100;
const quiet = ['--quiet', '--no-quic-dump', '--no-http-dump'];

/** Command lines of the other client’s traffic over QUIC, and of what answers it. */
export interface QuicTraffic {
  readonly serve: readonly string[];
  readonly load: readonly string[];
}

/** The example programs of ngtcp2, both ends of which send with the algorithm that they are told. @throws H2h3Error `unsupported` */
export const ensureQuicPrograms = (context: SetupContext): Promise<DebianTree> =>
  ensureDebianTree(debian, context);

/** @param workDir where its files go */
export async function quicTraffic(
  { traffic, congestion = 'cubic' }: CrossTraffic,
  { address, port, workDir }: { readonly address: string; readonly port: number; readonly workDir: string },
  context: SetupContext,
): Promise<QuicTraffic> {
  const tree = await ensureQuicPrograms(context);
  const folder = path.join(workDir, 'crosstraffic-quic');
  await mkdir(folder, { recursive: true });
  // A key that goes with the path: that of the installation may be another user's.
  const certificates = await openCertificateStore({
    cache: openToolCache(path.join(workDir, 'crosstraffic-key')),
  });
  const { certificateFile, keyFile } = await certificates.filesFor(host);
  const place = [address, String(port)];
  const sender = [...quiet, `--cc=${congestion}`];
  const body = path.join(workDir, 'crosstraffic-upload');
  if (traffic === 'upload') {
    await writeFile(body, '');
    await truncate(body, uploadBytes);
  }
  const what =
    traffic === 'upload'
      ? ['--http-method=POST', `--data=${body}`, `--nstreams=${uploads}`, ...place, `https://${host}/`]
      : [...place, `https://${host}/${downloadBytes}`];
  return {
    serve: [
      ...tree.command(server),
      ...sender,
      `--max-dyn-length=${downloadBytes}`,
      '-d',
      folder,
      ...place,
      keyFile,
      certificateFile,
    ],
    load: [...tree.command(client), ...sender, ...what],
  };
}
