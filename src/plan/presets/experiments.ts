import type { Experiment } from '../../model/studies.ts';

type Row = readonly [id: string, experiment: string, place: string, title: string, needs?: string];

const studies: Readonly<Record<string, { readonly study: string; readonly rows: readonly Row[] }>> = {
  zhang2024: {
    study: 'Zhang et al. 2024',
    rows: [
      ['Z1', 'clients', 'section 3.2, figures 1 and 2', 'clients that are no browsers, 50 MB to 1 GB'],
      ['Z2', 'sweep', 'sections 3.2 and 3.3, figures 3 and 6', '50 to 1000 Mbit/s, light client and browser'],
      ['Z3', 'browsers', 'section 3.3, figures 4, 5, 8, table 2', 'browsers, CPU of the networking process'],
      ['Z4', 'cpu', 'section 3.3, figure 7', 'speed of the CPU'],
      ['Z5', 'video', 'section 4.1, figure 9', 'adaptive video'],
      ['Z6', 'web', 'section 4.2, figures 10 and 11', 'a hundred sites, Ethernet and 100 Mbit/s'],
      ['Z7', 'factors', 'section 5.1', 'server software'],
      ['Z8', 'packets', 'section 5.2', 'packets that the transport sees, round trip of packets'],
      ['Z9', 'kernel', 'section 5.3, tables 3 and 4', 'kernel calls, offloads'],
      ['Z10', 'parallel', 'section 6, figure 12', 'a body in k parallel parts'],
      [
        'Z11',
        'mobile',
        'section 2, table 1',
        'desktop and Android',
        'a phone over adb and an address that it reaches: npx h2h3 run zhang2024-mobile --url ADDRESS',
      ],
    ],
  },
  liu2025: {
    study: 'Liu et al. 2025',
    rows: [
      ['L1', 'single', 'section 4.1, figure 4', 'one body, size by loss by delay'],
      ['L2', 'multi', 'section 4.2, figure 5', '20 bodies of 1 MB at once, 0 to 12 % loss'],
      ['L3', 'migration', 'section 4.3, figure 6', 'the address is lost in mid-transfer'],
      ['L4', 'pages', 'section 4.4, figure 7', '18 pages, Speed Index'],
      ['L5', 'proxy', 'section 3.2 and all figures', 'through Envoy, BBR towards the client'],
    ],
  },
  kakhki2017: {
    study: 'Kakhki et al. 2017',
    rows: [
      ['K1', 'pages', 'sections 3 and 4', 'page load time, protocol of each object'],
      ['K2', 'grid', 'section 5.2', 'size by count by rate, loss, delay'],
      ['K3', 'fairness', 'section 5.1', 'one QUIC flow against 1, 2, 4 TCP flows'],
      ['K4', 'states', 'section 4.2', 'states of the sender from its log'],
      ['K5', 'video', 'section 5.3', 'time to start and rebuffers by quality'],
    ],
  },
  shreedhar2022: {
    study: 'Shreedhar et al. 2022',
    rows: [
      ['S1', 'connect', 'section V', 'connection, first byte, landing page'],
      ['S2', 'files', 'section VI', '1 KB to 2 GB, CPU'],
      ['S3', 'video', 'section VII', 'start-up, stalls, switches at 0 to 10 % loss'],
    ],
  },
};

const ownSender =
  'nginx’s QUIC hardly slows down on loss, whatever it calls itself, and TCP does: what is found between protocols is found between these senders';
const oneMachine =
  'client and server share two CPUs, so that a CPU is full at another rate than with a machine each';
const curlSocket =
  'curl leaves its UDP socket the 208 KB of the system and loses what it does not read in time; its QUIC is OpenSSL’s';

/** In what the set-ups differ from the studies', by experiment: known from measurements of the parts, not from its result. */
const differences: Readonly<Record<string, string>> = {
  Z1: `${oneMachine}; ${curlSocket}`,
  Z2: `${oneMachine}; ${curlSocket}; Chromium is many versions younger than the study’s Chrome 102`,
  Z3: `${oneMachine}; browsers are many versions younger than the study’s`,
  Z4: 'a share of a CPU’s time was limited, not its clock, and only the browser’s: server and kernel ran at full speed',
  Z5: 'CUBIC on both sides from Envoy; a session of 16 s over generated traces that two CPUs carry (5G cut at 250 Mbit/s)',
  Z6: 'eight pages of a hundred, replicas and packages instead of copies of top sites; the CPUs are shared with the server',
  Z7: 'OpenLiteSpeed cannot be had; other servers are compared, each with its own congestion control',
  Z8: 'Caddy, which alone tells its QUIC’s round trips, with New Reno; the link’s queue holds 1.5 MB (12 ms at 1 Gbit/s)',
  Z9: 'recording kernel events costs CPU time of the two that client and server share',
  Z10: `${oneMachine}; ${curlSocket}`,
  L1: ownSender,
  L2: `bodies of 200 KB, not 1 MB; ${ownSender}`,
  L3: 'BBR on both sides at quick scale, which begins quickly anyway, so that a move has less to save; the client knows of the loss at once',
  L4: `four small pages, of 18; ${ownSender}`,
  L5: `1 MB, of 10 MB; ${ownSender}`,
  K2: 'TLS 1.3 over TCP takes one round trip less than the study’s TLS 1.2; New Reno on both sides',
  K3: 'connections run until a body of 2 MB is there, so that the first seconds weigh more than in flows without an end; New Reno on both sides',
  K5: 'New Reno on both sides, which slows down most on loss; sessions of 16 s',
  S1: 'a laboratory’s link of 20 ms in place of the Internet',
  S2: `${oneMachine}; ${curlSocket}`,
  S3: 'New Reno on both sides; 3 Mbit/s of video over 100 Mbit/s, sessions of 16 s',
};

/** All 24, in the order of the studies. */
export const experiments: readonly Experiment[] = Object.entries(studies).flatMap(([key, { study, rows }]) =>
  rows.map(([id, experiment, place, title, needs]) => ({
    ...{ id, preset: `${key}-${experiment}`, study, place, title },
    ...(needs !== undefined && { needs }),
    ...(differences[id] !== undefined && { differs: differences[id] }),
  })),
);
