/** What a page of Chromium asks for `npm run verify:truth`, as a program of its own: it runs behind what is compared. */

/** What the program is given. */
export interface Asked {
  /** Of the browser. */
  readonly program: string;
  readonly keyHash: string;
  readonly webPort: number;
  readonly socketPort: number;
  /** As `Network.emulateNetworkConditions` takes it: ms, bytes a second; null: nothing is throttled. */
  readonly throttle: {
    readonly latency: number;
    readonly downloadThroughput: number;
    readonly uploadThroughput: number;
  } | null;
  readonly asksQuic: boolean;
  /** So long the server waits with each short answer, ms; null: it does not, and rates are measured too. */
  readonly heldMs: number | null;
}

/** What it prints; null where it was not asked. Round trips are the shortest of 20 on an open connection. */
export interface Answers {
  readonly tcpMs: number;
  readonly tcpDownMbps: number | null;
  readonly tcpUpMbps: number | null;
  readonly quicMs: number | null;
  readonly quicDownMbps: number | null;
  readonly quicUpMbps: number | null;
  readonly socketMs: number;
}

/**
 * Runs in the page. The rate is that between a small and a large transfer, so that start-up counts for neither. Where the server waits,
 * it says how long it did: what that was more than it was told is taken off.
 */
const inPage = `async (socketPort, heldMs) => {
  const timed = async (path, body) => {
    const beganMs = performance.now();
    const answer = await fetch(path + '?milliseconds=' + heldMs + '&' + Math.random(), body === undefined ? {} : { method: 'POST', body });
    const text = await answer.text();
    const ms = performance.now() - beganMs;
    return path === '/held' ? ms - Number(text) + heldMs : ms;
  };
  const mbps = (bytes, ms) => (bytes * 8) / 1000 / ms;
  const short = heldMs === null ? '/byte' : '/held';
  await timed(short);
  let leastMs = Infinity;
  for (let each = 0; each < 20; each += 1) leastMs = Math.min(leastMs, await timed(short));
  const rates = { downMbps: null, upMbps: null };
  if (heldMs === null) {
    // The sender knows the link by then.
    await timed('/small');
    const down = [await timed('/small'), await timed('/large')];
    await timed('/byte', new Uint8Array(100000));
    const up = [await timed('/byte', new Uint8Array(100000)), await timed('/byte', new Uint8Array(600000))];
    rates.downMbps = mbps(2500000, down[1] - down[0]);
    rates.upMbps = mbps(500000, up[1] - up[0]);
  }
  const protocols = new Set(performance.getEntriesByType('resource').map((entry) => entry.nextHopProtocol));
  const socketMs = await new Promise((done, fail) => {
    const socket = new WebSocket('ws://localhost:' + socketPort);
    const waits = [];
    let sentMs;
    const send = () => {
      sentMs = performance.now();
      socket.send(heldMs === null ? 'twenty letters, here' : 'hold ' + heldMs);
    };
    socket.onopen = send;
    socket.onerror = fail;
    socket.onmessage = ({ data }) => {
      const ms = performance.now() - sentMs;
      waits.push(heldMs === null ? ms : ms - Number(data) + heldMs);
      if (waits.length < 20) return send();
      socket.close();
      done(Math.min(...waits));
    };
  });
  return { ms: leastMs, ...rates, socketMs, protocols: [...protocols].join() };
}`;

/** The program's text. @param puppeteer where it is imported from */
export const askingPage = (puppeteer: string): string => `import puppeteer from '${puppeteer}';
const asked = JSON.parse(process.argv[2]);
const proxy = process.env.H2H3_PROXY;
const ask = async (protocol) => {
  const args = [
    '--no-sandbox',
    '--ignore-certificate-errors-spki-list=' + asked.keyHash,
    // The server is at this address of localhost alone.
    '--host-resolver-rules=MAP localhost 127.0.0.1',
    ...(protocol === 'h3' ? ['--origin-to-force-quic-on=localhost:' + asked.webPort] : ['--disable-quic']),
    ...(proxy === undefined ? [] : ['--proxy-server=' + proxy, '--proxy-bypass-list=<-loopback>']),
  ];
  const browser = await puppeteer.launch({ executablePath: asked.program, headless: 'shell', pipe: true, args });
  try {
    const page = await browser.newPage();
    await page.goto('https://localhost:' + asked.webPort + '/page.html');
    if (asked.throttle !== null) {
      const session = await page.createCDPSession();
      await session.send('Network.enable');
      await session.send('Network.emulateNetworkConditions', { offline: false, ...asked.throttle });
    }
    const found = await page.evaluate('(' + ${JSON.stringify(inPage)} + ')(' + asked.socketPort + ',' + asked.heldMs + ')');
    if (found.protocols !== protocol) throw new Error('spoken was ' + found.protocols + ' instead of ' + protocol);
    return found;
  } finally {
    await browser.close();
  }
};
const tcp = await ask('h2');
const quic = asked.asksQuic ? await ask('h3') : { ms: null, downMbps: null, upMbps: null };
console.log(JSON.stringify({
  tcpMs: tcp.ms,
  tcpDownMbps: tcp.downMbps,
  tcpUpMbps: tcp.upMbps,
  quicMs: quic.ms,
  quicDownMbps: quic.downMbps,
  quicUpMbps: quic.upMbps,
  socketMs: tcp.socketMs,
}));
`;
