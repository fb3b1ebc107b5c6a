import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nginxConfig } from '../../../../harness/servers/nginx.ts';
import type { SenderSettings } from '../../../../harness/servers/sender-settings.ts';

/** The line by which nginx bounds what it keeps of a stream. */
function streamBuffer(settings: SenderSettings | undefined): string | undefined {
  const config = nginxConfig({
    program: { command: ['nginx'], version: '1.30.6', place: '/usr/sbin/nginx' },
    options: {
      roots: [],
      address: '127.0.0.1',
      port: null,
      certificates: { directory: '/nowhere' } as never,
      workDir: '/nowhere',
      launchPrefix: [],
      environment: {},
      ...(settings === undefined ? {} : { settings }),
    },
    port: 1,
    accessLogFile: '/nowhere/log',
    sockets: new Map(),
    certificates: [],
    inheritedTcpSocket: null,
    tcpCongestionControl: null,
    quicCongestionControl: 'cubic',
  });
  return /^ *http3_stream_buffer_size (.*);$/m.exec(config)?.[1];
}

test('nginx keeps 8 MB of a stream, and what sendwindow says where it is set', () => {
  assert.equal(streamBuffer(undefined), '8m');
  assert.equal(streamBuffer({}), '8m');
  assert.equal(streamBuffer({ sendwindow: { bytes: 65_536 } }), '65536');
});
