import { init, parse } from 'es-module-lexer';
import { H2h3Error } from '../../src/core/model/errors.ts';
import type { PageSource } from '../pages/page-source.ts';
import { rewriteCss } from './css-references.ts';
import { rewriteHtml } from './html-references.ts';
import { resolveReference, type MountedFile, type PackageSpace } from './package-space.ts';
import { placeFile, placedAddress, typeOfFile, type PlacedFile } from './placement.ts';
import type { ReferenceUse, RewriteReference } from './reference.ts';

export interface LocalisedFile extends PlacedFile {
  readonly content: Buffer;
}

export interface LocalisedPage {
  readonly entry: PlacedFile;
  readonly files: readonly LocalisedFile[];
  /** References that lead to no file of the page's packages; they were taken out. */
  readonly stripped: readonly string[];
}

interface FoundFile extends MountedFile {
  readonly use: ReferenceUse;
  /** Served from the page's own host, whatever its type. */
  readonly isOfThePage: boolean;
}

/**
 * Follows a page's references from its entry (HTML, style sheets, module imports), and gives every file that is
 * reached, its references rewritten to the hosts on which they are served at `port`. References between files of one
 * host stay as they are.
 *
 * @throws H2h3Error `internal` when the entry is not in the package.
 */
export async function localisePage(
  source: PageSource,
  space: PackageSpace,
  port: number,
): Promise<LocalisedPage> {
  const crawl = new Crawl(source, space, port);
  await crawl.run();
  const entry = placeFile(source, { mount: source.own, path: source.entry });
  return { entry, files: crawl.files, stripped: [...crawl.stripped] };
}

class Crawl {
  readonly files: LocalisedFile[] = [];
  readonly stripped = new Set<string>();
  private readonly source: PageSource;
  private readonly space: PackageSpace;
  private readonly port: number;
  private readonly queue: FoundFile[] = [];
  private readonly seen = new Set<string>();

  constructor(source: PageSource, space: PackageSpace, port: number) {
    this.source = source;
    this.space = space;
    this.port = port;
  }

  async run(): Promise<void> {
    const own = { mount: this.source.own, use: 'other', isOfThePage: true } as const;
    for (const path of [this.source.entry, ...(this.source.askedByScripts ?? [])]) {
      this.enqueue({ ...own, path });
    }
    for (let file = this.queue.shift(); file !== undefined; file = this.queue.shift()) {
      await this.visit(file);
    }
  }

  private enqueue(file: FoundFile): void {
    const key = `${file.mount}:${file.path}:${file.isOfThePage}`;
    if (this.seen.has(key)) return;
    this.seen.add(key);
    this.queue.push(file);
  }

  private async visit(file: FoundFile): Promise<void> {
    const original = await this.space.read(file);
    if (original === null) {
      throw new H2h3Error('internal', `Page ${this.source.id} names a file its packages do not hold`, {
        context: { got: `${file.mount}:${file.path}` },
      });
    }
    const placed = this.place(file);
    const content = await this.rewritten(file, placed, original);
    this.files.push({ ...placed, content });
  }

  private place(file: FoundFile): PlacedFile {
    const placed = placeFile(this.source, file);
    return file.isOfThePage ? { ...placed, host: `www.${this.source.id}.h2h3.test` } : placed;
  }

  private async rewritten(file: FoundFile, placed: PlacedFile, original: Buffer): Promise<Buffer> {
    const type = typeOfFile(file.path);
    if (type !== 'html' && type !== 'css' && file.use !== 'module') return original;
    const text = original.toString('utf8');
    const references = type === 'js' ? await moduleReferences(text) : referencesIn(text, type === 'html');
    const present = await this.presentFiles(file, references);
    const rewrite = this.rewriterFor(file, placed, present);
    if (type === 'css') return Buffer.from(rewriteCss(text, rewrite));
    if (type === 'html')
      return Buffer.from(rewriteHtml(text, { rewrite, removesScript: this.removesScript }));
    for (const reference of references) rewrite(reference, 'module');
    return original;
  }

  private readonly removesScript = (text: string): boolean => this.source.removedScripts?.test(text) ?? false;

  /** Which of the references lead to a file that exists: asked beforehand, because rewriting is synchronous. */
  private async presentFiles(file: FoundFile, references: readonly string[]): Promise<ReadonlySet<string>> {
    const checked = await Promise.all(
      references.map(async (reference) => {
        const target = resolveReference(this.source, file, reference);
        return target !== null && (await this.space.read(target)) !== null ? reference : null;
      }),
    );
    return new Set(checked.filter((reference) => reference !== null));
  }

  private rewriterFor(
    from: FoundFile,
    placedFrom: PlacedFile,
    present: ReadonlySet<string>,
  ): RewriteReference {
    return (reference, use) => {
      const target = present.has(reference) ? resolveReference(this.source, from, reference) : null;
      if (target === null) {
        this.stripped.add(reference);
        return null;
      }
      const found = { mount: target.mount, path: target.path, use, isOfThePage: false };
      this.enqueue(found);
      const placed = this.place(found);
      const sameHost = placed.host === placedFrom.host && target.mount === from.mount;
      if (sameHost && target.path.length > 0 && !isElsewhere(reference)) return undefined;
      return placedAddress(placed, this.port) + target.query + target.anchor;
    };
  }
}

/** Whether a reference names its host itself. */
function isElsewhere(reference: string): boolean {
  return /^([a-z]+:)?\/\//i.test(reference);
}

/** Every reference of a text, gathered by a rewriting that changes nothing. */
function referencesIn(text: string, isHtml: boolean): string[] {
  const found: string[] = [];
  const gather: RewriteReference = (reference) => {
    found.push(reference);
    return undefined;
  };
  if (isHtml) rewriteHtml(text, { rewrite: gather, removesScript: () => false });
  else rewriteCss(text, gather);
  return found;
}

/** Relative specifiers that a JavaScript module imports, statically or with a literal dynamic import. */
export async function moduleReferences(source: string): Promise<string[]> {
  await init();
  const [imports] = parse(source);
  const specifiers = imports.map((entry) => entry.specifier);
  return specifiers.filter((specifier): specifier is string => specifier?.startsWith('.') ?? false);
}
