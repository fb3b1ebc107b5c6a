import { z } from 'zod';
import type { Factors } from './factor.ts';
import { armProtocolSchema } from './protocol.ts';

/** A new factor is an entry here, in `Factors`, and in `factorDefinitions`; whoever honours it says so under `factors`. */
export const factorsSchema = z.object({
  protocol: armProtocolSchema.optional(),
  client: z.string().optional(),
  url: z.string().optional(),
  server: z.string().optional(),
  congestion: z.string().optional(),
  proxy: z.string().optional(),
  network: z.string().optional(),
  offloads: z.string().optional(),
  mtu: z.string().optional(),
  tcpbuffers: z.string().optional(),
  cipher: z.string().optional(),
  tls: z.string().optional(),
  pacing: z.string().optional(),
  storage: z.string().optional(),
  cpu: z.string().optional(),
  prefers: z.string().optional(),
  processes: z.string().optional(),
  handover: z.string().optional(),
  rivals: z.string().optional(),
  resume: z.string().optional(),
  udp: z.string().optional(),
  flags: z.string().optional(),
  fault: z.string().optional(),
}) satisfies z.ZodType<Factors>;
