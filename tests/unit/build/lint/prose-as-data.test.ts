import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Linter } from 'eslint';
import tseslint from 'typescript-eslint';
import { proseAsData } from '../../../../build/lint/prose-as-data.ts';

const linter = new Linter();

function isFound(code: string): boolean {
  const messages = linter.verify(code, [
    {
      files: ['**'],
      languageOptions: { parser: tseslint.parser },
      plugins: { reasons: { rules: { prose: proseAsData } } },
      rules: { 'reasons/prose': 'error' },
    },
  ]);
  assert.deepEqual(
    messages.filter(({ fatal }) => fatal),
    [],
  );
  return messages.length > 0;
}

/** How programs went by sentences before reasons had codes, each in its own way. */
const found = [
  // Records, leases and warnings, by how they begin.
  "import { lostLease } from './leases.ts';\nrecords.find((record) => record.reason?.startsWith(lostLease));",
  "const prefix = 'noise (';\nenvironment?.warnings.filter((warning) => warning.startsWith(prefix));",
  "const others = warnings.filter((each) => each.startsWith('also: '));",
  "[reason ?? '', ...others].every((found) => found.startsWith('the emulated path'));",
  // A sentence that is one of ours, or has a part that a program goes by.
  "import { budgetReason } from './record.ts';\nstatus === 'not-run' && reason === budgetReason;",
  "import { reasons } from './verdict.ts';\ncomparison.reason !== reasons.unequalLosses;",
  "void (record['reason'] === 'deadline');",
  "/\\(h2h3 calibrate (--\\w+)\\)$/.exec(reason ?? '');",
  'const pattern = /stalled/;\npattern.test(error.message);',
  "lost.map(({ reason = 'none' }) => reason.replace(/:.*/s, ''));",
  "import { vetoes } from './verdict.ts';\nvetoes.includes(reason);",
  "messageOf(thrown).includes('timeout');",
  "switch (trial.reason) { case 'budget': break; }",
  // Parts of sentences, which other sentences are made of.
  "amount.startsWith('a factor') ? byFactor(amount) : amount;",
  "armTitle(arm).includes('HTTP/3') ? 'qlog' : 'transport';",
  // Parts of what names a thing for people, and a sentence on its way to a place.
  "checks.find(({ quantity }) => quantity.startsWith('rate, UDP'));",
  "notes.filter((note) => !note.startsWith('TCP’s slow start'));",
  "new Set(first.ourMachine.split(' · '));",
  "const [where, probe] = subject.split(': ');",
  '/ \\([^()]*interval[^()]*\\)/.exec(unbroken(sentence));',
  "armName(candidate).replace(/ \\(arm \\d+\\)$/, '');",
];

const fine = [
  "hasReason(record, 'lease-lost');",
  "reasonCode === 'budget';",
  'reason === undefined;',
  "reason === '';",
  "row.quantity === 'added load time';",
  "message.split('\\n');",
  "sentence.split(' ');",
  'told = reason !== interval;',
  'counts.get(reason);',
  "text.startsWith('h3+');",
  "foreignWords(thrown).includes('ERR_NETWORK_CHANGED');",
  "sentence.replace(/\\.$/, '');",
  "messages.map(({ ruleId }) => ruleId.startsWith('no-'));",
  "headline.join(' ');",
];

test('a program that goes by a sentence is found, in each way in which programs did', () => {
  assert.deepEqual(
    found.filter((code) => !isFound(code)),
    [],
  );
});

test('codes, sentences that are only shown, and words of others are not', () => {
  assert.deepEqual(fine.filter(isFound), []);
});
