import { minWireBytes, type ComposeText } from './text-body.ts';
import { toleranceBytes } from './object-size.ts';
import type { ReplicaManifest } from './replica-manifest.ts';
import type { ReplicaPlan } from './plan-replica.ts';
import { replicaHost, type ReplicaObject } from './replica-object.ts';
import { fontFace, layoutRules } from './style-body.ts';
import { pageModule } from '../../src/core/system/module-file.ts';

/** The document of a replica, and what it leaves to the runtime. */
export interface MainDocument {
  readonly compose: ComposeText;
  /** Fixed text of the script that carries the runtime because the document is too small; null: the document does. */
  readonly carrier: { readonly row: number; readonly text: string } | null;
}

export interface MainDocumentOptions {
  readonly plan: ReplicaPlan;
  readonly port: number;
  /** Turns of scripts' work that a whole CPU does in a millisecond. */
  readonly turnsPerMs: number;
  /** Rows whose style sheet has no room for their rule: the runtime asks for them itself. */
  readonly unstyled: ReadonlySet<number>;
}

/**
 * Writes as many of the first wave's objects as tags into the document as its recorded size has room for, in recorded
 * order; the runtime adds the rest. A document with no room for the runtime leaves it to the first script that has.
 */
export async function mainDocument(options: MainDocumentOptions): Promise<MainDocument> {
  const { plan } = options;
  const document = objectOf(plan, plan.document);
  const early = plan.objects.filter((object) => object.wave === 0 && object.cause === plan.document);
  const room = roomOf(document);
  const isEncoded = document.rawBytes > document.wireBytes;
  const fits = async (count: number): Promise<boolean> => {
    const { text } = inlineDocument(options, early, count);
    return (await minWireBytes(text({ dense: '', light: '' }), isEncoded)) <= room;
  };
  if (await fits(0)) {
    const count = await largestCount(early.length, fits);
    return { compose: inlineDocument(options, early, count).text, carrier: null };
  }
  return carriedDocument(options, early, room, isEncoded);
}

async function carriedDocument(
  options: MainDocumentOptions,
  early: readonly ReplicaObject[],
  room: number,
  isEncoded: boolean,
): Promise<MainDocument> {
  for (const carrier of early.filter((object) => object.type === 'js' && object.means === 'tag')) {
    const parts = carriedParts(options, early, carrier, 0);
    const isCarrierEncoded = carrier.rawBytes > carrier.wireBytes;
    if ((await minWireBytes(parts.script, isCarrierEncoded)) > roomOf(carrier)) continue;
    const fits = async (count: number): Promise<boolean> => {
      const text = carriedParts(options, early, carrier, count).text({ dense: '', light: '' });
      return (await minWireBytes(text, isEncoded)) <= room;
    };
    const { text, script } = carriedParts(options, early, carrier, await largestCount(early.length, fits));
    return { compose: text, carrier: { row: carrier.row, text: script } };
  }
  // Nothing has room: the document grows beyond its recorded size.
  return { compose: inlineDocument(options, early, 0).text, carrier: null };
}

function inlineDocument(
  options: MainDocumentOptions,
  early: readonly ReplicaObject[],
  count: number,
): { text: ComposeText } {
  const tagged = early.slice(0, count);
  const pieces = [`<script>${runtimeText(options, tagged)}</script>`];
  return { text: composeDocument(options, pieces, tagged) };
}

function carriedParts(
  options: MainDocumentOptions,
  early: readonly ReplicaObject[],
  carrier: ReplicaObject,
  count: number,
): { text: ComposeText; script: string } {
  const others = early.filter((object) => object.row !== carrier.row).slice(0, count);
  const script = `${runtimeText(options, [carrier, ...others])}h(${carrier.row});${workText(carrier)}`;
  const pieces = [`<script src=${urlOf(options, carrier)}></script>`];
  return { text: composeDocument(options, pieces, others), script };
}

/** The filler goes between the tags, so that the document's parts arrive as spread out as on the real page. */
function composeDocument(
  options: MainDocumentOptions,
  first: readonly string[],
  tagged: readonly ReplicaObject[],
): ComposeText {
  const { plan } = options;
  const head = `<!DOCTYPE html><html lang=en><meta charset=utf-8><title>${plan.site}</title><link rel=icon href=data:,><style>${layoutRules}</style>${first.join('')}`;
  const samples = tagged
    .filter(({ type, means }) => type === 'font' && means === 'tag')
    .map(({ row }) => `<p class=f${row}>Replica text</p>`);
  const heading = `<h1>${plan.site}</h1><p>A synthetic page with the shape of a recorded one.</p>${samples.join('')}`;
  const firstVisible = tagged.findIndex(
    ({ type, means }) => means === 'tag' && (type === 'image' || type === 'html'),
  );
  const tags = tagged.map((object) => tagOf(options, object));
  tags.splice(firstVisible < 0 ? tags.length : firstVisible, 0, heading);
  return ({ dense, light }) => {
    const share = (text: string, index: number): string => {
      const each = Math.ceil(text.length / tags.length);
      return text.slice(index * each, (index + 1) * each);
    };
    const spread = tags.map((tag, index) => {
      const filler = share(dense, index) + share(light, index);
      return filler === '' ? tag : `${tag}<!--${filler}-->`;
    });
    return `${head}${spread.join('')}<script>h(${plan.document})</script></html>`;
  };
}

/** Other than a script that fetches, a preload is seen as early as the tags around it. */
function tagOf(options: MainDocumentOptions, object: ReplicaObject): string {
  const url = urlOf(options, object);
  const done = isAwaited(options.plan, object.row) ? ` onload=h(${object.row})` : '';
  if (object.means === 'fetch') return `<link rel=preload as=fetch crossorigin href=${url}${done}>`;
  if (object.means !== 'tag') return `<script>s(${object.row})</script>`;
  if (object.type === 'font') {
    return `<link rel=preload as=font crossorigin href=${url}${done}><style>${fontFace(object, url)}</style>`;
  }
  if (object.type === 'css') return `<link rel=stylesheet href=${url}${done}>`;
  if (object.type === 'js') return `<script ${object.blocking ? '' : 'async '}src=${url}></script>`;
  if (object.type === 'html') return `<iframe src=${url}${done}></iframe>`;
  return `<img class=i${sizeClass(object)} src=${url}${done}>`;
}

/** What a script does besides asking for more. */
export function workText({ workMs }: ReplicaObject): string {
  return workMs > 0 ? `k(${workMs});` : '';
}

/** Whether anything happens when the object is done. */
export function isAwaited(plan: ReplicaPlan, row: number): boolean {
  return (
    plan.objects.some((object) => object.cause === row) ||
    plan.waves.some((wave) => wave.triggers.includes(row))
  );
}

function runtimeText(options: MainDocumentOptions, tagged: readonly ReplicaObject[]): string {
  const { plan, unstyled, turnsPerMs } = options;
  const asked = tagged.filter((object) => object.means !== 'style').map(({ row }) => row);
  const inHtml = new Set([plan.document, ...asked]);
  const column = (value: (object: ReplicaObject) => number | null): string =>
    plan.objects
      .map((object) => (inHtml.has(object.row) ? '' : (value(object)?.toString(36) ?? '')))
      .join(',');
  const manifest: ReplicaManifest = {
    domain: plan.domain,
    letters: plan.objects.map((object) => loadLetter(object, unstyled)).join(''),
    waves: plan.objects.map((object) => (inHtml.has(object.row) ? '-' : object.wave.toString(36))).join(''),
    hosts: column((object) => object.host),
    causes: column((object) => object.cause),
    triggers: plan.waves.map((wave) => wave.triggers),
    turnsPerMs,
  };
  return `{${runtimeSource()}\nreplicaRuntime(${JSON.stringify(manifest)})}`;
}

/** Tells the runtime what to make of an object. */
export function loadLetter(object: ReplicaObject, unstyled: ReadonlySet<number>): string {
  if (object.means === 'fetch') {
    const ending = object.path.slice(object.path.lastIndexOf('.') + 1);
    return { json: 'n', mp4: 'v', mp3: 'u', html: 'H', js: 'J', css: 'C', png: 'P', gif: 'G' }[ending] ?? 'o';
  }
  if (object.body === 'ttf') return object.means === 'tag' || unstyled.has(object.row) ? 'F' : 'f';
  if (object.means === 'style' && !unstyled.has(object.row)) return 'b';
  if (object.type === 'image')
    return object.body === 'gif' ? '5' : object.body === 'svg' ? '6' : sizeClass(object);
  return { js: 'j', css: 'c', html: 'h' }[object.type as string] ?? '-';
}

/** Larger pictures take more room on the page. */
function sizeClass(object: ReplicaObject): string {
  if (object.body === 'svg') return '2';
  const limits = [200, 1_500, 12_000, 80_000];
  return String(limits.filter((limit) => object.wireBytes >= limit).length);
}

function urlOf(options: MainDocumentOptions, object: ReplicaObject): string {
  return `//${replicaHost(options.plan.domain, object.host)}:${options.port}${object.path}`;
}

function objectOf(plan: ReplicaPlan, row: number): ReplicaObject {
  const object = plan.objects[row];
  if (object === undefined) throw new RangeError(`no object in row ${row}`);
  return object;
}

function roomOf(object: ReplicaObject): number {
  return object.wireBytes + toleranceBytes(object.wireBytes) / 2;
}

/** The largest count for which `fits` holds, given that it holds for 0. */
async function largestCount(most: number, fits: (count: number) => Promise<boolean>): Promise<number> {
  if (await fits(most)) return most;
  let low = 0;
  let high = most;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (await fits(middle)) low = middle;
    else high = middle;
  }
  return low;
}

let source: string | undefined;

/** The runtime's functions without types, comments and indentation. */
function runtimeSource(): string {
  source ??= ['./page/script-turn.ts', './page/replica-runtime.ts']
    .map((module) => pageModule(module, import.meta.url))
    .join('\n')
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/^import .*$/gm, '')
    .replaceAll(/^export function/gm, 'function')
    .split('\n')
    .map((line) => line.trim().replaceAll(/\s+/g, ' '))
    .filter((line) => line !== '' && !line.startsWith('//'))
    .join('\n');
  return source;
}
