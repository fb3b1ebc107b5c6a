import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { isOfOwnSchema, qlogRecords, typeOfRecord, type QlogRecord } from './qlog-records.ts';
import { readSchema, versionOf, type QlogSchema } from './qlog-schema.ts';

/**
 * Holds qlogs to the CDDL of the IETF drafts: `npm run verify:qlog -- --drafts FOLDER FILE…`, where the folder is a clone of
 * github.com/quicwg/qlog; each log is held to the version that it names (`--version 12`: all to this one). The checker is fetched
 * for it by pip.
 */
const checker = 'cddl-verifier==1.5.3';
/** Of each kind of event in each file; thousands of one kind differ in their figures alone. */
const maxOfKind = 200;

const check = `
import json, sys
from cddl_verifier import Validator
validator = Validator(open(sys.argv[1], encoding="utf8").read())
for line in sys.stdin:
    record = json.loads(line)
    result = validator.validate(record["value"], root_type=record["type"])
    print(json.dumps(None if result.valid else "; ".join(result.errors)[:300]))
`;

const { values, positionals } = parseArgs({
  options: { drafts: { type: 'string' }, version: { type: 'string' } },
  allowPositionals: true,
});
if (values.drafts === undefined || positionals.length === 0) {
  process.stderr.write('npm run verify:qlog -- --drafts FOLDER [--version NN] FILE…\n');
  process.exit(2);
}

function run(program: string, args: readonly string[], input = ''): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    input,
    encoding: 'utf8',
    maxBuffer: 1_000_000_000,
  });
  if (status !== 0) throw new Error(`${program}: ${error?.message ?? stderr.trim().split('\n').at(-1)}`);
  return stdout;
}

/** The first records of every kind. */
async function sampled(file: string): Promise<QlogRecord[]> {
  const counts = new Map<string, number>();
  const records: QlogRecord[] = [];
  for await (const record of qlogRecords(file)) {
    const count = (counts.get(record.name) ?? 0) + 1;
    counts.set(record.name, count);
    if (count <= maxOfKind) records.push(record);
  }
  return records;
}

interface Checked extends QlogRecord {
  readonly type: string | undefined;
  readonly fault: string | null;
}

function checked(
  records: readonly QlogRecord[],
  { types }: QlogSchema,
  judge: (lines: string) => string,
): Checked[] {
  const typed = records.map((record) => ({ ...record, type: typeOfRecord(record, types) }));
  const known = typed.filter(({ type }) => type !== undefined);
  const said = judge(known.map(({ type, value }) => `${JSON.stringify({ type, value })}\n`).join(''));
  const faults = said
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as string | null);
  let next = 0;
  return typed.map((record) => {
    if (record.type !== undefined) return { ...record, fault: faults[next++] ?? null };
    return isOfOwnSchema(record.name, records[0]?.value)
      ? { ...record, type: 'of its own schema', fault: null }
      : { ...record, fault: 'the drafts have no such event' };
  });
}

const folder = mkdtempSync(join(tmpdir(), 'h2h3-qlog-'));
try {
  run('python3', ['-m', 'venv', join(folder, 'python')]);
  run(join(folder, 'python/bin/pip'), ['install', '--quiet', checker]);
  const python = join(folder, 'python/bin/python');
  process.stdout.write(
    '| file | drafts | record | type | valid | first fault |\n| --- | --- | --- | --- | --- | --- |\n',
  );
  for (const file of positionals) {
    const records = await sampled(file);
    const version =
      values.version ?? versionOf(records[0]?.value, [...new Set(records.map(({ name }) => name))]);
    const schema = readSchema(values.drafts, version);
    const schemaFile = join(folder, 'qlog.cddl');
    writeFileSync(schemaFile, schema.cddl);
    const all = checked(records, schema, (lines) => run(python, ['-c', check, schemaFile], lines));
    for (const [name, ofName] of Map.groupBy(all, (record) => record.name)) {
      const faults = ofName.flatMap(({ fault }) => fault ?? []);
      const valid = `${ofName.length - faults.length} of ${ofName.length}`;
      const cells = [
        basename(file),
        version ?? 'as they lie',
        name,
        ofName[0]?.type ?? 'none',
        valid,
        faults[0] ?? '',
      ];
      process.stdout.write(`| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`);
      if (faults.length > 0) process.exitCode = 1;
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
