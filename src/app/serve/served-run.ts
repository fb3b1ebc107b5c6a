import type { ServerResponse } from 'node:http';
import { messageOf } from '../../core/model/errors.ts';
import { answerFile, answerPage } from './http-answer.ts';
import { ProgressReader } from './read-progress.ts';
import { openRunFile } from './run-file.ts';

/** How often the journal is looked at while somebody watches. */
const lookEveryMs = 1000;

/** One run as a server shows it: its progress page, news of it as server-sent events, and its files. */
export class ServedRun {
  readonly #reader: ProgressReader;
  readonly #page: string;
  readonly #open = new Set<ServerResponse>();
  #timer: NodeJS.Timeout | undefined;
  #last = '';

  /**
   * @param page the progress page, the same for all runs
   * @throws H2h3Error `bad-input` where there is no run
   */
  constructor(name: string, page: string) {
    this.#reader = new ProgressReader(name);
    this.#page = page;
  }

  /** Answers a request below the run's own address. @param ownRun that address */
  answer(pathname: string, response: ServerResponse, ownRun: string): void {
    if (pathname === '/') answerPage(response, this.#page, `${ownRun}events`);
    else if (pathname === '/events') this.#watch(response);
    else {
      const isFile = pathname.startsWith('/run/');
      const file = isFile ? openRunFile(this.#reader.path, pathname.slice('/run/'.length)) : null;
      answerFile(response, file);
    }
  }

  /** Looks at nothing more. */
  end(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #watch(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    this.#open.add(response);
    response.on('close', () => {
      this.#open.delete(response);
      if (this.#open.size === 0) this.end();
    });
    this.#last = this.#look();
    response.write(this.#last);
    this.#timer ??= setInterval(() => {
      this.#tell();
    }, lookEveryMs);
  }

  #look(): string {
    try {
      return `data: ${JSON.stringify(this.#reader.progress())}\n\n`;
    } catch (thrown) {
      return `event: trouble\ndata: ${JSON.stringify(messageOf(thrown))}\n\n`;
    }
  }

  #tell(): void {
    const now = this.#look();
    const message = now === this.#last ? ': nothing new\n\n' : now;
    this.#last = now;
    for (const response of this.#open) response.write(message);
  }
}
