/**
 * Says how many lines of code each room has, and by how much that changed: `npm run weight`, `npm run weight -- --base REV`. Tests,
 * data and lock files do not count; lines of comments do.
 */
import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';

const languages = {
  TypeScript: ['ts'],
  JavaScript: ['js', 'mjs'],
  C: ['c', 'h'],
  Go: ['go'],
  Rust: ['rs'],
  Python: ['py'],
  CSS: ['css'],
} as const;
type Language = keyof typeof languages;
const names = Object.keys(languages) as Language[];

/** Folders whose own folders are rooms; each of the others is a room by itself. */
const houses = ['src', 'harness'];
const top = [...houses, 'sites', 'video', 'reports'];

type Counts = Readonly<Record<Language, number>>;

const sumOf = (counts: Counts | undefined): number =>
  counts === undefined ? 0 : names.reduce((sum, name) => sum + counts[name], 0);

function languageOf(path: string): Language | undefined {
  const ending = path.slice(path.lastIndexOf('.') + 1);
  return names.find((name) => languages[name].some((known) => known === ending));
}

function roomOf(path: string): string {
  const [house = '', room = ''] = path.split('/');
  return houses.includes(house) ? `${house}/${room}` : house;
}

/**
 * Lines by room and language.
 *
 * @param revision that git knows; undefined: the files as they are, those that git does not track yet included
 */
export function weigh(folder: string, revision?: string): Map<string, Counts> {
  const where = revision === undefined ? ['--untracked'] : [revision];
  const args = ['grep', '--count', '-I', '-z', '-e', '', ...where, '--', ...top];
  const said = execFileSync('git', args, { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 26 });
  const rooms = new Map<string, Counts>();
  for (const line of said.trimEnd().split('\n')) {
    const [place = '', count] = line.split('\0');
    const path = revision === undefined ? place : place.slice(revision.length + 1);
    const language = languageOf(path);
    if (language === undefined) continue;
    const none = Object.fromEntries(names.map((name) => [name, 0])) as Counts;
    const counts = rooms.get(roomOf(path)) ?? none;
    rooms.set(roomOf(path), { ...counts, [language]: counts[language] + Number(count) });
  }
  return rooms;
}

/** A table of lines, a room a line, heaviest first. */
export function weightTable(now: ReadonlyMap<string, Counts>, base?: ReadonlyMap<string, Counts>): string[] {
  const rooms = [...new Set([...now.keys(), ...(base?.keys() ?? [])])];
  const used = names.filter((name) => [...now.values()].some((counts) => counts[name] > 0));
  const cellsOf = (room: string, counts: Counts | undefined, before: number): string[] => [
    room,
    ...used.map((name) => String(counts?.[name] ?? 0)),
    String(sumOf(counts)),
    ...(base === undefined ? [] : [signed(sumOf(counts) - before)]),
  ];
  const totals = (weights: ReadonlyMap<string, Counts>): Counts =>
    Object.fromEntries(
      names.map((name) => [name, [...weights.values()].reduce((sum, counts) => sum + counts[name], 0)]),
    ) as Counts;
  const rows = [
    ['room', ...used, 'total', ...(base === undefined ? [] : ['change'])],
    ...rooms
      .sort((a, b) => sumOf(now.get(b)) - sumOf(now.get(a)))
      .map((room) => cellsOf(room, now.get(room), sumOf(base?.get(room)))),
    cellsOf('total', totals(now), base === undefined ? 0 : sumOf(totals(base))),
  ];
  const widths = (rows[0] ?? []).map((_cell, at) => Math.max(...rows.map((row) => (row[at] ?? '').length)));
  return rows.map((row) =>
    row
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  '),
  );
}

const signed = (lines: number): string => (lines > 0 ? `+${lines}` : String(lines));

if (import.meta.main) {
  const { base } = parseArgs({ options: { base: { type: 'string' } } }).values;
  const folder = `${import.meta.dirname}/..`;
  const before = base === undefined ? undefined : weigh(folder, base);
  weightTable(weigh(folder), before).forEach((line) => process.stdout.write(`${line}\n`));
}
