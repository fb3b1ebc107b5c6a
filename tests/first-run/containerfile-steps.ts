// Prints what building the Containerfile does, a line a step, for a place where there is no builder:
//   DIR <folder>, RUN <command of a shell>, COPY <from> … <to>, USER <who does what follows>,
//   START <words of what a container starts>
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DockerfileParser, type Instruction, type JSONInstruction } from 'dockerfile-ast';

const file = join(import.meta.dirname, '..', '..', 'Containerfile');

function words(instruction: Instruction): string[] {
  return (instruction as JSONInstruction).getJSONStrings().map((word) => word.getJSONValue());
}

/** The command without the line breaks that the file has, as one line of a shell. */
function command(instruction: Instruction): string {
  return (instruction.getArgumentsContent() ?? '').replaceAll(/\s*\\\n\s*/g, ' ').replaceAll(/ {2,}/g, ' ');
}

const start: string[] = [];
for (const instruction of DockerfileParser.parse(readFileSync(file, 'utf8')).getInstructions()) {
  const keyword = instruction.getKeyword();
  if (keyword === 'WORKDIR') process.stdout.write(`DIR ${command(instruction)}\n`);
  else if (keyword === 'RUN' || keyword === 'COPY' || keyword === 'USER')
    process.stdout.write(`${keyword} ${command(instruction)}\n`);
  else if (keyword === 'ENTRYPOINT' || keyword === 'CMD') start.push(...words(instruction));
}
process.stdout.write(`START ${start.join(' ')}\n`);
