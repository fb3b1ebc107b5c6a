import tls from 'node:tls';
import { readAudienceFile } from '../../../src/app/plan/audience-file.ts';
import { planFromRequest, readPlanRequest } from '../../../src/app/plan/plan-request.ts';
import { liveAccessOf } from '../../../src/app/plan/live-access.ts';
import { readBudgetFlags } from '../../../src/app/plan/budget-flags.ts';
import { readMarginsFile } from '../../../src/app/plan/margins-file.ts';
import { readNotifyFile } from '../../../src/app/notify/notify-file.ts';
import { H2h3Error } from '../../../src/core/model/errors.ts';
import { parseBudget } from '../../../src/core/metrics/budget.ts';
import { parseArms } from '../../../src/plan/arms.ts';
import { parseFaults } from '../../../src/core/model/fault.ts';
import { directionSpecSchema } from '../../../src/core/model/network-spec.ts';
import { readSchedule } from '../../../harness/network/traces/read-schedule.ts';
import { readTrace } from '../../../harness/network/traces/read-trace.ts';
import { readShapeFile } from '../../../sites/replicas/shape-file.ts';
import { visitRemote } from '../../../sites/pages/visit-remote.ts';
import { fileIn, json, jsonLines, type FuzzedReader } from '../fuzzed-reader.ts';

const planFile = `name: tuesday
workloads: [page-landing, download-1mb]
arms: [h2, h3]
repetitions: 6
margins: {pltMs: 0.03}
budgets: ['lcp<2500ms', 'throughput>20mbit/s']
set: {cpu: 25%, mtu: '1400'}
customNetworks:
  mine:
    up: {rateMbps: 5, delayMs: 20, lossPercent: 1, queueBytes: 100000}
    down: {delayMs: 20, trace: {format: generated, generator: 4g-walking}, queueBytes: 100000}
networks: [mine]
`;
const grid = 'grid: {rateMbps: [5, 10], rttMs: [36], size: [10kb], count: [1, 10]}\narms: [h2, h3]\n';
const compared = `workloads: [page-agency]
arms: [{protocol: h2, label: old}, {protocol: h3, congestion: bbr, label: new}]
compare: [[old, new]]
networks: [4g]
sequential: true
interims: [6, 12]
inject: ['candidate:delay=+20%']
primary: {page: lcpMs}
replay: {thinkTime: true, missShare: 0.1}
exploratory: true
`;
const liveFile = `urls: ['https://a.example/']
live:
  headers: ['authorization: Bearer \${TOKEN}']
  cookies: ['sid=\${TOKEN}']
  block: ['analytics.example']
  connectTo: ['a.example:443:127.0.0.1:8443']
  server: {command: 'node server.js', ready: 'http://127.0.0.1:1/'}
`;

const shape = {
  site: 'a',
  requests: [
    [0, 'html', 1000, 3000, 0, null, 0, 4],
    [1, 'image', null, 50, 12, 0],
  ],
};

const storageState = {
  cookies: [
    {
      name: 'sid',
      value: 'x',
      domain: '.a.example',
      path: '/',
      expires: -1,
      httpOnly: true,
      secure: true,
      sameSite: 'Lax',
    },
  ],
  origins: [{ origin: 'https://a.example', localStorage: [{ name: 'token', value: 'x' }] }],
};

const segments = [
  { name: 'Cable', share: 60, rttMs: 20, downMbps: 50, upMbps: 10, view: 'cold', client: 'chromium' },
  { name: 'Mobile', share: 40, rttMs: 90, downMbps: 8, lossPercent: 1, cpuSharePercent: 25, family: 'ipv6' },
];
const crux = {
  record: { metrics: { round_trip_time: { histogram: [0.6, 0.3, 0.1].map((density) => ({ density })) } } },
};
/** The sources that CSV and JSON lines of users are read by. */
const audienceModules = [
  'src/app/plan/audience-file.ts',
  'src/plan/audience/read-audience.ts',
  'src/plan/audience/segment.ts',
  'src/plan/audience/segment-bins.ts',
  'src/plan/audience/choose-conditions.ts',
];

export const planReaders: readonly FuzzedReader[] = [
  {
    id: 'audience-lines',
    modules: audienceModules,
    corpus: [
      Buffer.from('name,share,rttMs,downMbps\n"Cable, fast",60,20,50\nMobile,40,90,8\n'),
      Buffer.from('rtt;downlink;ect\n50;10;4g\n;;\n100;1.5;3g\n'),
      Buffer.from('origin\tlow_rtt\tmedium_rtt\thigh_rtt\nhttps://a.example\t0.5\t0.3\t0.2\n'),
      jsonLines(...segments),
    ],
    read: (input, folder) => readAudienceFile(fileIn(folder, 'users.csv', input)),
  },
  {
    id: 'audience-json',
    modules: audienceModules,
    corpus: [json(segments), json({ segments }), json(crux)],
    read: (input, folder) => readAudienceFile(fileIn(folder, 'users.json', input)),
  },
  {
    id: 'plan-file',
    modules: [
      'src/app/plan/plan-request.ts',
      'src/app/plan/plan-source.ts',
      'src/plan/parse-plan-file.ts',
      'src/plan/yaml-text.ts',
      'src/plan/plan-file.ts',
      'src/plan/expand-plan.ts',
      'src/plan/expand-grid.ts',
    ],
    corpus: [planFile, grid, compared, liveFile].map((text) => Buffer.from(text)),
    read: (input, folder) =>
      planFromRequest(readPlanRequest(fileIn(folder, 'plan.yaml', input), {}), 'h2h3 run plan.yaml'),
  },
  {
    id: 'arms',
    modules: ['src/plan/arms.ts', 'src/core/model/factor.ts'],
    corpus: [
      Buffer.from('h2\nh3'),
      Buffer.from('chromium@148:h2+server=nginx\nfirefox:h3+congestion=bbr\nh3+migration=2mb-reconnect'),
      Buffer.from('h3+url=https://b.example/\nh2+cpu=25%\nauto+flags=--a --b'),
    ],
    read: (input) => parseArms(input.toString('utf8').split('\n')),
  },
  {
    id: 'faults',
    modules: ['src/plan/faults.ts'],
    corpus: ['delay=+20%, loss=+1%', 'connect=+50ms'].map((text) => Buffer.from(text)),
    read: (input) => parseFaults(input.toString('utf8')),
  },
  {
    id: 'margins',
    modules: ['src/app/plan/margins-file.ts'],
    corpus: [Buffer.from('pltMs: 3%\nstallTotalMs: 100\n'), json({ pltMs: '3%', stallTotalMs: 100 })],
    read: (input, folder) => readMarginsFile(fileIn(folder, 'margins.yaml', input)),
  },
  {
    id: 'budgets',
    modules: ['src/app/plan/budget-flags.ts', 'src/core/metrics/budget.ts'],
    corpus: [
      Buffer.from('lcp: 2500ms\nthroughput: ">20mbit/s"\n'),
      Buffer.from('- lcp<2500ms\n- wireBytes<1.5MB\n'),
      json({ lcp: '2500ms', plt: '<3s' }),
    ],
    read: (input, folder) =>
      readBudgetFlags([fileIn(folder, 'budgets.yaml', input)]).budgets?.map(parseBudget),
  },
  {
    id: 'notify',
    modules: ['src/app/notify/notify-file.ts', 'src/core/model/notification.ts'],
    corpus: [
      Buffer.from('notify:\n  - webhook: ${HOOK}\n    format: slack\n  - command: [mail, me]\n'),
      json({ notify: [{ webhook: '${HOOK}', format: 'json' }] }),
    ],
    read: (input, folder) => readNotifyFile(fileIn(folder, 'notify.yaml', input)),
  },
  {
    id: 'shapes',
    modules: ['sites/replicas/shape-file.ts', 'sites/replicas/site-shape.ts'],
    corpus: [json({ sites: [shape] })],
    read: (input, folder) => readShapeFile(fileIn(folder, 'shapes.json', input)),
  },
  {
    id: 'storage-state',
    modules: ['src/app/plan/live-access.ts', 'src/core/model/live-access.ts'],
    corpus: [json(storageState)],
    read: (input, folder) => liveAccessOf({ storageState: fileIn(folder, 'state.json', input) }, {}, []),
  },
  {
    id: 'secret-file',
    modules: ['src/app/plan/live-access.ts'],
    corpus: [Buffer.from('correct horse battery staple\n')],
    read: (input, folder) =>
      liveAccessOf({ headers: [`x-key: \${file:${fileIn(folder, 'secret', input)}}`] }, {}, []),
  },
  {
    id: 'authority',
    modules: ['sites/pages/visit-remote.ts'],
    corpus: [Buffer.from(tls.rootCertificates[0] ?? '')],
    read: async (input, folder) => {
      try {
        const ca = fileIn(folder, 'root.pem', input);
        await visitRemote(new URL('https://127.0.0.1:1/'), { ca }, AbortSignal.timeout(60_000));
      } catch (thrown) {
        // Nobody listens there: what was to be read was read by then.
        if (!(thrown instanceof H2h3Error) || thrown.code !== 'unsupported') throw thrown;
      }
    },
  },
  {
    id: 'trace-seconds',
    modules: ['harness/network/traces/read-trace.ts'],
    corpus: [Buffer.from('# a\n0 10\n1 5.5\n2 0\n3.5 20\n')],
    read: (input, folder) => readTrace(fileIn(folder, 'trace', input), 'seconds-mbps'),
  },
  {
    id: 'trace-mahimahi',
    modules: ['harness/network/traces/read-trace.ts'],
    corpus: [Buffer.from('0\n5\n5\n12\n')],
    read: (input, folder) => readTrace(fileIn(folder, 'trace', input), 'mahimahi'),
  },
  {
    id: 'schedule',
    modules: ['harness/network/traces/read-schedule.ts'],
    corpus: [
      Buffer.from(
        't_ms,rate_mbps,delay_ms,loss_percent\n0,10,20,0\n# a\n500,,30,1.5\n1500,0,,\n2000,5,20,0\n',
      ),
    ],
    read: (input, folder) =>
      readSchedule(
        fileIn(folder, 'schedule.csv', input),
        directionSpecSchema.parse({ rateMbps: 10, queueBytes: 30_000 }),
      ),
  },
];
