import { requireLighthouse } from '../../../harness/probes/lighthouse.ts';
import { appAbilities } from './app-abilities.ts';
import { budget } from './budget.ts';
import { check, blockersIn, type Check } from './check.ts';
import { clientAbilities } from './client-abilities.ts';
import { clientFlags } from './client-flags.ts';
import { components, ipv6Here, videoTools } from './components.ts';
import { clientCpuCounts, cpuShares, cpuShareSizes } from './cpu-shares.ts';
import { decidable } from './decidable.ts';
import { discovery } from './discovery.ts';
import { ecnAbilities } from './ecn-abilities.ts';
import { doubtedLibraries } from './doubted-libraries.ts';
import { factorProtocols } from './factor-protocols.ts';
import { families } from './families.ts';
import { limits } from './limits.ts';
import { liveProtocols } from './live-protocols.ts';
import { certificateCompression, chainLengths, keyExchanges } from './handshake-abilities.ts';
import { migrationWays, singleTransfer } from './migration.ts';
import { appliedFactors } from './applied-factors.ts';
import { knownNames } from './known-names.ts';
import { linkFactors } from './link-factors.ts';
import { liveAbilities, liveRequest } from './live-abilities.ts';
import { livePlace } from './live-place.ts';
import { messageAbilities } from './message-abilities.ts';
import { moqAbilities } from './moq-abilities.ts';
import { oneNameEach } from './one-name-each.ts';
import { probesOfSecrets } from './probes-of-secrets.ts';
import { rates } from './rates.ts';
import { scripts } from './scripts.ts';
import { restedDownloads } from './rested-downloads.ts';
import { browserResumption, resumption } from './resumption.ts';
import { declaredProtocols } from './declared-protocols.ts';
import { senderCongestion, senderFactors } from './sender-abilities.ts';
import { clientHost, clientHostAbilities } from './client-host.ts';
import { serverHost, serverHostAbilities } from './server-host.ts';
import { serverScope } from './server-scope.ts';
import { shards } from './shards.ts';
import { tightBudget } from './tight-budget.ts';
import { uploadAbilities } from './upload-abilities.ts';
import { visibleMargins } from './visible-margins.ts';
import { warmedUp } from './warmed-up.ts';
import { unrecordedProbes } from './unrecorded-probes.ts';
import { secretAddresses, secretCommands } from './written-secrets.ts';

const lighthouse = check('lighthouse', [], ({ probes }) =>
  probes.includes('lighthouse') ? blockersIn(requireLighthouse) : [],
);

/**
 * Everything that must hold before trials begin, in the order in which it is said. `plan`, `run`, gates, studies,
 * confirmations, shards and workers share this list; each check is judged as soon as what it needs is known.
 */
export const checks: readonly Check[] = [
  secretAddresses,
  secretCommands,
  knownNames,
  shards,
  decidable,
  limits,
  visibleMargins,
  probesOfSecrets,
  unrecordedProbes,
  scripts,
  lighthouse,
  liveRequest,
  liveAbilities,
  livePlace,
  appAbilities,
  serverHostAbilities,
  clientHostAbilities,
  declaredProtocols,
  clientFlags,
  cpuShareSizes,
  clientCpuCounts,
  appliedFactors,
  linkFactors,
  families,
  clientAbilities,
  doubtedLibraries,
  senderCongestion,
  senderFactors,
  serverScope,
  messageAbilities,
  restedDownloads,
  uploadAbilities,
  moqAbilities,
  factorProtocols,
  chainLengths,
  keyExchanges,
  certificateCompression,
  ecnAbilities,
  discovery,
  resumption,
  browserResumption,
  migrationWays,
  singleTransfer,
  components,
  ipv6Here,
  serverHost,
  clientHost,
  oneNameEach,
  cpuShares,
  videoTools,
  budget,
  tightBudget,
  rates,
  liveProtocols,
  warmedUp,
];
