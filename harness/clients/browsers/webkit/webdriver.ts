import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { H2h3Error } from '../../../../src/core/model/errors.ts';

const askAgainMs = 50;

const failureSchema = z.object({ value: z.object({ error: z.string(), message: z.string() }) });
const sessionSchema = z.object({
  value: z.object({
    sessionId: z.string(),
    capabilities: z.object({ browserName: z.string(), browserVersion: z.string() }),
  }),
});

/** One session of WebDriver (https://www.w3.org/TR/webdriver1/), as far as pages are loaded and read by it. */
export class WebDriver {
  readonly #address: string;
  readonly browserVersion: string;

  private constructor(address: string, browserVersion: string) {
    this.#address = address;
    this.browserVersion = browserVersion;
  }

  /** @param port where the driver listens, or soon will */
  static async open(port: number, capabilities: object, signal: AbortSignal): Promise<WebDriver> {
    const driver = `http://127.0.0.1:${port}`;
    while ((await fetch(`${driver}/status`, { signal }).catch(() => null))?.ok !== true) {
      signal.throwIfAborted();
      await sleep(askAgainMs);
    }
    const body = { capabilities: { alwaysMatch: capabilities } };
    const { value } = sessionSchema.parse(await post(`${driver}/session`, body, signal));
    const { sessionId, capabilities: told } = value;
    return new WebDriver(`${driver}/session/${sessionId}`, told.browserVersion);
  }

  /** Resolves when the page's load event has ended. */
  async navigate(url: string): Promise<void> {
    await post(`${this.#address}/url`, { url });
  }

  /** Value of an expression in the page, of JSON's kinds. */
  async evaluate(expression: string): Promise<unknown> {
    const script = `return (${expression});`;
    return z
      .object({ value: z.unknown() })
      .parse(await post(`${this.#address}/execute/sync`, { script, args: [] })).value;
  }

  /** Gives the window such a size that the page has this one. */
  async setViewport(width: number, height: number): Promise<void> {
    await post(`${this.#address}/window/rect`, { x: 0, y: 0, width, height });
    const inner = '[innerWidth, innerHeight]';
    const [innerWidth = width, innerHeight = height] = z.array(z.number()).parse(await this.evaluate(inner));
    const more = { width: 2 * width - innerWidth, height: 2 * height - innerHeight };
    await post(`${this.#address}/window/rect`, { x: 0, y: 0, ...more });
  }

  /** Limits, ms, after which the driver itself gives up. */
  async setTimeouts(pageLoad: number, script: number): Promise<void> {
    await post(`${this.#address}/timeouts`, {
      pageLoad: Math.round(pageLoad),
      script: Math.round(script),
    });
  }

  async end(): Promise<void> {
    await fetch(this.#address, { method: 'DELETE' });
  }
}

async function post(address: string, body: object, signal?: AbortSignal): Promise<unknown> {
  const answer = await fetch(address, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
    ...(signal === undefined ? {} : { signal }),
  });
  const json: unknown = await answer.json();
  if (answer.ok) return json;
  const failure = failureSchema.safeParse(json);
  const { error, message } = failure.data?.value ?? { error: `status ${answer.status}`, message: '' };
  throw new H2h3Error('process-failed', [error, message].filter((part) => part !== '').join(': '));
}
