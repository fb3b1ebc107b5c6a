import { writeFile } from 'node:fs/promises';
import type { CdpSession } from './cdp-connection.ts';

/**
 * What happens in the browser's processes, its network service among them. Memory and screenshots are left out, and so are
 * the events of the net log: several a packet, which the probe of that name has.
 */
const categories: readonly string[] = [
  'toplevel',
  'loading',
  'devtools.timeline',
  'blink.user_timing',
  'ipc',
  'cc',
  'viz',
  'v8',
  'disabled-by-default-net',
];
/** When it is full, nothing more is recorded. */
const bufferKilobytes = 64_000;

/**
 * Chromium's own trace, in the JSON form that Perfetto (ui.perfetto.dev) and about:tracing open, compressed.
 * https://chromedevtools.github.io/devtools-protocol/tot/Tracing/
 */
export class Tracing {
  readonly #root: CdpSession;
  readonly #file: string;
  readonly #complete: Promise<string | undefined>;

  constructor(root: CdpSession, file: string) {
    this.#root = root;
    this.#file = file;
    this.#complete = new Promise((resolve) => {
      root.on('Tracing.tracingComplete', ({ stream }) => resolve(stream));
    });
  }

  async start(): Promise<void> {
    await this.#root.send('Tracing.start', {
      transferMode: 'ReturnAsStream',
      streamFormat: 'json',
      streamCompression: 'gzip',
      traceConfig: {
        recordMode: 'recordUntilFull',
        traceBufferSizeInKb: bufferKilobytes,
        includedCategories: [...categories],
      },
    });
  }

  /** Ends it and writes the file. @throws H2h3Error when the browser refuses; Error when the file cannot be written */
  async stop(): Promise<void> {
    await this.#root.send('Tracing.end');
    const handle = await this.#complete;
    if (handle === undefined) return;
    const parts: Buffer[] = [];
    for (let isEnd = false; !isEnd;) {
      const { data, eof, base64Encoded } = await this.#root.send('IO.read', { handle, size: 1_000_000 });
      parts.push(Buffer.from(data, base64Encoded === true ? 'base64' : 'utf8'));
      isEnd = eof;
    }
    await writeFile(this.#file, Buffer.concat(parts));
  }
}
