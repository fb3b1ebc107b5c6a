import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { chartLibraries, clientScript, flameLibrary } from './bundle-client.ts';
import { contentSecurityPolicy } from './content-security-policy.ts';
import type { PolicyOptions } from './content-security-policy.ts';
import { jsonForScript, markup, Markup } from './markup.ts';

/** What a page brings along: everything it shows and runs stands in its own file. */
export interface PageAssets {
  readonly style: string;
  readonly scripts: readonly string[];
}

function local(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}

/**
 * Style sheets from `styles/` and the bundled script `client/<entry>`, after the libraries for charts and flame graphs where
 * asked for.
 */
export async function loadAssets(
  styleFiles: readonly string[],
  entry: string,
  options: { readonly charts: boolean; readonly flames?: boolean },
): Promise<PageAssets> {
  const [styles, libraries, flames, client] = await Promise.all([
    Promise.all(styleFiles.map((name) => readFile(local(`styles/${name}`), 'utf8'))),
    options.charts ? chartLibraries() : [],
    options.flames === true ? flameLibrary() : null,
    clientScript(entry),
  ]);
  const scripts = [...libraries, ...(flames === null ? [] : [flames]), client];
  if (scripts.some((script) => /<\/script|<!--/i.test(script))) {
    throw new Error('A script of the report holds text that would end its own element.');
  }
  return { style: styles.join('\n'), scripts };
}

export interface PageContent {
  readonly title: string;
  readonly assets: PageAssets;
  readonly body: Markup;
  /** Data for the page's script; none leaves the element out. */
  readonly data?: unknown;
  readonly policy?: PolicyOptions;
}

/** The link to the main part, the bar on top with navigation and theme. */
export function topBar(name: string | Markup, links: readonly (readonly [string, string])[]): Markup {
  const items = links.map(([address, title]) => markup`<li><a href="${address}">${title}</a></li>`);
  return markup`<a class="skip" href="#main">Skip to the result</a>
    <header class="bar">
      <div class="bar-in">
        <p class="brand"><b>h2h3</b> <span>${name}</span></p>
        <button type="button" class="js menu" id="menu" aria-expanded="false" aria-controls="sections">☰ Sections</button>
        <nav aria-label="Sections" id="sections">
          <ul>
            ${items}
          </ul>
        </nav>
        <button type="button" class="js theme" id="theme"><span aria-hidden="true">◐</span> <span class="theme-name">Theme: automatic</span></button>
      </div>
    </header>`;
}

/** A whole page under a policy that lets only its own scripts and styles run. */
export function pageText({ title, assets, body, data, policy }: PageContent): string {
  const { style, scripts } = assets;
  return markup`<!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy(scripts, [style], policy)}">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="generator" content="h2h3">
    <title>${title}</title>
    <link rel="icon" href="data:,">
    <style>${new Markup(style)}</style>
    </head>
    <body>
    ${body}
    ${data !== undefined && markup`<script type="application/json" id="page-data">${jsonForScript(data)}</script>`}
    ${scripts.map((script) => markup`<script>${new Markup(script)}</script>`)}
    </body>
    </html>
  `.text;
}
