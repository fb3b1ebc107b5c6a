import { spawn } from 'node:child_process';

const openers: Readonly<Record<string, readonly string[]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/** Opens a file or an address in the default browser; says what to do where that cannot be done. */
export function openInBrowser(target: string, say: (line: string) => void): void {
  const [program = 'xdg-open', ...rest] = openers[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...rest, target], { stdio: 'ignore', detached: true });
  child.on('error', (cause) =>
    say(`cannot open it by itself (${cause.message}); open ${target} in a browser`),
  );
  child.on('exit', (code) => {
    if (code !== null && code !== 0) say(`${program} could not open it; open ${target} in a browser`);
  });
  child.unref();
}
