/** Text that stands in a file of the run that a hostile page is after. */
export const wantedMark = 'mark-of-another-run';

/** Ways into another run; each is the body of an async function that gets `address` and gives what it has read, or throws. */
const attempts: Readonly<Record<string, string>> = {
  fetch: `return (await fetch(address)).text();`,
  'fetch without CORS': `return (await fetch(address, { mode: 'no-cors' })).text();`,
  XMLHttpRequest: `const request = new XMLHttpRequest(); request.open('GET', address, false); request.send(); return request.responseText;`,
  frame: `const frame = document.createElement('iframe'); frame.src = address; document.body.append(frame); await settled(frame); return frame.contentDocument.documentElement.outerHTML;`,
  'frame of its own text': `const frame = document.createElement('iframe'); frame.srcdoc = '<p>'; document.body.append(frame); await settled(frame); return (await frame.contentWindow.fetch(address)).text();`,
  object: `const object = document.createElement('object'); object.data = address; document.body.append(object); await settled(object); return object.contentDocument.documentElement.outerHTML;`,
  'opened window': `const other = open(address); await later(); return other.document.documentElement.outerHTML;`,
  'opened empty window': `const other = open('about:blank'); return (await other.fetch(address)).text();`,
  'form into a frame': `const frame = document.createElement('iframe'); frame.name = 'form'; document.body.append(frame); const form = document.createElement('form'); form.action = address; form.target = 'form'; document.body.append(form); form.submit(); await later(); return frame.contentDocument.documentElement.outerHTML;`,
  worker: `const source = 'fetch(' + JSON.stringify(address) + ').then((answer) => answer.text()).then(postMessage, () => postMessage(""))'; const worker = new Worker(URL.createObjectURL(new Blob([source]))); return new Promise((resolve, reject) => { worker.onmessage = ({ data }) => resolve(data); worker.onerror = reject; });`,
  'shared worker': `const source = 'onconnect = ({ ports: [port] }) => fetch(' + JSON.stringify(address) + ').then((answer) => answer.text()).then((text) => port.postMessage(text))'; const worker = new SharedWorker(URL.createObjectURL(new Blob([source]))); return new Promise((resolve, reject) => { worker.port.onmessage = ({ data }) => resolve(data); worker.onerror = reject; });`,
  'style sheet': `const link = document.createElement('link'); link.rel = 'stylesheet'; link.href = address; document.head.append(link); await settled(link); return [...link.sheet.cssRules].map((rule) => rule.cssText).join();`,
  'style sheet transformation': `const parse = (text) => new DOMParser().parseFromString(text, 'text/xml'); const transformation = new XSLTProcessor(); transformation.importStylesheet(parse('<x:stylesheet version="1.0" xmlns:x="http://www.w3.org/1999/XSL/Transform"><x:template match="/"><r><x:copy-of select="document(\\'' + address + '\\')"/></r></x:template></x:stylesheet>')); return new XMLSerializer().serializeToString(transformation.transformToDocument(parse('<a/>')));`,
  events: `const source = new EventSource(address); return new Promise((resolve, reject) => { source.onmessage = ({ data }) => resolve(data); source.onerror = reject; });`,
  'storage of others': `return Object.values(localStorage).join();`,
  cookie: `return document.cookie;`,
};

/** What a page may learn of a file without reading it: whether it is there. */
const looks: Readonly<Record<string, string>> = {
  script: `const script = document.createElement('script'); script.src = address; document.head.append(script); return settled(script);`,
  picture: `const picture = new Image(); picture.src = film; return settled(picture);`,
  film: `const video = document.createElement('video'); video.src = film; document.body.append(video); return settled(video);`,
  'service worker': `await navigator.serviceWorker.register(address); return 'load';`,
};

const wrapped = (ways: Readonly<Record<string, string>>): string =>
  Object.entries(ways)
    .map(([name, body]) => `[${JSON.stringify(name)}, async (address, film) => { ${body} }]`)
    .join(',\n');

/**
 * A page that tries every way to read `address`, and to learn of the picture `film`. `window.tried` is the list of ways that
 * were tried, `window.read` that of the ways that read the mark, `window.learnt` that of the ways that loaded something.
 */
export function hostileReport(address: string, film: string): string {
  return `<!doctype html><title>hostile</title><body><script>
const later = () => new Promise((resolve) => setTimeout(resolve, 700));
const settled = (element) => Promise.race([
  new Promise((resolve) => ['load', 'loadedmetadata'].forEach((name) => element.addEventListener(name, () => resolve('load')))),
  new Promise((resolve, reject) => element.addEventListener('error', reject)),
  later().then(() => 'nothing'),
]);
const within = (work) => Promise.race([work, later().then(later).then(() => 'nothing')]);
const reads = [${wrapped(attempts)}];
const looks = [${wrapped(looks)}];
window.tried = []; window.read = []; window.learnt = [];
window.done = (async () => {
  for (const [name, way] of [...reads, ...looks]) {
    let got = '';
    try { got = String(await within(way(new URL(${JSON.stringify(address)}, location).href, ${JSON.stringify(film)}))); } catch {}
    tried.push(name);
    if (got.includes(${JSON.stringify(wantedMark)})) read.push(name);
    if (got === 'load') learnt.push(name);
  }
  document.title = 'done';
})();
</script>`;
}

export const waysTried = Object.keys(attempts).length + Object.keys(looks).length;
