import { createReadStream } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import type { RunFile } from './run-file.ts';

/** Of every answer: it is of the type that is said, in no frame, and no page of another origin loads it as a part of its own. */
const always = {
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
};

const noFrames = "frame-ancestors 'none'";

/**
 * Of a page that is made here. Its own policy names its scripts and styles; this one says besides where it may ask.
 *
 * @param asks addresses that it may ask
 */
function policyOfOwnPage(asks: string | undefined): string {
  return `connect-src ${asks ?? "'none'"}; object-src 'none'; frame-src 'none'; worker-src 'none'; ${noFrames}`;
}

/**
 * Of a file of a run, which may be somebody else's: it has an origin of its own, so that it reads and keeps nothing of
 * this server's, and it loads nothing. Links lead on as everywhere.
 */
const policyOfRunFile = [
  // A report filters by forms, saves figures and prints.
  'sandbox allow-scripts allow-forms allow-downloads allow-modals',
  "default-src 'none'",
  "script-src 'unsafe-inline'",
  "style-src 'unsafe-inline'",
  'img-src data: blob:',
  "base-uri 'none'",
  "form-action 'none'",
  noFrames,
].join('; ');

function answerText(
  response: ServerResponse,
  status: number,
  headers: Record<string, string>,
  body: string,
): void {
  response.writeHead(status, { ...always, 'cache-control': 'no-store', ...headers });
  response.end(body);
}

/** Answers with a page that is made anew for each request. @param asks addresses that it may ask; none without */
export function answerPage(response: ServerResponse, page: string, asks?: string): void {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policyOfOwnPage(asks),
  };
  answerText(response, 200, headers, page);
}

export function answerPlain(response: ServerResponse, status: number, sentence: string): void {
  answerText(response, status, { 'content-type': 'text/plain; charset=utf-8' }, `${sentence}\n`);
}

/** Answers with a file of a run; null: there is none. */
export function answerFile(response: ServerResponse, file: RunFile | null): void {
  if (file === null) {
    answerPlain(response, 404, 'No such file in this run.');
    return;
  }
  response.writeHead(200, {
    ...always,
    'content-type': file.type,
    'content-security-policy': policyOfRunFile,
  });
  pipeline(createReadStream('', { fd: file.descriptor }), response, () => undefined);
}
