/** What a process of Chromium does: its kind in `--type`, and the service of a utility process in `--utility-sub-type`. */
export function chromiumProcessRole(commandLine: string): string {
  const type = /\s--type=(\S+)/.exec(commandLine)?.[1];
  if (type === undefined) return 'browser';
  if (type === 'gpu-process') return 'gpu';
  if (type !== 'utility') return type;
  return /--utility-sub-type=network\.mojom/.test(commandLine) ? 'network' : 'utility';
}

/** What a process of Chrome on Android does, by its name: `com.android.chrome`, `….chrome:sandboxed_process0:…`. */
export function androidProcessRole(name: string): string {
  const kind = /:([a-z]+)_process/.exec(name)?.[1];
  if (kind === undefined) return name.includes(':') ? 'utility' : 'browser';
  // Most of what has its rights is the GPU's process.
  return kind === 'sandboxed' ? 'renderer' : kind === 'privileged' ? 'gpu' : 'utility';
}

const firefoxRoles: Readonly<Record<string, string>> = {
  socket: 'network',
  tab: 'renderer',
  gpu: 'gpu',
  rdd: 'rdd',
  utility: 'utility',
  forkserver: 'forkserver',
};

/** What a process of Firefox does: the command line of a child ends with its kind. */
export function firefoxProcessRole(commandLine: string): string {
  if (!/\s-contentproc\s/.test(commandLine)) return 'browser';
  const kind = commandLine.trim().split(/\s+/).at(-1) ?? '';
  return firefoxRoles[kind] ?? 'utility';
}

/** What a process of WebKit does, by its program. */
export function webkitProcessRole(commandLine: string): string {
  const kind = /WebKit(Web|Network|GPU)Process/.exec(commandLine)?.[1];
  if (kind === undefined) return 'browser';
  return kind === 'Web' ? 'renderer' : kind.toLowerCase();
}
