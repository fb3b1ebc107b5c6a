import type { OpenPlayer } from './player.ts';

/** What is used of the element of `@moq/watch`. */
interface MoqWatch extends HTMLElement {
  readonly connection: { websocket: { readonly enabled: boolean } | undefined };
}

/** What the relay says of a broadcast that it has begun. */
interface Begun {
  readonly broadcast: string;
  readonly port: number;
  /** Of its certificate, hexadecimal. */
  readonly sha256: string;
}

/** After the time at which it should be there, the last frame is waited for so long. */
const lastFrameMs = 500;

/** `@moq/watch` over WebTransport alone: it paints into a canvas, and keeps as far behind as dash.js is told to. */
export const openMoqwatch: OpenPlayer = ({ video, config, events }) => {
  const { live, playSeconds } = config;
  const relayUrl = live?.relayUrl ?? null;
  if (live === null || relayUrl === null)
    throw new RangeError('@moq/watch plays broadcasts of a relay alone');
  const watch = insertedWatch(video, live.delayMs);
  const canvas = watch.querySelector('canvas');
  if (canvas === null) throw new Error('@moq/watch has no canvas');
  let sessionUrl = '';
  const begin = async (): Promise<void> => {
    const answer = await fetch(relayUrl);
    if (!answer.ok) throw new Error(`${relayUrl}: status ${answer.status}, ${await answer.text()}`);
    const { broadcast, port, sha256 } = (await answer.json()) as Begun;
    sessionUrl = `https://${new URL(relayUrl).hostname}:${port}/`;
    pinCertificate(sha256, (why) => events.failed(`the MoQ relay ended the session: ${why}`));
    watch.setAttribute('name', broadcast);
    watch.setAttribute('url', sessionUrl);
    const endEpochMs = live.startEpochMs + playSeconds * 1000 + live.delayMs + lastFrameMs;
    const end = (): void => {
      events.over();
      // Its session ends with it, or the relay would go on to look for its browser in the next trial.
      watch.remove();
    };
    setTimeout(end, endEpochMs - (performance.timeOrigin + performance.now()));
  };
  return {
    name: '@moq/watch',
    version: (globalThis as { readonly moqWatchVersion?: string }).moqWatchVersion ?? '',
    load: () => void begin().catch((thrown: unknown) => events.failed(`@moq/watch: ${String(thrown)}`)),
    ladder: () => [],
    relay: { canvas, url: () => sessionUrl },
  };
};

/** In the place of `video`. It is parsed, because the element sets attributes while it is made, which a script's own may not. */
function insertedWatch(video: HTMLVideoElement, delayMs: number): MoqWatch {
  // By itself it loads nothing while no one can see it.
  const attributes = `muted visible="always" latency="${delayMs}"`;
  video.insertAdjacentHTML('afterend', `<moq-watch ${attributes}><canvas></canvas></moq-watch>`);
  const watch = video.nextElementSibling as MoqWatch;
  // It would be tried next to WebTransport, and may win.
  watch.connection.websocket = { enabled: false };
  video.remove();
  return watch;
}

/** The relay makes its certificate itself: each session takes it by its hash, and `ended` hears why the session is over. */
function pinCertificate(sha256: string, ended: (why: string) => void): void {
  const value = new Uint8Array((sha256.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16)));
  const Original = globalThis.WebTransport;
  globalThis.WebTransport = class extends Original {
    constructor(url: string | URL, options: WebTransportOptions = {}) {
      super(url, { ...options, serverCertificateHashes: [{ algorithm: 'sha-256', value }] });
      this.closed.then(
        ({ reason }) => ended(reason === '' || reason === undefined ? 'it was closed' : reason),
        (why: unknown) => ended(String(why)),
      );
    }
  };
}
