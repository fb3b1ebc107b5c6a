import { decodeBody } from '../archive/content-coding.ts';
import { headerOf } from '../archive/headers.ts';
import type { AnswerToSend } from './send-answer.ts';

/** A worker's script with another one in front of it, not compressed; as it is where it cannot be read. */
export async function withFirstScript(answer: AnswerToSend, script: string): Promise<AnswerToSend> {
  const { entry } = answer;
  const coding = headerOf(entry.headers, 'content-encoding') ?? '';
  const text = entry.status === 200 ? await decodeBody(answer.body, coding) : null;
  if (text === null) return answer;
  return {
    ...answer,
    body: Buffer.concat([Buffer.from(`${script}\n`), text]),
    entry: { ...entry, headers: entry.headers.filter(([name]) => name.toLowerCase() !== 'content-encoding') },
  };
}

/**
 * A page that was recorded over http is served over https, where its browser would refuse what it names by http
 * addresses: this asks for the same by https.
 */
export function inHttpDocument(answer: AnswerToSend): AnswerToSend {
  return {
    ...answer,
    adapt: (headers) =>
      headers
        .map(([name, value]): [string, string] => [
          name,
          name.toLowerCase() === 'location' ? value.replace(/^http:/, 'https:') : value,
        ])
        .concat([['content-security-policy', 'upgrade-insecure-requests']]),
  };
}
