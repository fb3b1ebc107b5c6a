/** The page of the tricky site: every check says `true`, `false` or its error, and all are reported in one address. */
export const trickyPage = `<!DOCTYPE html><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">
<link rel="stylesheet" href="/style.css">
<link rel="stylesheet" href="/early.css">
<img id="responsive" srcset="/small.svg 600w, /wide.svg 1350w" sizes="100vw">
<script src="https://blocked.test/blocked.js" onerror="window.blockedFailed = true"></script>
<iframe src="/frame.html"></iframe>
<script>
const checks = {};
const text = async (url, options) => (await fetch(url, options)).text();
const json = async (url, options) => (await fetch(url, options)).json();
const rejects = (promise) => promise.then(() => false, () => true);
const post = (url, body, headers) => text(url, { method: 'POST', body, headers });
const later = (ms) => new Promise((done) => setTimeout(done, ms));
const wait = async (condition, ms = 20000) => {
  for (let left = ms; left > 0; left -= 20) { if (condition()) return true; await later(20); }
  return false;
};
Object.assign(checks, {
  responsiveImage: () => wait(() => document.getElementById('responsive').naturalWidth > 0),
  style: () => wait(() => getComputedStyle(document.documentElement).getPropertyValue('--colour').trim() === 'green'),
  statesInOrder: async () => {
    const states = [];
    for (let at = 0; at < 3; at++) states.push(await text('/state'));
    return states.join() === 'pending,pending,done';
  },
  operations: async () => {
    const ask = (name) => post('/graphql', JSON.stringify({ operationName: name, query: 'query ' + name + ' { x }', variables: { time: Date.now() } }), { 'content-type': 'application/json' });
    return (await ask('Cart')) === 'Cart' && (await ask('User')) === 'User' && (await ask('Menu')) === 'Menu';
  },
  twoUsers: async () => (await text('/profile?key=alice')) === 'alice' && (await text('/profile?key=bob')) === 'bob',
  varies: async () => (await text('/varies', { headers: { 'x-who': 'one' } })) === 'one' && (await text('/varies', { headers: { 'x-who': 'two' } })) === 'two',
  headIsNotGet: async () => (await fetch('/head', { method: 'HEAD' })).headers.get('x-method') === 'HEAD' && (await fetch('/head')).headers.get('x-method') === 'GET',
  loginChangesAnswers: async () => {
    const before = await text('/me');
    await post('/login', 'user=alice&password=secret', { 'content-type': 'application/x-www-form-urlencoded' });
    return before === 'anonymous' && (await text('/me')) === 'alice';
  },
  cookieIsSet: async () => { await fetch('/cookie'); return document.cookie.includes('seen='); },
  uploads: async () => {
    const send = (name) => { const form = new FormData(); form.append('who', name); return post('/upload', form); };
    return (await send('eve')) === 'eve' && (await send('adam')) === 'adam';
  },
  deadHost: () => rejects(fetch('https://dead.test/x')),
  blockedByPolicy: () => wait(() => window.blockedFailed === true),
  notFound: async () => (await fetch('/missing')).status === 404,
  serverError: async () => (await fetch('/error')).status === 500,
  resetBeforeAnswer: () => rejects(fetch('/reset')),
  resetInBody: () => rejects(text('/cut')),
  abortedByPage: () => { const stop = new AbortController(); setTimeout(() => stop.abort(), 200); return rejects(fetch('/never', { signal: stop.signal })); },
  beacon: () => navigator.sendBeacon('/beacon', 'one'),
  trickles: async () => { const begun = performance.now(); const got = await text('/trickle'); return got === 'onetwothree' && performance.now() - begun > 350; },
  smallPieces: async () => { const begun = performance.now(); const got = await text('/pieces'); return got === 'piece '.repeat(12) && performance.now() - begun > 350; },
  latinHeader: async () => { const answer = await fetch('/latin'); await answer.text(); return answer.headers.get('x-name') === 'caf\\u00e9'; },
  pipePath: async () => (await text('/a|b?c|d')) === 'piped',
  events: () => new Promise((done) => {
    const source = new EventSource('/events');
    const got = [];
    source.onmessage = (event) => { got.push(event.data); if (got.length === 3) { source.close(); done(got.join() === 'a,b,c'); } };
    setTimeout(() => done(false), 20000);
  }),
  unread: async () => (await fetch('/large')).status === 200,
  revalidates: async () => {
    const first = await text('/tagged', { cache: 'no-cache' });
    return first === 'tagged' && (await text('/tagged', { cache: 'no-cache' })) === 'tagged';
  },
  dateIsToday: async () => Math.abs(Date.parse((await fetch('/dated')).headers.get('date')) - performance.timeOrigin) < 120000,
  otherPort: async () => (await text('https://site.test:8444/port')) === 'other port' && (await text('/port')) === 'own port',
  range: async () => (await text('/range', { headers: { range: 'bytes=2-4' } })) === 'cde',
  codings: async () => (await text('/gzip')) === 'coded gzip' && (await text('/br')) === 'coded br' && (await text('/zstd')) === 'coded zstd',
  redirects: async () => { const answer = await fetch('/from?code=hush'); return answer.redirected && new URL(answer.url).pathname === '/to' && (await answer.text()) === 'arrived'; },
  worker: () => new Promise((done) => { const worker = new Worker('/worker.js'); worker.onmessage = ({ data }) => done(data === 'by worker'); setTimeout(() => done(false), 20000); }),
  blobWorker: () => new Promise((done) => {
    const address = URL.createObjectURL(new Blob(['postMessage("blob")'], { type: 'text/javascript' }));
    const worker = new Worker(address);
    URL.revokeObjectURL(address);
    worker.onmessage = ({ data }) => done(data === 'blob');
    setTimeout(() => done(false), 20000);
  }),
  frame: () => wait(() => window.frameSaid === 'frame'),
  crossOrigin: async () => (await json('https://cdn.test/data.json', { headers: { 'x-own': '1' } })).far === true,
  internationalName: async () => (await text('https://b\\u00fccher.test/idn')) === 'xn--bcher-kva.test',
  dialog: () => { alert('a dialog'); return confirm('yes?'); },
  socket: () => new Promise((done) => { const socket = new WebSocket('wss://site.test/socket'); socket.onopen = () => done(true); socket.onerror = () => done(false); setTimeout(() => done(false), 20000); }),
});
addEventListener('message', ({ data }) => { window.frameSaid = data; });
(async () => {
  const results = {};
  for (const [name, check] of Object.entries(checks)) {
    try { results[name] = (await check()) === true ? 1 : 0; } catch (thrown) { results[name] = String(thrown); }
  }
  setInterval(() => fetch('/poll').then((answer) => answer.text()), 400);
  await fetch('/report?cb=' + encodeURIComponent(JSON.stringify(results)));
})();
</script>`;
