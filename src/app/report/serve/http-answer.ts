import { createReadStream } from 'node:fs';
import type { ServerResponse } from 'node:http';
import type { RunFile } from './run-file.ts';

/** Answers with a text that is made anew for each request. */
export function answerText(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, {
    'content-type': type,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  response.end(body);
}

export function answerPage(response: ServerResponse, page: string): void {
  answerText(response, 200, 'text/html; charset=utf-8', page);
}

export function answerPlain(response: ServerResponse, status: number, sentence: string): void {
  answerText(response, status, 'text/plain; charset=utf-8', `${sentence}\n`);
}

/** Answers with a file of a run; null: there is none. */
export function answerFile(response: ServerResponse, file: RunFile | null): void {
  if (file === null) {
    answerPlain(response, 404, 'No such file in this run.');
    return;
  }
  response.writeHead(200, { 'content-type': file.type, 'x-content-type-options': 'nosniff' });
  createReadStream(file.path)
    .on('error', () => response.destroy())
    .pipe(response);
}
