import type { Environment } from '../../src/core/model/environment.ts';

/** An environment of a made-up machine with these clients and networks. */
export function environmentFixture(clients: readonly string[], networks: readonly string[]): Environment {
  return {
    schemaVersion: 1,
    startedAt: '2026-01-05T08:30:00.000Z',
    machine: {
      platform: 'linux',
      kernel: '6.1.0',
      cpuModel: 'Example CPU 3.0 GHz',
      cpuCount: 2,
      memoryBytes: 8_000_000_000,
      governor: null,
      loadAverage1m: 0.3,
      stealShare: 0.01,
      virtualised: 'kvm',
    },
    node: '24.21.0',
    h2h3: { version: '0.1.0', gitRevision: '0123456789abcdef' },
    packages: { 'puppeteer-core': '25.16.0', dashjs: '5.2.1' },
    ffmpeg: '5.1',
    clients: clients.map((id) => ({
      id,
      family: id.startsWith('firefox') ? 'firefox' : 'chromium',
      name: id.startsWith('firefox') ? 'Firefox' : 'Chromium',
      version: id.split('@')[1] ?? (id.startsWith('firefox') ? '153.0' : '156.0.7990.1'),
      build: 'full',
      source: 'system',
      executablePath: `/usr/bin/${id}`,
      headed: false,
    })),
    servers: [
      {
        id: 'caddy',
        name: 'Caddy',
        version: '2.11.9',
        quicCongestionControl: 'newreno',
        tcpCongestionControl: 'cubic',
        tcpCongestionControlNote: 'reno could not be set without privileges',
      },
    ],
    networks: networks.map((id) => ({
      id,
      backend: id === 'none' ? 'none' : 'emulator',
      description: id === 'none' ? 'loopback, unshaped' : `emulated path ${id}`,
      impaired: id !== 'none',
      privilege: id === 'none' ? 'none' : 'root',
      offloads: null,
      checks:
        id === 'none'
          ? []
          : [
              {
                direction: 'down',
                quantity: 'rate',
                unit: 'Mbit/s',
                expected: 100,
                measured: 99.1,
                tolerance: 2,
                ok: true,
              },
              {
                direction: 'down',
                quantity: 'round-trip time',
                unit: 'ms',
                expected: 50,
                measured: 54.2,
                tolerance: 1,
                ok: false,
              },
            ],
    })),
    pinning: { browserCpus: '0', serverCpus: '1' },
    warnings: [],
  };
}
