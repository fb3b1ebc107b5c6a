import { get } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { startProxy } from '../../sites/record/proxy-process.ts';
import { choosePort } from '../../src/core/system/free-port.ts';

export interface ProxyBefore {
  /** Name by which the server is asked, over plain HTTP. */
  readonly host: string;
  /** Of the server, on this machine. */
  readonly originPort: number;
  readonly mitmdump: readonly string[];
  /** Takes what the proxy records. */
  readonly directory: string;
  readonly limitMs: number;
}

/** Has the proxy of `record` stand before a server of a test; `ask` is a client that asks for one path through it. */
export async function recordingProxy({
  host,
  originPort,
  mitmdump,
  directory,
  limitMs,
}: ProxyBefore): Promise<{ ask(path: string): Promise<Buffer>; stop(): Promise<unknown> }> {
  const port = await choosePort(undefined);
  const proxy = await startProxy({
    mitmdump,
    port,
    directory,
    insecureUpstream: true,
    connectTo: [`${host}:80:127.0.0.1:${originPort}`],
    urls: [`https://${host}/`],
    environment: {},
    signal: AbortSignal.timeout(limitMs),
  });
  return {
    ask: (path) =>
      new Promise((done, fail) => {
        const target = { host: '127.0.0.1', port, path: `http://${host}${path}`, agent: false };
        get(target, (response) => void buffer(response).then(done, fail)).once('error', fail);
      }),
    stop: () => proxy.stop(),
  };
}
