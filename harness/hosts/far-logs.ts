import { closeSync, mkdirSync, openSync, readdirSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { foundOr } from '../../src/core/model/errors.ts';
import type { FarHost } from './far-host.ts';
import { partBytes, readPart } from './far-files.ts';

/** As `far-protocol.ts` has their names. */
const logName = /^\w[\w.-]*\.s?qlog$/;

/** Of the logs in a folder where a server writes them; none where that is not there yet. */
export function logNames(folder: string): string[] {
  return foundOr(() => readdirSync(folder), []).filter((name) => logName.test(name));
}

/** A part of one of them. */
export const logPart = (folder: string, name: string, offsetBytes: number): Buffer =>
  readPart(join(folder, name), offsetBytes);

/** What a server of the other machine logs of its QUIC connections, brought to a folder here. */
export class FarLogs {
  readonly #server: number;
  readonly #host: FarHost;
  readonly #folder: string;
  #known = new Set<string>();

  constructor(server: number, host: FarHost, folder: string) {
    this.#server = server;
    this.#host = host;
    this.#folder = folder;
  }

  /** What is there by now is of earlier trials. */
  async mark(): Promise<void> {
    this.#known = new Set(await this.#names());
  }

  /** Brings those that began since. @throws H2h3Error as `FarHost.ask` */
  async fetch(): Promise<void> {
    mkdirSync(this.#folder, { recursive: true });
    for (const name of await this.#names()) if (!this.#known.has(name)) await this.#bring(name);
  }

  async #names(): Promise<readonly string[]> {
    return (await this.#host.ask('logs', { server: this.#server })).answered.names;
  }

  async #bring(name: string): Promise<void> {
    const file = openSync(join(this.#folder, name), 'w');
    try {
      for (let offsetBytes = 0, isOver = false; !isOver;) {
        const { answered } = await this.#host.ask('logPart', { server: this.#server, name, offsetBytes });
        const bytes = Buffer.from(answered.base64, 'base64');
        writeSync(file, bytes);
        offsetBytes += bytes.length;
        isOver = bytes.length < partBytes;
      }
    } finally {
      closeSync(file);
    }
  }
}
