import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { planFromRequest, readPlanRequest } from '../../../../src/app/plan/plan-request.ts';
import { scripts } from '../../../../src/app/preflight/scripts.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

/** What is said of a plan whose journey is this text, next to these other files. */
async function saidOf(
  text: string,
  folder: string,
  others: Readonly<Record<string, string>> = {},
): Promise<string> {
  const script = join(folder, 'shop.ts');
  for (const [name, content] of Object.entries({ ...others, 'shop.ts': text }))
    writeFileSync(join(folder, name), content);
  const flags = { url: ['https://a.test/'], repetitions: '1', exploratory: true, script };
  const { plan } = planFromRequest(readPlanRequest(undefined, flags), 'test');
  const found = await scripts.judge(plan, {});
  assert.ok(found.every(({ code, trialIds }) => code === 'bad-input' && trialIds === undefined));
  return found.map(({ reason, next }) => `${reason}. ${next}`).join('\n');
}

const journey = 'export default async ({ page, url }) => page.goto(url);\n';

test("a test that still imports Playwright's own runner is refused with the plan, with the import to write", async (t) => {
  const folder = tempFolder(t);
  mkdirSync(join(folder, 'node_modules/@playwright/test'), { recursive: true });
  for (const line of [
    "import { test, expect } from '@playwright/test';",
    'import {\n  expect,\n  test as shop,\n} from "@playwright/test";',
    "const { test, expect } = require('@playwright/test');",
  ])
    assert.match(
      await saidOf(`${line}\ntest('a', async ({ page }) => page.goto('/'));\n`, folder),
      /^shop\.ts imports test from @playwright\/test, and .*import \{ test, expect \} from 'h2h3\/journey'/,
      line,
    );
  for (const line of [
    "import { test, expect } from 'h2h3/journey';",
    "import type { Page } from '@playwright/test';",
    "import { expect, type Page } from '@playwright/test';",
    "// import { test } from '@playwright/test';",
    "/*\nimport { test } from '@playwright/test';\n*/",
  ])
    assert.equal(await saidOf(`${line}\n${journey}`, folder), '', line);
});

test('a module of the script that imports it is found too', async (t) => {
  const others = { 'steps.ts': "import { test } from '@playwright/test';\nexport const open = test.step;\n" };
  assert.match(
    await saidOf(`import { open } from './steps.ts';\n${journey}`, tempFolder(t), others),
    /^steps\.ts imports test from @playwright\/test/,
  );
});

test('packages that are not installed and files that are not there are named before anything starts', async (t) => {
  const folder = tempFolder(t);
  const others = { 'steps.ts': 'export const open = 1;\n', 'package.json': '{ "name": "shop" }' };
  const cases: readonly (readonly [string, RegExp | string])[] = [
    [
      "import { faker } from '@faker-js/faker/locale/de';",
      /not installed there\. npm install @faker-js\/faker$/,
    ],
    ["import { open } from './steps';", /no such file\. Write its ending: \.\/steps\.ts\.$/],
    ["import './absent.ts';", /imports \.\/absent\.ts, and there is no such file/],
    ["import { open } from './steps.ts';", ''],
    ["import { readFileSync } from 'node:fs';\nimport path from 'path';\nimport 'shop/a';", ''],
    ["const steps = require('./steps');", ''],
  ];
  for (const [line, expected] of cases) {
    const said = await saidOf(`${line}\n${journey}`, folder, others);
    if (typeof expected === 'string') assert.equal(said, expected, line);
    else assert.match(said, expected, line);
  }
});
