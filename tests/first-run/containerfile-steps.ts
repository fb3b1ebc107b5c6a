// Prints what building the Containerfile does, a line a step, for a place where there is no builder:
//   FROM <image or stage> <name of the stage>, DIR <folder>, ENV <name=value>, RUN <command of a shell>,
//   COPY <from> … <to>, COPY-FROM <stage> <from> … <to>, USER <who does what follows>, START <words of what a container starts>
// Each stage begins with the folder and the variables of the one that it is made from.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const file = join(import.meta.dirname, '..', '..', 'Containerfile');
const instructions = readFileSync(file, 'utf8')
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll(/\s*\\\n\s*/g, ' ')
  .split('\n')
  .filter((line) => line.trim() !== '');

const start: string[] = [];
/** What later stages take over, by the name of their stage. */
const inherited = new Map<string, string[]>();
let stage = '';

function print(step: string, isInherited = false): void {
  if (isInherited) inherited.get(stage)?.push(step);
  process.stdout.write(`${step}\n`);
}

function begin(words: string): void {
  const [from = '', , name = 'image'] = words.split(' ');
  stage = name;
  inherited.set(stage, []);
  print(`FROM ${from} ${name}`);
  for (const step of inherited.get(from) ?? []) print(step, true);
}

function copy(words: string): void {
  const [, from, owner, paths = ''] = /^(?:--from=(\S+) )?(?:--chown=(\S+) )?(.+)$/.exec(words) ?? [];
  print(from === undefined ? `COPY ${paths}` : `COPY-FROM ${from} ${paths}`);
  if (owner !== undefined) print(`RUN chown -R ${owner} ${paths.split(' ').at(-1) ?? ''}`);
}

const carriedOut: Readonly<Record<string, (words: string) => void>> = {
  FROM: begin,
  WORKDIR: (words) => print(`DIR ${words}`, true),
  ENV: (words) => print(`ENV ${words}`, true),
  RUN: (words) => print(`RUN ${words}`),
  COPY: copy,
  USER: (words) => print(`USER ${words}`),
  ENTRYPOINT: (words) => start.push(...(JSON.parse(words) as string[])),
  CMD: (words) => start.push(...(JSON.parse(words) as string[])),
};

for (const instruction of instructions) {
  const [, keyword = '', words = ''] = /^([A-Z]+) +(.+)$/.exec(instruction) ?? [];
  const carryOut = carriedOut[keyword];
  if (carryOut === undefined) throw new Error(`Containerfile: what is to be done here: ${instruction}`);
  carryOut(words);
}
process.stdout.write(`START ${start.join(' ')}\n`);
