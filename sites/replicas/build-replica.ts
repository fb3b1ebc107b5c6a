import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fontBody } from './font-body.ts';
import { gifBody, pngBody } from './image-body.ts';
import { isAwaited, mainDocument, workText, type MainDocument } from './main-document.ts';
import { toleranceBytes } from './object-size.ts';
import type { ReplicaPlan } from './plan-replica.ts';
import { replicaHost, type ReplicaObject } from './replica-object.ts';
import { seededBytes } from './seeded-bytes.ts';
import { styleRule } from './style-body.ts';
import { bodyWireBytes, minWireBytes, textBody, type ComposeText, type EncodedBody } from './text-body.ts';

export interface BuildReplicaOptions {
  readonly plan: ReplicaPlan;
  readonly port: number;
  /** Turns of scripts' work that a whole CPU does in a millisecond. */
  readonly turnsPerMs: number;
  readonly seed: string;
  /** Each host's files go below this folder, under the host's name. */
  readonly directory: string;
  readonly onObject: (done: number, of: number) => void;
}

/** An object whose body could not be given its recorded size. */
export interface SizeMiss {
  readonly row: number;
  readonly wantedBytes: number;
  readonly gotBytes: number;
}

export interface BuiltReplica {
  readonly hosts: readonly string[];
  readonly wireBytes: number;
  readonly misses: readonly SizeMiss[];
}

/** Writes the files of a replica: the same plan, port, seed and speed of the machine give the same bytes. */
export async function buildReplica(options: BuildReplicaOptions): Promise<BuiltReplica> {
  const { plan } = options;
  const sheets = await sheetTexts(options);
  const unstyled = new Set(
    plan.objects
      .filter((object) => object.means === 'style' && !sheets.styled.has(object.row))
      .map(({ row }) => row),
  );
  const document = await mainDocument({
    plan,
    unstyled,
    port: options.port,
    turnsPerMs: options.turnsPerMs,
  });
  const misses: SizeMiss[] = [];
  let wireBytes = 0;
  for (const [index, object] of plan.objects.entries()) {
    const body = await bodyOf(object, options, document, sheets.texts);
    const gotBytes = bodyWireBytes(body);
    wireBytes += gotBytes;
    if (Math.abs(gotBytes - object.wireBytes) > toleranceBytes(object.wireBytes)) {
      misses.push({ row: object.row, wantedBytes: object.wireBytes, gotBytes });
    }
    await writeBody(join(options.directory, replicaHost(plan.domain, object.host), object.path), body);
    options.onObject(index + 1, plan.objects.length);
  }
  const hosts = new Set(plan.objects.map((object) => replicaHost(plan.domain, object.host)));
  return { hosts: [...hosts], wireBytes, misses };
}

async function writeBody(file: string, body: EncodedBody): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, body.raw);
  if (body.brotli !== null) await writeFile(`${file}.br`, body.brotli);
}

/** Fixed text of each style sheet: as many of its objects' rules as its recorded size has room for. */
async function sheetTexts(
  options: BuildReplicaOptions,
): Promise<{ texts: ReadonlyMap<number, string>; styled: ReadonlySet<number> }> {
  const { plan, port } = options;
  const texts = new Map<number, string>();
  const styled = new Set<number>();
  for (const sheet of plan.objects.filter((object) => object.type === 'css')) {
    let text = '';
    const wanted = plan.objects.filter((object) => object.means === 'style' && object.cause === sheet.row);
    for (const object of wanted) {
      const longer = text + styleRule(object, plan, port);
      if ((await minWireBytes(longer, sheet.rawBytes > sheet.wireBytes)) > sheet.wireBytes) break;
      text = longer;
      styled.add(object.row);
    }
    texts.set(sheet.row, text);
  }
  return { texts, styled };
}

async function bodyOf(
  object: ReplicaObject,
  options: BuildReplicaOptions,
  document: MainDocument,
  sheets: ReadonlyMap<number, string>,
): Promise<EncodedBody> {
  const seed = `${options.seed} ${options.plan.site} ${object.row}`;
  switch (object.body) {
    case 'png':
      return { raw: pngBody(object.wireBytes, seed), brotli: null };
    case 'gif':
      return { raw: gifBody(), brotli: null };
    case 'ttf':
      return { raw: fontBody(object.wireBytes, seed), brotli: null };
    case 'bytes':
      return { raw: seededBytes(seed, object.wireBytes), brotli: null };
    case 'html':
    case 'css':
    case 'js':
    case 'json':
    case 'svg':
      return textBody({
        compose: composerOf(object, options.plan, document, sheets),
        wireBytes: object.wireBytes,
        rawBytes: object.rawBytes,
        seed,
      });
  }
}

function composerOf(
  object: ReplicaObject,
  plan: ReplicaPlan,
  document: MainDocument,
  sheets: ReadonlyMap<number, string>,
): ComposeText {
  if (object.row === plan.document) return document.compose;
  if (object.body === 'css') return commented(sheets.get(object.row) ?? '', '/*', '*/');
  if (object.body === 'js') return commented(scriptText(object, plan, document), '/*', '*/');
  if (object.body === 'json') return quotedJson;
  if (object.body === 'svg') return svgText;
  // A frame's page shows a line of text if there is room for it.
  const page = object.wireBytes > 300 ? '<!DOCTYPE html><title>Frame</title><p>Frame of a replica</p>' : '';
  return commented(page, '<!--', '-->');
}

function scriptText(object: ReplicaObject, plan: ReplicaPlan, document: MainDocument): string {
  if (document.carrier?.row === object.row) return document.carrier.text;
  return (isAwaited(plan, object.row) ? `h(${object.row});` : '') + workText(object);
}

function commented(text: string, open: string, close: string): ComposeText {
  return ({ dense, light }) => (dense + light === '' ? text : `${text}${open}${dense}${light}${close}`);
}

const quotedJson: ComposeText = ({ dense, light }) => (dense + light === '' ? '' : `"${dense}${light}"`);

const svgText: ComposeText = ({ dense, light }) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3"><path fill="#578" d="M0 0h4v3L2 1 0 3z"/><!--${dense}${light}--></svg>`;
