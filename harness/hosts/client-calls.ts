import { z } from 'zod';
import { clientDescriptionSchema, realLinkSchema } from '../../src/core/model/environment.ts';
import { clientSideSchema } from '../../src/core/model/sides-of-trial.ts';
import { innerPathSchema, maxTrialFiles, partBytes } from './far-files.ts';
import { toldFaultSchema } from './told-fault.ts';

/** What is asked of a machine on which clients run; `far-protocol.ts` has what is asked of any. */

const maxNames = 100;
const maxArtifacts = 100;
const maxSteps = 1_000;

const nothing = z.strictObject({});
/** On one line, without what steers a terminal. */
const printable = z
  .string()
  .max(4096)
  .regex(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*$/u);
const name = printable.min(1);

/** A client as that machine has it. */
const clientSchema = z.strictObject({
  ...clientDescriptionSchema.shape,
  id: name,
  family: name,
  name,
  version: printable,
  executablePath: printable,
  executableSha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  quicLibrary: printable.optional(),
  environment: z.record(name, printable),
});

/** Of a process that runs trials, by its order. */
const workerNumber = z.int().nonnegative();
const ofWorker = z.strictObject({ worker: workerNumber });

/** A trial takes no longer than this, ms. */
const maxTrialMs = 1e9;
const trialMs = z.number().nonnegative().max(maxTrialMs);

/** The evidence itself is written at this end, and named by it. */
const artifactsSchema = z
  .record(name, innerPathSchema)
  .refine(
    (artifacts) => Object.keys(artifacts).length <= maxArtifacts && !Object.hasOwn(artifacts, 'raw'),
    `at most ${maxArtifacts} files, none of them by the name "raw"`,
  );

/** Each frame is a file of the trial, which is read once, and its picture is in memory with all others. */
const farRawSchema = clientSideSchema
  .extend({ startedAt: z.iso.datetime(), durationMs: trialMs, measuredMs: trialMs })
  .refine(
    ({ frames }) =>
      frames === null ||
      (frames.length <= maxTrialFiles && new Set(frames.map(({ file }) => file)).size === frames.length),
    { path: ['frames'], message: `at most ${maxTrialFiles} frames, each named once` },
  );

/** What a trial was by the client's side, as `worker-protocol.ts` has it. No secret goes to that machine. */
const doneSchema = z.strictObject({
  raw: farRawSchema,
  artifacts: artifactsSchema,
  postProcessMs: trialMs,
  steps: z.array(z.strictObject({ name, durationMs: z.number() })).max(maxSteps),
});

/** A file that a trial left there, by its path below the trial's folder. How much all may be says `bringFiles`, in its own words. */
const leftFileSchema = z.strictObject({ path: innerPathSchema, bytes: z.int().nonnegative() });
export type LeftFile = z.infer<typeof leftFileSchema>;

/** Every such request by its name: what is asked, and what comes back. */
export const clientCalls = {
  /** Looks for clients by name, or fetches them: what each is, null where it is to be fetched yet, or why it cannot be had. */
  clients: {
    asks: z.strictObject({ names: z.array(name).max(maxNames), fetches: z.boolean() }),
    answers: z.strictObject({
      clients: z
        .array(z.strictObject({ name, found: clientSchema.nullable(), fault: toldFaultSchema.optional() }))
        .max(maxNames),
    }),
  },
  /** Starts a process that runs one trial, and loads its modules. */
  worker: {
    asks: z.strictObject({
      prefix: z.array(name).max(maxNames),
      family: name,
      /** Over which its client goes; absent: over the machine's own. */
      network: workerNumber.optional(),
    }),
    answers: ofWorker,
  },
  /** Answered when its modules are loaded. */
  loaded: { asks: ofWorker, answers: nothing },
  /** What it is to do, which the near end of this very version made. Its client starts, and waits. */
  order: {
    asks: z.strictObject({ worker: workerNumber, order: z.record(z.string(), z.unknown()) }),
    answers: nothing,
  },
  /** Its turn has come. Answered when it has left its files. */
  begin: {
    asks: z.strictObject({ worker: workerNumber, limitMs: z.number().positive() }),
    answers: doneSchema,
  },
  /** Answered when what was to be measured is over and read out. */
  untilMeasured: { asks: ofWorker, answers: nothing },
  /** The page of its session has told the server that it is over. */
  ended: { asks: ofWorker, answers: nothing },
  /** What it left. */
  files: { asks: ofWorker, answers: z.strictObject({ files: z.array(leftFileSchema) }) },
  /** The bytes of one of them from an offset on, a part at the most. */
  filePart: {
    asks: z.strictObject({ worker: workerNumber, path: innerPathSchema, offsetBytes: z.int().nonnegative() }),
    answers: z.strictObject({ base64: z.string().max(2 * partBytes) }),
  },
  /** Ends it with its client, and removes what it left. */
  release: { asks: ofWorker, answers: nothing },
  /** What the network of that machine has counted so far. */
  counters: { asks: nothing, answers: z.strictObject({ counters: z.record(name, z.number()) }) },
  /** Measures the link to this machine, which listens for the one that has the token. */
  measureLink: {
    asks: z.strictObject({
      address: z.ipv4(),
      port: z.int().min(1).max(65_535),
      token: z.string().regex(/^[0-9a-f]{32}$/),
    }),
    answers: realLinkSchema,
  },
} as const;
