import { copyFileSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { SiteRoot } from '../../src/core/model/workload.ts';

/** A page on `all.test` that asks for objects in every way there is, some of them without success. */
export interface EverythingSite {
  readonly roots: readonly SiteRoot[];
  /** `host` + path with query of every object that must arrive. */
  readonly objects: readonly string[];
  /** What is not there: answered with 404. */
  readonly missing: string;
  /** What the page gives up while it is under way. */
  readonly aborted: string;
}

const moduleCount = 15;
const imageCount = 12;
/** Too large to arrive before it is given up. */
const abortedBytes = 50_000_000;

/**
 * Writes the site below `folder`; `port` is the server's. The page is red above and blue below, so that pictures
 * of it have a right way up. The font is any that the machine has, else the object is left out.
 */
export function writeEverythingSite(folder: string, port: number): EverythingSite {
  const write = (name: string, content: string | Buffer): void => {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  };
  const images = Array.from({ length: imageCount }, (_, index) => `images.test/${index}.svg`);
  for (const image of images) write(image, `${svg}<!--${'x'.repeat(5000)}-->`);
  for (let index = 0; index < moduleCount; index++) write(`all.test/m${index}.js`, moduleText(index));
  write('all.test/style.css', fontRule + pageColours);
  write('all.test/data.json', '{}');
  write(
    'all.test/frame.html',
    '<!doctype html><script>fetch("/data.json?frame").then((r) => r.text()).then(() => parent.postMessage("frame"))</script>',
  );
  write(
    'all.test/worker.js',
    'fetch("/data.json?worker").then((r) => r.text()).then(() => postMessage("worker"))',
  );
  write('all.test/big.bin', Buffer.alloc(abortedBytes));
  write('all.test/index.html', pageText(images, port));
  const font = anyFont('/usr/share/fonts');
  if (font !== undefined) copyFileSync(font, path.join(folder, 'all.test/font.ttf'));
  const modules = Array.from({ length: moduleCount }, (_, index) => `all.test/m${index}.js`);
  const rest = [
    '',
    'style.css',
    'data.json',
    'frame.html',
    'data.json?frame',
    'worker.js',
    'data.json?worker',
  ];
  return {
    roots: ['all.test', 'images.test'].map((host) => ({ host, directory: path.join(folder, host) })),
    objects: [
      ...rest.map((name) => `all.test/${name}`),
      ...modules,
      ...images,
      ...(font === undefined ? [] : ['all.test/font.ttf']),
    ],
    missing: font === undefined ? 'all.test/font.ttf' : 'all.test/missing.json',
    aborted: 'all.test/big.bin',
  };
}

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="30" height="30"><circle r="30"/></svg>';
const fontRule = '@font-face { font-family: any; src: url(font.ttf) } p { font-family: any, serif }\n';
const pageColours = 'body { margin: 0; height: 100vh; background: linear-gradient(#f00 50%, #00f 50%) }';

/** A binary tree of modules: each names the two below it. */
function moduleText(index: number): string {
  const below = [2 * index + 1, 2 * index + 2].filter((child) => child < moduleCount);
  return below.map((child) => `import './m${child}.js';\n`).join('') + `// ${'x'.repeat(500)}`;
}

/**
 * What is given up is asked for last: Firefox 153 closes a whole HTTP/2 connection when an answer is given up that was
 * not read fast enough (`Http2Session::ProcessSlowConsumer`), and with it what else is under way there.
 */
function pageText(images: readonly string[], port: number): string {
  const tags = images.map((image) => `<img src="https://${image.replace('/', `:${port}/`)}">`).join('');
  return `<!doctype html><script>
const told = (of) => new Promise((resolve) => of.addEventListener('message', resolve, { once: true }));
const loaded = new Promise((resolve) => addEventListener('load', resolve));
const framed = told(window);
</script><link rel="icon" href="data:,"><link rel="stylesheet" href="style.css">
<script type="module" src="m0.js"></script><p>words in a font</p>${tags}<iframe src="frame.html"></iframe>
<script>
const others = Promise.all([loaded, framed, told(new Worker('worker.js'))]);
fetch('/data.json').then((r) => r.json());
fetch('/missing.json');
const abort = new AbortController();
others
  .then(() => fetch('/big.bin', { signal: abort.signal }))
  .then((r) => r.body.getReader().read()).then(() => abort.abort()).catch(() => undefined);
</script>`;
}

function anyFont(folder: string): string | undefined {
  let entries: string[];
  try {
    entries = readdirSync(folder, { recursive: true }) as string[];
  } catch {
    return undefined;
  }
  const font = entries.find((name) => name.endsWith('.ttf'));
  return font === undefined || !statSync(path.join(folder, font)).isFile()
    ? undefined
    : path.join(folder, font);
}
