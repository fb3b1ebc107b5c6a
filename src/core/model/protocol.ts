import { z } from 'zod';
import { ownEntry } from './own-entry.ts';

/** The protocols of an object on the wire. */
export const protocolSchema = z.enum(['h1', 'h2', 'h3']);
export type Protocol = z.infer<typeof protocolSchema>;

/** What an arm asks of the browser: one protocol forced, or `auto` as the browser ships (Alt-Svc, racing). */
export const armProtocolSchema = z.enum(['h1', 'h2', 'h3', 'auto']);
export type ArmProtocol = z.infer<typeof armProtocolSchema>;

/** How each protocol is written in a HAR's `response.httpVersion` (the ALPN identifier, RFC 7301). */
export const alpnByProtocol: Readonly<Record<Protocol, string>> = { h1: 'http/1.1', h2: 'h2', h3: 'h3' };

const protocolByName: Readonly<Record<string, Protocol>> = {
  h1: 'h1',
  'http/1.0': 'h1',
  'http/1.1': 'h1',
  h2: 'h2',
  'http/2': 'h2',
  'http/2.0': 'h2',
  h3: 'h3',
  'http/3': 'h3',
  'http/3.0': 'h3',
};

/** Reads a protocol as browsers, HARs, servers and this project spell it; undefined for anything else (`unknown`, `data`). */
export function protocolOf(name: string | undefined): Protocol | undefined {
  return name === undefined ? undefined : ownEntry(protocolByName, name.toLowerCase());
}
