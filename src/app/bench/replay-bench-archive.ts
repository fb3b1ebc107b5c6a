import { writeArchive } from '../../../sites/index.ts';

/** One answer of a recorded site: status 200, the body as it is on the wire. */
export interface BenchAnswer {
  readonly host: string;
  readonly path: string;
  readonly headers: [string, string][];
  readonly body: Buffer;
}

/** Writes an archive of `answers`, of which there is at least one, as if they had been recorded. */
export async function writeBenchArchive(directory: string, answers: readonly BenchAnswer[]): Promise<void> {
  const head = {
    urls: answers.slice(0, 1).map(({ host }) => `https://${host}/`),
    recordedAt: new Date(0).toISOString(),
    recorder: 'h2h3 bench-harness',
    complete: true,
    removed: {},
  };
  const exchanges = answers.map(({ body, ...answer }) => ({
    entry: { ...answer, method: 'GET', query: '', range: '', status: 200, startMs: 0, waitMs: 0 },
    requestBody: null,
    body,
  }));
  await writeArchive(directory, head, exchanges);
}
