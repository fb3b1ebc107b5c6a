/**
 * What share of a CPU stands for a device. Assumed: Lighthouse slows a desktop’s CPU to a quarter for a phone of the middle
 * (its `cpuSlowdownMultiplier` of 4); what has less memory is taken for slower, and what has more for faster.
 */
const cpuShareByMemory: readonly { readonly belowGb: number; readonly cpuSharePercent: number }[] = [
  { belowGb: 2, cpuSharePercent: 15 },
  { belowGb: 4, cpuSharePercent: 25 },
  { belowGb: 8, cpuSharePercent: 50 },
];

/** The names of the Chrome UX Report, and `mobile`; of the same assumption. */
export const formFactors: Readonly<Record<string, number | undefined>> = {
  phone: 25,
  mobile: 25,
  tablet: 50,
  desktop: undefined,
};

/** Undefined: whole CPUs. @param memoryGb as `navigator.deviceMemory` has it, 8 at the most */
export function cpuShareOfMemory(memoryGb: number): number | undefined {
  return cpuShareByMemory.find(({ belowGb }) => memoryGb < belowGb)?.cpuSharePercent;
}

/** What is said where any page view has its CPU share from its device. */
export const assumedCpuShares =
  'CPU shares are assumed from the device: 15 % below 2 GB of memory, 25 % below 4 GB and on phones, 50 % below 8 GB and on tablets. cpuSharePercent says them';

/** Browsers as analytics tools call them, by their client here; null of those that h2h3 cannot drive. */
const clientsByName: Readonly<Record<string, string | null>> = {
  chrome: 'chrome',
  'google chrome': 'chrome',
  'chrome mobile': 'chrome',
  'chrome for android': 'chrome',
  'mobile chrome': 'chrome',
  chromium: 'chromium',
  edge: 'edge',
  'microsoft edge': 'edge',
  firefox: 'firefox',
  'mozilla firefox': 'firefox',
  'firefox mobile': 'firefox',
  opera: 'opera',
  safari: null,
  'mobile safari': null,
  'safari mobile': null,
  'safari on ios': null,
  'samsung internet': null,
  'samsung internet for android': null,
  'uc browser': null,
  'opera mini': null,
  'internet explorer': null,
};

/** The client of a browser’s name; null of a browser that h2h3 cannot drive; other words, such as `chromium@153`, stay as they are. */
export function clientOfName(name: string): string | null {
  const plain = name.trim().toLowerCase().replaceAll(/\s+/g, ' ');
  return Object.hasOwn(clientsByName, plain) ? (clientsByName[plain] ?? null) : name;
}
