/** What h2h3-link refuses before it starts a command. */

/** Words before a program that is to find no device of the emulator. */
const withoutDevice = [
  'unshare',
  ...(process.getuid?.() === 0 ? [] : ['--user', '--map-root-user']),
  '--mount',
  'sh',
  '-c',
  'mount -t tmpfs none /dev/net && exec "$@"',
  'sh',
];

/** What is typed, what is said of it, and where that is not this machine as it is: other variables, or words before the program. */
export type Refusal = readonly [
  words: readonly string[],
  said: RegExp,
  place?: { readonly env?: NodeJS.ProcessEnv; readonly prefix?: readonly string[] },
];

/** @param local words that lead a port across at which something listens */
export const refusalsOf = (local: readonly string[], withoutUnshare: NodeJS.ProcessEnv): Refusal[] => [
  [['cabel'], /unknown network "cabel"[^]*Did you mean cable\? `npx h2h3-link networks`/],
  [['--rtt', '80'], /--rtt wants a time such as 80ms/],
  [['--down', '-5mbit'], /--down wants a rate such as 10mbit/],
  [['--down', '900gbit'], /no path can be so: down\.rateMbps[^]*Rates go from 1kbit to 10gbit/],
  [['--up', '0mbit'], /no path can be so: up\.rateMbps/],
  [['--rtt', '1h'], /--rtt wants a time/],
  [['--loss', '101%'], /no path can be so: up\.lossPercent/],
  [['--down', '10gbit', '--rtt', '60s'], /25000000 packets would be under way/],
  [['--rtt', '80ms', '--schedule', 'none.csv', ...local], /none\.csv/],
  [['--rtt', '80ms', '--schedule', 'package.json', ...local], /package\.json:1: not a line of a schedule/],
  [['cable', '--set', 'what=1'], /no factor "what"[^]*`npx h2h3-link factors`/],
  [['cable', '--set', 'cpu=25%'], /cpu does not belong to the link[^]*`npx h2h3-link factors`/],
  [['cable', '--set', 'family=6', ...local], /led over IPv4/],
  [['cable', '--local', '1'], /nothing listens at localhost:1\n/],
  [['cable', '--local', '0'], /local/],
  [['cable', '--wrong'], /unknown option '--wrong'/],
  [[], /no network is named[^]*npx h2h3-link cable/],
  [['cable', '--json', '/proc/none/x.json'], /--json \/proc\/none\/x\.json/],
  [
    ['cable', ...local],
    /this is behind the network dsl already, and a second link would add to it/,
    { env: { ...process.env, H2H3_NETWORK: 'dsl' } },
  ],
  [
    ['cable', ...local],
    /there is no program unshare[^]*sudo apt-get install util-linux\.\n/,
    { env: withoutUnshare },
  ],
];

/** Want a namespace to try them in. */
export const refusalsInNamespaces = (local: readonly string[]): Refusal[] => [
  [
    ['cable', ...local],
    /cannot open \/dev\/net\/tun[^]*sudo modprobe tun \(in a container: --device \/dev\/net\/tun\), or add --proxy/,
    { prefix: withoutDevice },
  ],
  [
    ['cable', '--no-check', '--far', 'exit 1'],
    /the server at the far end ended before it listened[^]*Run the command by itself/,
  ],
];
