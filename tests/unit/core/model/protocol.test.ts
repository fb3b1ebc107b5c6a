import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alpnByProtocol, protocolOf, protocolSchema } from '../../../../src/core/model/protocol.ts';

test('every protocol is read back from its own name and from its ALPN identifier', () => {
  for (const protocol of protocolSchema.options) {
    assert.equal(protocolOf(protocol), protocol);
    assert.equal(protocolOf(alpnByProtocol[protocol]), protocol);
  }
});

test('servers spell protocols in capitals, and what is no protocol is none', () => {
  assert.deepEqual(['HTTP/1.1', 'HTTP/2.0', 'HTTP/3.0'].map(protocolOf), ['h1', 'h2', 'h3']);
  assert.deepEqual(['unknown', 'data', '', undefined].map(protocolOf), [
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
