/** Of every command that makes a run. */
export const serverHostOption = [
  '--server-host <user@host>',
  'start servers on this machine, by ssh; the browser stays here (docs/two-machines.md)',
] as const;
