import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { chanceScript } from '../../sites/replay/chance-script.ts';
import { withFirstElement } from '../../sites/replay/adapt-answer.ts';
import { sendAnswer, type AnswerToSend } from '../../sites/replay/send-answer.ts';
import { archiveOf } from '../support/archive-of.ts';
import { newPage } from '../support/opened-report.ts';
import { describeInReportBrowsers } from '../support/report-browser.ts';

const epochMs = Date.parse('2001-02-03T04:05:06Z');
const telling = '<p>text é ok</p>';
const bodies = `<title>T é</title></head><body>${telling}`;
const strict =
  '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">';
const html = '<html xmlns="http://www.w3.org/1999/xhtml"><head>';
const closed = `${bodies}</body></html>`;
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
const wide = (text: string): Buffer => Buffer.from(text, 'utf16le');
const big = (text: string): Buffer => wide(text).swap16();

/** Documents with what their parser must see first, each with its type. */
const documents: Readonly<Record<string, readonly [type: string, body: Buffer | string, csp?: string]>> = {
  plain: ['text/html; charset=utf-8', `<!doctype html><html><head>${closed}`],
  'a fragment': ['text/html; charset=utf-8', telling],
  'XHTML with a declaration': [
    'application/xhtml+xml',
    `<?xml version="1.0" encoding="UTF-8"?>\n<!-- > -->${strict}\n${html}${closed}`,
  ],
  'XHTML with entities of its own': [
    'text/xml',
    `<?xml version="1.0"?><!DOCTYPE html [<!ENTITY own "a > b">]><x:html xmlns:x="http://www.w3.org/1999/xhtml"><x:head><x:title>&own;</x:title></x:head><x:body>é</x:body></x:html>`,
  ],
  'XHTML in Latin-1': [
    'application/xhtml+xml',
    latin1(`<?xml version="1.0" encoding="ISO-8859-1"?>${strict}${html}${closed}`),
  ],
  'HTML with an XML prolog': [
    'text/html; charset=utf-8',
    `<?xml version="1.0" encoding="UTF-8"?>${strict}${html}${closed}`,
  ],
  'UTF-16 by its mark': ['text/html', wide(`\uFEFF<!doctype html><html><head>${closed}`)],
  'UTF-16, big end first': ['text/html', big(`\uFEFF<!doctype html><html><head>${closed}`)],
  'UTF-16 by its header': ['text/html; charset=utf-16le', wide(`<!doctype html><html><head>${closed}`)],
  'UTF-8 by its mark': ['text/html', `\uFEFF<!doctype html><html><head>${closed}`],
  'a meta that says UTF-16': ['text/html', `<!doctype html><html><head><meta charset="utf-16">${closed}`],
  'a meta that says x-user-defined': [
    'text/html',
    latin1(`<!doctype html><html><head><meta charset=x-user-defined>${closed}`),
  ],
  'a meta in a comment': [
    'text/html',
    `<!doctype html><html><head><!-- was <meta charset="iso-8859-1"> --><meta charset="utf-8">${closed}`,
  ],
  'a meta with a pragma': [
    'text/html',
    latin1(
      `<!doctype html><html><head><meta name=x content="charset=utf-8"><meta http-equiv="Content-Type" content="text/html; charset=iso-8859-2">${closed}`,
    ),
  ],
  'a root with quoted signs': [
    'text/html; charset=utf-8',
    `<!doctype html><!-- <head> --><html data-a="1 > 0"><head data-b='>'>${closed}`,
  ],
  'a frameset': [
    'text/html; charset=utf-8',
    '<!doctype html><html><frameset cols="*"><frame src="about:blank"></frameset></html>',
  ],
  'a policy of trusted types': [
    'text/html; charset=utf-8',
    `<!doctype html><html><head>${closed}`,
    "require-trusted-types-for 'script'; script-src 'none'",
  ],
  'no page': ['text/xml', '<?xml version="1.0"?><feed><entry>é</entry></feed>'],
};

/** What a browser makes of a document, but for the clock that its scripts see. */
const shown = `(() => {
  const { doctype, characterSet, compatMode, contentType, documentElement, title, scripts } = document;
  return JSON.stringify({
    title, characterSet, compatMode, contentType, scripts: scripts.length, doctype: doctype?.name,
    root: documentElement.localName, text: documentElement.textContent, first: documentElement.firstElementChild?.localName,
  });
})()`;

async function serveBoth(t: TestContext): Promise<string> {
  const archive = archiveOf(
    Object.entries(documents).map(([name, [type, text, csp]]) => ({
      path: `/${encodeURIComponent(name)}`,
      headers: [
        ['content-type', type],
        ...(csp === undefined ? [] : [['content-security-policy', csp] as [string, string]]),
      ],
      text,
    })),
  );
  const server = createServer((request, response) => {
    const [, how, path] = /^\/(settled|own)(\/.*)$/.exec(request.url ?? '') ?? [];
    const entry = archive.index.entries.find((each) => each.path === path);
    if (entry === undefined) return void response.writeHead(404).end();
    const clock = { nowEpochMs: 0, shiftMs: 0 };
    const answer: AnswerToSend = { entry, body: archive.body(entry), recordedEpochMs: 0, clock };
    void (how === 'own' ? Promise.resolve(answer) : withFirstElement(answer, chanceScript(epochMs))).then(
      (sent) => sendAnswer(sent, request, response),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describeInReportBrowsers('a document with settled time and chance', (available) => {
  test('is what it was, whatever its parser must see first', async (t) => {
    const browser = available(t);
    if (browser === undefined) return;
    const origin = await serveBoth(t);
    const page = await newPage(browser);
    const seen = async (how: string, name: string): Promise<unknown> => {
      await page.goto(`${origin}/${how}/${encodeURIComponent(name)}`);
      return JSON.parse(String(await page.evaluate(shown)));
    };
    for (const [name, [, , csp]] of Object.entries(documents)) {
      assert.deepEqual(await seen('settled', name), await seen('own', name), name);
      await page.goto(`${origin}/settled/${encodeURIComponent(name)}`);
      const year = await page.evaluate('new Date().getFullYear()');
      if (name !== 'no page') assert.equal(year, 2001, `${name}: ${csp}`);
    }
  });
});
