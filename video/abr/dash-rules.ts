import type { DashAbrRule } from './abr-rule.ts';

/**
 * The rules that dash.js 5 ships, as it ships them: its own guards stay next to each on-demand rule. Only abandoning a
 * request under way stays off for all, because a chunk fetched in part would belong to no track.
 */
const guards = ['insufficientBufferRule', 'switchHistoryRule'] as const;

export const throughput: DashAbrRule = {
  id: 'throughput',
  title: 'throughput rule of dash.js',
  source: 'dash.js 5, ThroughputRule',
  kind: 'dashjs',
  activeRules: ['throughputRule', ...guards],
};

export const bola: DashAbrRule = {
  id: 'bola',
  title: 'BOLA as in dash.js',
  source: 'Spiteri, Urgaonkar, Sitaraman, INFOCOM 2016; dash.js 5, BolaRule',
  kind: 'dashjs',
  activeRules: ['bolaRule', ...guards],
};

export const dynamic: DashAbrRule = {
  id: 'dynamic',
  title: 'throughput and BOLA by buffer level, the default of dash.js',
  source: 'Spiteri, Sitaraman, Sparacio, MMSys 2018; dash.js 5',
  kind: 'dashjs',
  activeRules: ['throughputRule', 'bolaRule', ...guards],
};

export const learnToAdapt: DashAbrRule = {
  id: 'l2a',
  title: 'L2A-LL as in dash.js, for low latency',
  source: 'Karagkioules et al., MMSys 2020; dash.js 5, L2ARule',
  kind: 'dashjs',
  activeRules: ['l2ARule'],
};

export const lowOnLatencyPlus: DashAbrRule = {
  id: 'lolp',
  title: 'LoL+ as in dash.js, for low latency',
  source: 'Bentaleb et al., IEEE Transactions on Multimedia 2022; dash.js 5, LoLPRule',
  kind: 'dashjs',
  activeRules: ['loLPRule'],
};
