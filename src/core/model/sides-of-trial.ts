import { rawTrialSchema, type RawTrial } from './raw-trial.ts';

/** What is read of a trial outside the process in which its client runs: what servers, links and resolvers logged and counted. */
export const readOutside = {
  serverLog: true,
  upstreamLog: true,
  relayLog: true,
  ledger: true,
  app: true,
  arrived: true,
  linkFlows: true,
  connectionStarts: true,
  linkQueue: true,
  linkCourse: true,
  otherTraffic: true,
  testbed: true,
  serverCpu: true,
  cpuShare: true,
  discovery: true,
  nameQuestions: true,
  resolverPort: true,
} as const;

type ReadOutside = keyof typeof readOutside;

/** A trial as that process says it, which may be on a machine that is not believed about anything else. */
export const clientSideSchema = rawTrialSchema.omit(readOutside);
export type ClientSide = Omit<RawTrial, ReadOutside>;

/** Fields of both sides, which the outer one makes of what the client said and of what it has read. */
type OfBothSides = 'session' | 'counters';

type KeysOf<Part> = Part extends unknown ? keyof Part : never;
/** Refuses every field that `readOutside` does not list: what a client may not say cannot be forgotten there. */
type NothingElse<Part> = Record<Exclude<KeysOf<Part>, ReadOutside | OfBothSides>, never>;

/** A trial as a whole. @param outside what was read outside the client's process, and nothing that is not listed above */
export function wholeTrial<Outside extends Pick<RawTrial, ReadOutside | OfBothSides>>(
  client: ClientSide,
  outside: Outside & NothingElse<Outside>,
): RawTrial {
  return { ...client, ...outside };
}
