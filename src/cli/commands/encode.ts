import os from 'node:os';
import { givenPath } from '../../app/given-path.ts';
import { formatDuration } from '../../app/duration.ts';
import type { EncodedLadder, EncodePlan } from '../../app/encode/encode.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import type { AddCommand } from './command.ts';

interface Flags {
  readonly input?: string;
  readonly name?: string;
  readonly seconds?: string;
  readonly replace?: boolean;
  readonly json?: boolean;
}

const examples = `
Examples:
  npx h2h3 encode streaming --input holiday.mp4     then: npx h2h3 run --workload video-streaming@holiday-2s-bba
  npx h2h3 encode paper --seconds 60                4K up to 200 Mbit/s; takes minutes and gigabytes, says so first
  npx h2h3 describe ladders                         what there is to encode

An encode that is interrupted continues with the next track when the command is given again.`;

export const addEncodeCommand: AddCommand = (program, context) => {
  program
    .command('encode')
    .description('encode a ladder now, from test pictures or from a video of your own, and check it')
    .argument('<ladder>', 'a ladder by name (npx h2h3 describe ladders)')
    .option('--input <file>', 'a video file that ffmpeg can decode; its workloads carry its name')
    .option('--name <name>', "the input's name in its workloads (default: of its file)")
    .option('--seconds <n>', 'length to encode (default: as much as the longest session plays)')
    .option('--replace', 'take the place of another video of that name')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', examples)
    .action(async (ladder: string, flags: Flags) => {
      const { encode } = await import('../../app/encode/encode.ts');
      const { input, name, replace = false, seconds } = flags;
      const options = {
        ladder,
        replace,
        ...(input === undefined ? {} : { input }),
        ...(name === undefined ? {} : { name }),
        ...(seconds === undefined ? {} : { seconds: secondsOf(seconds) }),
      };
      if (input !== undefined) context.progress.say(`looking at ${input} …`);
      const encoded = await encode(options, context, (plan) => context.progress.say(describeCost(plan)));
      context.progress.clear();
      context.print(flags.json === true ? JSON.stringify(encoded, null, 1) : describeEncoded(encoded));
    });
};

function secondsOf(text: string): number {
  const seconds = Number(text);
  if (text !== '' && Number.isFinite(seconds) && seconds > 0) return seconds;
  throw new H2h3Error('usage', `--seconds wants a number above 0, got "${text}"`);
}

function describeCost(plan: EncodePlan): string {
  const { ladder, chunkSeconds, estimate } = plan;
  const cores = os.availableParallelism();
  const alone = formatDuration((estimate.cpuSeconds / cores) * 1000);
  const cpu = `${Math.ceil(estimate.cpuSeconds)} s of CPU time, ${alone} on ${cores} idle cores`;
  const size = `${Math.ceil(estimate.diskBytes / 1e6)} MB of disk`;
  const cost = `${ladder}, ${lengthWords(plan)}, in chunks of ${chunkSeconds.join(', ')} s: about ${cpu}, ${size} at most; what is cached costs nothing`;
  return [cost, ...trackWords(plan), ...plan.changes, ...leftOutWords(plan), ...loopedWords(plan)].join('\n');
}

function trackWords({ videoTrack }: EncodePlan): string[] {
  if (videoTrack === null || videoTrack === 1) return [];
  return [
    `Video track ${videoTrack} of your file is encoded: the tracks before it are shorter than one chunk`,
  ];
}

/** How much of the user's video is not played by any session; parts of a second are no matter. */
function leftOutWords({ filmSeconds, leftOutSeconds }: EncodePlan): string[] {
  if (leftOutSeconds !== null && leftOutSeconds < 1) return [];
  const rest =
    leftOutSeconds === null ? 'anything after that' : `the other ${Math.round(leftOutSeconds * 10) / 10} s`;
  return [`Of your video the first ${filmSeconds} s are encoded. The player never reaches ${rest}.`];
}

function loopedWords({ filmSeconds, loopedSeconds }: EncodePlan): string[] {
  if (loopedSeconds.length === 0) return [];
  const lengths = new Intl.ListFormat('en-GB').format(loopedSeconds.map(String));
  return [`Sessions of ${lengths} s play your ${filmSeconds} s again from their start.`];
}

function lengthWords({
  mediaSeconds,
  filmSeconds,
}: Pick<EncodePlan, 'mediaSeconds' | 'filmSeconds'>): string {
  return filmSeconds < mediaSeconds
    ? `${filmSeconds} s, repeated up to ${mediaSeconds} s`
    : `${mediaSeconds} s`;
}

function describeEncoded(encoded: EncodedLadder): string {
  const { ladder, directories, workloads } = encoded;
  const folders = directories.map((directory) => `  ${givenPath(directory)}`);
  const [first] = workloads;
  return [
    `${ladder}: ${lengthWords(encoded)}, encoded and checked segment by segment`,
    ...folders,
    `${workloads.length} workloads play it (npx h2h3 describe workloads), such as`,
    `  npx h2h3 run --workload ${first ?? ''}`,
  ].join('\n');
}
