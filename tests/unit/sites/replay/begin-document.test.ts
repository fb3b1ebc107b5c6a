import assert from 'node:assert/strict';
import { test } from 'node:test';
import { beginDocument } from '../../../../sites/replay/begin-document.ts';
import { cpuMsOf } from '../../../support/cpu-time.ts';

const type = 'application/xhtml+xml';
const begun = (text: string): string | undefined =>
  beginDocument(Buffer.from(text), type, 'x()')?.body.toString();

test('what stands before the root of an XML document is passed over, however much of it there is', async () => {
  const prolog = '<?xml version="1.0"?><!-- a > b --><!DOCTYPE html [<!ENTITY a "-->">]>\n';
  assert.equal(
    begun(`${prolog}<html xmlns="a"><p/></html>`),
    `${prolog}<html xmlns="a"><script xmlns="http://www.w3.org/1999/xhtml">x()</script><p/></html>`,
  );
  const tookMs = await cpuMsOf(() => {
    for (const part of ['<!---->', '<?a?>', '<!DOCTYPE a>', ' ', '<!--', '<?']) {
      const many = part.repeat(4000);
      assert.equal(begun(`${many}<svg/>`), undefined);
    }
  });
  assert.ok(tookMs < 5000, `${tookMs} ms of CPU time`);
});
