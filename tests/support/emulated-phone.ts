import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { killTree } from '../../src/core/system/processes/kill-tree.ts';
import { processTree, readProcessTable } from '../../src/core/system/processes/process-table.ts';
import { temporaryFolderIn } from '../../src/core/system/temporary-folder.ts';

export const phoneSerial = 'EMULATED01';
const app = 'com.android.chrome';
const switchesFile = '/data/local/tmp/chrome-command-line';

/** A phone and the adb server that it hangs on: protocol of adb's server, a few commands of Android, a Chromium of this machine. */
export interface EmulatedPhone {
  readonly environment: Readonly<Record<string, string>>;
  /** Every command that came for the phone's shell. */
  readonly commands: string[];
  /** The words that Chrome read from its file of switches, of each start. */
  readonly starts: string[][];
  /** What is left of the state that a trial makes. */
  state(): {
    readonly files: string[];
    readonly debugApp: string | null;
    readonly forwards: number;
    readonly runs: boolean;
  };
}

interface Chromium {
  readonly executablePath: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** Splits Chrome's file of switches as `CommandLine.tokenizeQuotedArguments` does: quotes and backslashes. */
function tokenized(line: string): string[] {
  return [...line.matchAll(/"((?:\\.|[^"\\])*)"|(\S+)/g)].map(
    ([, quoted, plain = '']) => quoted?.replaceAll(/\\(.)/g, '$1') ?? plain,
  );
}

/** The word that a POSIX shell makes of one quoted with apostrophes. */
const unquoted = (word: string): string =>
  word.replaceAll(`'\\''`, '\0').replaceAll("'", '').replaceAll('\0', "'");

class Phone {
  readonly files = new Map<string, string>();
  readonly commands: string[] = [];
  readonly starts: string[][] = [];
  readonly forwards = new Map<string, Server>();
  debugApp: string | null = null;
  #cleared = false;
  #browser: ChildProcess | null = null;
  #port = 0;
  readonly #chromium: Chromium;
  readonly #folder: string;

  constructor(chromium: Chromium, folder: string) {
    this.#chromium = chromium;
    this.#folder = folder;
  }

  get runs(): boolean {
    return this.#browser !== null;
  }

  async stop(): Promise<void> {
    const pid = this.#browser?.pid;
    this.#browser = null;
    if (pid !== undefined) await killTree(pid);
  }

  /** Output of a command; null: this phone has no such command. */
  async shell(command: string): Promise<string | null> {
    this.commands.push(command);
    const written = /^printf '%s\\n' (.*) > (\S+)$/s.exec(command);
    if (written !== null) {
      this.files.set(written[2] ?? '', unquoted(written[1] ?? ''));
      return '';
    }
    // A shell takes a word with apostrophes for the same word without.
    switch (command.replaceAll(`'${app}'`, app)) {
      case `dumpsys package ${app}`:
        return `Packages:\n  Package [${app}] (1a2b3c):\n    versionCode=1\n    versionName=156.0.1.2\n`;
      case `am force-stop ${app}`:
        await this.stop();
        return '';
      case `pm clear ${app}`:
        this.#cleared = true;
        return 'Success\n';
      case `rm -f ${switchesFile}`:
        this.files.delete(switchesFile);
        return '';
      case `am set-debug-app --persistent ${app}`:
        this.debugApp = app;
        return '';
      case 'am clear-debug-app':
        this.debugApp = null;
        return '';
      case `am start -W -n ${app}/com.google.android.apps.chrome.Main -d about:blank`:
        await this.#start();
        return 'Status: ok\n';
      case `ps -A -o PID,NAME | grep -F ${app} | while read p n; do echo "$p $n"; cat /proc/$p/stat || echo; done 2>/dev/null`:
        return this.#processes();
      default:
        return null;
    }
  }

  /** As Chrome of a phone without root: switches from the file for the app that is debugged only, data kept unless cleared. */
  async #start(): Promise<void> {
    if (!this.#cleared) throw new Error('Chrome was not cleared');
    this.#cleared = false;
    const words = this.debugApp === app ? tokenized(this.files.get(switchesFile) ?? '').slice(1) : [];
    this.starts.push(words);
    const profile = mkdtempSync(join(this.#folder, 'phone-'));
    const own = ['--headless=new', '--no-sandbox', '--remote-debugging-port=0', `--user-data-dir=${profile}`];
    const { executablePath, environment } = this.#chromium;
    this.#browser = spawn(executablePath, [...words, ...own, '--disable-dev-shm-usage', 'about:blank'], {
      detached: true,
      stdio: 'ignore',
      env: { ...process.env, ...environment, ...(await temporaryFolderIn(profile)) },
    });
    const file = join(profile, 'DevToolsActivePort');
    while (!existsSync(file) || !readFileSync(file, 'utf8').includes('\n')) {
      if (this.#browser.exitCode !== null) throw new Error('Chromium ended');
      await sleep(50);
    }
    this.#port = Number(readFileSync(file, 'utf8').split('\n')[0]);
  }

  /** Names as Android gives them. */
  #processes(): string {
    const rows = processTree(readProcessTable(), this.#browser?.pid ?? -1);
    return rows
      .map(({ pid, commandLine }) => {
        const type = /--type=(\S+)/.exec(commandLine)?.[1];
        const kind = { renderer: ':sandboxed_process0:org.chromium.content.app.SandboxedProcessService0:0' };
        const other = type === undefined ? '' : ':privileged_process0';
        const name = `${app}${type === 'renderer' ? kind.renderer : other}`;
        return `${pid} ${name}\n${readFileSync(`/proc/${pid}/stat`, 'latin1').trim()}\n`;
      })
      .join('');
  }

  /** A port of this machine that leads to Chrome's debugging socket. */
  async forward(): Promise<string> {
    const server = createServer((socket) => {
      const there = connect(this.#port, '127.0.0.1');
      for (const [one, other] of [
        [socket, there],
        [there, socket],
      ] as const)
        one
          .on('error', () => other.destroy())
          .on('close', () => other.destroy())
          .pipe(other);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const port = String((server.address() as AddressInfo).port);
    this.forwards.set(port, server);
    return port;
  }
}

const counted = (text: string): string => `${Buffer.byteLength(text).toString(16).padStart(4, '0')}${text}`;

function packet(id: number, data: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head[0] = id;
  head.writeUInt32LE(data.length, 1);
  return Buffer.concat([head, data]);
}

/** Answers a request of the host protocol. */
async function answer(phone: Phone, request: string, socket: Socket): Promise<'more' | 'last'> {
  const plain = request.replace(/^host-(?:serial:EMULATED01|transport-id:1):/, 'host:');
  const [, command] = /^shell,v2[^:]*:(.*)$/s.exec(request) ?? [];
  if (command !== undefined) {
    socket.write('OKAY');
    const output = await phone.shell(command);
    socket.write(
      packet(output === null ? 2 : 1, Buffer.from(output ?? '/system/bin/sh: inaccessible or not found\n')),
    );
    socket.write(packet(3, Buffer.from([output === null ? 127 : 0])));
    return 'last';
  }
  const said: Readonly<Record<string, string>> = {
    'host:version': `OKAY${counted('0029')}`,
    'host:devices': `OKAY${counted(`${phoneSerial}\tdevice\n`)}`,
    'host:features': `OKAY${counted('shell_v2,cmd')}`,
  };
  const known = said[plain];
  if (known !== undefined) socket.write(known);
  else if (plain === `host:tport:serial:${phoneSerial}`) {
    // Behind the answer stands the number of the transport, 64 bits.
    socket.write(Buffer.concat([Buffer.from('OKAY'), Buffer.from([1, 0, 0, 0, 0, 0, 0, 0])]));
    return 'more';
  } else if (plain === 'host:forward:tcp:0;localabstract:chrome_devtools_remote')
    socket.write(`OKAYOKAY${counted(await phone.forward())}`);
  else if (plain.startsWith('host:killforward:tcp:')) {
    const port = plain.slice('host:killforward:tcp:'.length);
    phone.forwards.get(port)?.close();
    phone.forwards.delete(port);
    socket.write('OKAYOKAY');
  } else socket.write(`FAIL${counted(`unknown request ${request}`)}`);
  return 'last';
}

function serve(phone: Phone, socket: Socket): void {
  let buffered = Buffer.alloc(0);
  let busy = Promise.resolve();
  const take = async (): Promise<void> => {
    const length = Number.parseInt(buffered.toString('latin1', 0, 4), 16);
    if (buffered.length < 4 || buffered.length < 4 + length) return;
    const request = buffered.toString('utf8', 4, 4 + length);
    buffered = buffered.subarray(4 + length);
    if ((await answer(phone, request, socket)) === 'last') socket.end();
    else await take();
  };
  socket.on('error', () => undefined);
  socket.on('data', (chunk: Buffer) => {
    buffered = Buffer.concat([buffered, chunk]);
    busy = busy.then(take).catch((thrown: unknown) => void socket.end(`FAIL${counted(String(thrown))}`));
  });
}

/** Ends with the test. */
export async function emulatePhone(
  t: { after(end: () => Promise<void>): void },
  chromium: Chromium,
  folder: string,
): Promise<EmulatedPhone> {
  const phone = new Phone(chromium, folder);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('close', () => sockets.delete(socket)));
    serve(phone, socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(async () => {
    server.close();
    for (const forward of phone.forwards.values()) forward.close();
    sockets.forEach((socket) => socket.destroy());
    await phone.stop();
  });
  const port = (server.address() as AddressInfo).port;
  return {
    environment: { ANDROID_ADB_SERVER_PORT: String(port), H2H3_ANDROID_CLEARS: '1' },
    commands: phone.commands,
    starts: phone.starts,
    state: () => ({
      files: [...phone.files.keys()],
      debugApp: phone.debugApp,
      forwards: phone.forwards.size,
      runs: phone.runs,
    }),
  };
}
