import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leftOutShare, type Audience } from '../../../../src/core/model/audience.ts';
import { H2h3Error } from '../../../../src/core/model/errors.ts';
import { drawNormal, seededRandom } from '../../../../src/core/model/seeded-random.ts';
import { readAudienceJson, readAudienceLines } from '../../../../src/plan/audience/read-audience.ts';

const read = (...lines: string[]): Audience => readAudienceLines(lines, 'users.csv');

const near = (value: number, expected: number, tolerance: number): void =>
  assert.ok(Math.abs(value - expected) <= tolerance, `${value} is not ${expected}`);

test('segments written by hand stay as they are, the largest first', () => {
  const { conditions, leftOut, spread, notes } = read(
    'name,share,rttMs,downMbps,upMbps,lossPercent',
    'Mobile,30,90,12,3,0.5',
    'Cable,70,20,100,20,0',
  );
  assert.deepEqual(
    conditions.map(({ share, rttMs, downMbps, upMbps, lossPercent }) => [
      share,
      rttMs,
      downMbps,
      upMbps,
      lossPercent,
    ]),
    [
      [0.7, 20, 100, 20, 0],
      [0.3, 90, 12, 3, 0.5],
    ],
  );
  assert.equal(conditions[0]?.title, 'Cable, 20 ms at 100 Mbit/s');
  assert.deepEqual([leftOut, spread, notes], [[], { rttPercent: 0, ratePercent: 0 }, []]);
});

test('a segment has the name of its figures, whatever its share and whatever came before it', () => {
  const networksOf = (...lines: string[]): string[] =>
    read('name,share,rttMs,downMbps,upMbps,lossPercent', ...lines).conditions.map(({ network }) => network);
  const before = networksOf('Cable,70,20,100,20,0', 'Mobile,30,90,12,3,0.5');
  const after = networksOf('Phones,60,90,12,3,0.5', 'Cable,40,20,100,20,0');
  assert.deepEqual(after, before.toReversed());
  assert.match(before[0] ?? '', /^audience-20ms-100mbps-[a-z0-9]+$/);
  const others = ['20,100,20,1', '20,100,21,0', '21,100,20,0', '20,101,20,0'];
  const names = others.flatMap((figures) => networksOf(`Cable,1,${figures}`));
  assert.equal(new Set([before[0], ...names]).size, others.length + 1);
  const ofCpu = read('share,rttMs,downMbps,upMbps,cpuSharePercent', '1,20,100,20,', '1,20,100,20,25');
  assert.equal(new Set(ofCpu.conditions.map(({ network }) => network)).size, 2);
});

test('segments that round to the same figures are one condition', () => {
  const { conditions } = read('share,rttMs,downMbps,upMbps', '1,19.103,100,20', '2,19.109,100,20');
  assert.deepEqual(
    conditions.map(({ rttMs, share, segments }) => [rttMs, share, segments]),
    [[19.1, 1, 2]],
  );
});

test('CSV and JSON of the same segments are the same audience', () => {
  const segments = [
    { share: 0.4, rttMs: 20, downMbps: 100, upMbps: 20, view: 'cold', client: 'chromium' },
    { share: 0.6, rttMs: 80, downMbps: 10, upMbps: 2, view: 'repeat', client: 'firefox' },
  ];
  const csv = read(
    'share;rtt_ms;Down Mbps;upMbps;view;client',
    '0.4;20;100;20;cold;chromium',
    '0.6;80;10;2;repeat;firefox',
  );
  const ofList = readAudienceJson(JSON.stringify(segments), 'users.csv');
  const ofLines = readAudienceLines(
    segments.map((segment) => JSON.stringify(segment)),
    'users.csv',
  );
  assert.deepEqual([ofList, ofLines], [csv, csv]);
  assert.deepEqual(
    csv.conditions.map(({ view, client }) => [view, client]),
    [
      ['repeat', 'firefox'],
      ['cold', 'chromium'],
    ],
  );
});

test('shares that do not add up are scaled, and said to be', () => {
  const { conditions, notes } = read('share,rttMs,downMbps,upMbps', '30,20,100,20', '10,80,10,2');
  assert.deepEqual(
    conditions.map(({ share }) => share),
    [0.75, 0.25],
  );
  assert.deepEqual(notes, ['The shares add up to 40 and were scaled to 100 %']);
});

test('a rate or a share that cannot be names its line and its value', () => {
  const faults: [string, RegExp][] = [
    ['-1,20,100', /users\.csv:3: share "-1" is not a number from 0/],
    ['1,-20,100', /users\.csv:3: rttMs "-20" is not a number from 0 to 60000 \(ms\)/],
    ['1,20,1e9', /users\.csv:3: downMbps "1e9" is not a number from 0 to 10000/],
    ['1,20,fast', /users\.csv:3: downMbps "fast"/],
    ['1,20', /users\.csv:3 has 2 values, and the head has 3/],
  ];
  for (const [line, message] of faults)
    assert.throws(
      () => read('share,rttMs,downMbps', '1,20,100', line),
      (thrown) => thrown instanceof H2h3Error && thrown.code === 'bad-input' && message.test(thrown.message),
      line,
    );
});

test('page views without a figure are left out with their share', () => {
  const audience = read('rtt,downlink,deviceMemory', '50,10,8', '100,1.5,4', ',,8', '100,,4');
  near(leftOutShare(audience), 0.5, 1e-12);
  assert.deepEqual(
    audience.leftOut.map(({ title, share }) => [title, share]),
    [
      ['without a round trip and a rate', 0.25],
      ['without a rate', 0.25],
    ],
  );
  near(
    audience.conditions.reduce((sum, { share }) => sum + share, 0),
    0.5,
    1e-12,
  );
});

test('nothing to measure is an error, whatever is missing', () => {
  for (const lines of [[], ['share,rttMs,downMbps'], ['share,rttMs', '1,2'], ['rtt,downlink', ',']])
    assert.throws(() => read(...lines), { code: 'bad-input' }, lines.join('|'));
});

test('thousands of page views become at most twelve conditions of 1 % or more, near to the page views', () => {
  const random = seededRandom(3);
  const rows = Array.from({ length: 5000 }, () => {
    const slow = random.next() < 0.3;
    const rtt = Math.exp(Math.log(slow ? 200 : 40) + 0.4 * drawNormal(random));
    const down = Math.exp(Math.log(slow ? 2 : 30) + 0.4 * drawNormal(random));
    return `${rtt.toFixed(1)},${down.toFixed(2)}`;
  });
  const { conditions, spread } = read('rtt,downlink', ...rows);
  assert.ok(conditions.length > 1 && conditions.length <= 12, String(conditions.length));
  assert.ok(conditions.every(({ share }) => share >= 0.01));
  near(
    conditions.reduce((sum, { share }) => sum + share, 0),
    1,
    1e-9,
  );
  near(
    conditions.reduce((sum, { rttMs, share }) => (rttMs > 90 ? sum + share : sum), 0),
    0.31,
    0.05,
  );
  assert.ok(spread.rttPercent > 5 && spread.rttPercent < 35, String(spread.rttPercent));
  assert.deepEqual(read('rtt,downlink', ...rows).conditions, conditions);
});

test('a segment of less than 1 % goes to the nearest, or is left out where nothing is like it', () => {
  const { conditions, leftOut } = read(
    'share,rttMs,downMbps,client',
    '60,20,100,chromium',
    '39,80,10,chromium',
    '0.6,90,9,chromium',
    '0.4,20,100,firefox',
  );
  assert.deepEqual(
    conditions.map(({ share, segments }) => [Number(share.toFixed(3)), segments]),
    [
      [0.6, 1],
      [0.396, 2],
    ],
  );
  assert.deepEqual(
    leftOut.map(({ share, why }) => [Number(share.toFixed(3)), why]),
    [[0.004, 'less than 1 %, and nothing like it']],
  );
});

test('answers of the CrUX API and rows of its tables are read by their three bins', () => {
  const record = {
    record: {
      metrics: {
        round_trip_time: {
          histogram: [
            { start: 0, end: 75, density: 0.5 },
            { start: 75, end: 275, density: 0.3 },
            { start: 275, density: 0.2 },
          ],
        },
      },
    },
  };
  const ofApi = readAudienceJson(JSON.stringify(record), 'crux.json');
  const ofTable = read('origin,low_rtt,medium_rtt,high_rtt', 'https://a.example,0.5,0.3,0.2');
  for (const { conditions, notes } of [ofApi, ofTable]) {
    assert.deepEqual(
      conditions.map(({ share, rttMs }) => [share, rttMs]),
      [
        [0.5, 40],
        [0.3, 150],
        [0.2, 400],
      ],
    );
    assert.match(notes.join(), /has no rates/);
  }
});

test('connections can be named as WebPageTest and the Network Information API do', () => {
  const ofTest = read('share,connection', '50,Cable', '50,3GFast');
  const ofBrowser = read('effectiveType', '4g', '4g', '3g');
  assert.deepEqual(
    ofTest.conditions.map(({ rttMs, downMbps }) => [rttMs, downMbps]),
    [
      [28, 5],
      [150, 1.6],
    ],
  );
  assert.deepEqual(
    ofBrowser.conditions.map(({ rttMs }) => rttMs),
    [70, 270],
  );
  assert.throws(
    () => read('share,connection', '1,carrier pigeon'),
    /users\.csv:2: connection "carrier pigeon"/,
  );
});

test('what nothing can emulate is left out with its share', () => {
  const { conditions, leftOut } = read('share,rttMs,downMbps,cpuSharePercent', '80,20,100,', '20,20,100,2');
  assert.equal(conditions.length, 1);
  assert.deepEqual(
    leftOut.map(({ share, why }) => [share, why]),
    [[0.2, 'less than 5 % of a CPU cannot be set']],
  );
});

test('k6 names connections as the developer tools do', () => {
  const { conditions } = read('share,connection', '50,Slow 3G', '50,Fast 4G');
  assert.deepEqual(
    conditions.map(({ rttMs, downMbps, upMbps }) => [rttMs, downMbps, upMbps]),
    [
      [400, 0.4, 0.4],
      [60, 8.1, 1.35],
    ],
  );
});

test('browsers have the names of analytics tools, and those that cannot be driven are left out', () => {
  const { conditions, leftOut } = read(
    'share,rttMs,downMbps,browser',
    '60,20,100,Chrome Mobile',
    '20,20,100,Firefox',
    '20,20,100,Safari',
  );
  assert.deepEqual(
    conditions.map(({ client, share }) => [client, share]),
    [
      ['chrome', 0.6],
      ['firefox', 0.2],
    ],
  );
  assert.deepEqual(
    leftOut.map(({ title, share }) => [title, share]),
    [['in Safari, which h2h3 cannot drive', 0.2]],
  );
  const exact = read('share,rttMs,downMbps,client', '1,20,100,chromium@153');
  assert.equal(exact.conditions[0]?.client, 'chromium@153');
});

test('memory and form factor stand for a CPU share, which the file itself may say', () => {
  const shares = (head: string, ...lines: string[]): (number | undefined)[] =>
    read(`rttMs,downMbps,${head}`, ...lines.map((line) => `20,100,${line}`)).conditions.map(
      ({ cpuSharePercent }) => cpuSharePercent,
    );
  const ofMemory = shares('deviceMemory', '8', '8', '8', '8', '4', '4', '4', '2', '2', '1');
  assert.deepEqual(ofMemory, [undefined, 50, 25, 15]);
  assert.deepEqual(shares('formFactor', 'desktop', 'desktop', 'phone'), [undefined, 25]);
  assert.deepEqual(shares('deviceMemory,cpuSharePercent', '2,80'), [80]);
  const { notes } = read('rttMs,downMbps,deviceMemory', '20,100,2');
  assert.match(notes.join(), /CPU shares are assumed from the device/);
  const given = read('rttMs,downMbps,deviceMemory,cpuSharePercent', '20,100,2,80');
  assert.doesNotMatch(given.notes.join(), /assumed from the device/);
});

test('columns that are not used are named, and steer no terminal', () => {
  const ofTable = read('share,rttMs,downMbps,country,\u001b[2Jplan', '1,20,100,de,x');
  assert.match(ofTable.notes.join(), /Columns that are not used: country, \\u001b\[2Jplan/);
  const ofObjects = readAudienceLines(
    ['{"share":1,"rttMs":20,"downMbps":100}', '{"share":1,"rttMs":20,"downMbps":100,"country":"de"}'],
    'users.jsonl',
  );
  assert.match(ofObjects.notes.join(), /Columns that are not used: country,The/);
  const many = Array.from({ length: 20 }, (_, index) => `column${index}`);
  const ofMany = read(['share,rttMs,downMbps', ...many].join(), ['1,20,100', ...many].join());
  assert.match(ofMany.notes.join(), /column7 and 12 more/);
  assert.doesNotMatch(read('share,rttMs,downMbps', '1,20,100').notes.join(), /not used/);
});

test('tables of the Chrome UX Report with effective types and form factors are crossed', () => {
  const { conditions, notes } = read(
    'origin,_4GDensity,_3GDensity,_2GDensity,slow2GDensity,phoneDensity,tabletDensity,desktopDensity',
    'https://a.example,0.8,0.2,0,0,0.5,0,0.5',
  );
  assert.deepEqual(
    conditions
      .map(({ rttMs, cpuSharePercent, share }) => [rttMs, cpuSharePercent, Number(share.toFixed(6))])
      .toSorted((a, b) => Number(a[0]) - Number(b[0]) || Number(a[1] ?? 100) - Number(b[1] ?? 100)),
    [
      [70, 25, 0.4],
      [70, undefined, 0.4],
      [270, 25, 0.1],
      [270, undefined, 0.1],
    ],
  );
  assert.match(notes.join(), /bounds of the Network Information API.*Every form factor/);
  const answer = {
    record: {
      metrics: {
        round_trip_time: {
          histogram: [{ density: 0.5 }, { density: 0.3 }, { density: 0.2 }],
        },
        form_factors: { fractions: { desktop: 1, phone: 0, tablet: 0 } },
      },
    },
  };
  const ofApi = readAudienceJson(JSON.stringify(answer), 'crux.json');
  assert.deepEqual(
    ofApi.conditions.map(({ share, cpuSharePercent }) => [share, cpuSharePercent]),
    [
      [0.5, undefined],
      [0.3, undefined],
      [0.2, undefined],
    ],
  );
});

test('a density that is no number names its value', () => {
  assert.throws(
    () => read('low_rtt,medium_rtt,high_rtt', '0.5,much,0.2'),
    /users\.csv:2: share "much" is not a number/,
  );
});
