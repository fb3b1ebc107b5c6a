import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readShapeFile } from '../../../../sites/replicas/shape-file.ts';
import { shapeFromLine, shapeToLine } from '../../../../sites/replicas/shape-lines.ts';
import { shippedShapes } from '../../../../sites/replicas/shipped-shapes.ts';
import { H2h3Error } from '../../../../src/core/model/errors.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

function fileWith(t: Parameters<typeof tempFolder>[0], content: unknown): string {
  const file = join(tempFolder(t), 'shapes.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

const page = [0, 'html', 1000, 3000, 0, null, 0, 4];

test('a file in the site-shapes format is read', (t) => {
  const file = fileWith(t, {
    sites: [{ site: 'shop.example', requests: [page, [1, 'image', null, 50, 12, 0]] }],
  });
  const [shape] = readShapeFile(file);
  assert.equal(shape?.site, 'shop.example');
  assert.deepEqual(shape?.requests[1], {
    host: 1,
    type: 'image',
    wireBytes: null,
    rawBytes: 50,
    startMs: 12,
    initiator: 0,
    urgency: null,
  });
});

test('what is wrong with a file is said', (t) => {
  const broken: readonly (readonly [unknown, RegExp])[] = [
    ['{"sites":', /Cannot read/],
    [{ sites: [] }, /not in the site-shapes format/],
    [{ sites: [{ site: '../x', requests: [page] }] }, /not in the site-shapes format/],
    [{ sites: [{ site: 'a', requests: [[0, 'picture', 1, 1, 0, null]] }] }, /not in the site-shapes format/],
    [{ sites: [{ site: 'a', requests: [[0, 'html', -1, 1, 0, null]] }] }, /not in the site-shapes format/],
    [{ sites: [{ site: 'a', requests: [[0, 'css', 1, 1, 0, null]] }] }, /cannot be replayed/],
    [{ sites: [{ site: 'a', requests: [[0, 'html', 1, 1, 0, 0]] }] }, /cannot be replayed/],
    [{ sites: [{ site: 'a', requests: [[0, 'html', 1, 1, 9, null], page] }] }, /cannot be replayed/],
    [
      {
        sites: [
          { site: 'a', requests: [page] },
          { site: 'A', requests: [page] },
        ],
      },
      /twice/,
    ],
  ];
  for (const [content, message] of broken) {
    const file = fileWith(t, content);
    assert.throws(
      () => readShapeFile(file),
      (error) => error instanceof H2h3Error && error.code === 'bad-input' && message.test(error.message),
      JSON.stringify(content),
    );
  }
  assert.throws(() => readShapeFile('/no/such/file.json'), H2h3Error);
});

test('the compact form of a shape loses nothing', () => {
  for (const shape of shippedShapes()) assert.deepEqual(shapeFromLine(shapeToLine(shape)), shape);
});
