import { z } from 'zod';
import { workloadKindSchema } from '../model/workload.ts';

const names = z.array(z.string().min(1)).min(1);

/**
 * A plan as people write it (YAML or JSON). Presets have the same form. Everything but `workloads`
 * or `urls` has a default; command-line flags override what the file says.
 */
export const planFileSchema = z
  .strictObject({
    name: z
      .string()
      .regex(/^[\w.-]+$/, 'a name of letters, digits, dot, dash, underscore')
      .default('custom'),
    title: z.string().optional(),
    workloads: z.array(z.string().min(1)).default([]),
    /** Live addresses, each a page workload. */
    urls: z.array(z.url({ protocol: /^https$/ })).default([]),
    /** `best` is the best Chromium-family browser found. */
    clients: names.default(['best']),
    networks: names.default(['loopback']),
    servers: names.default(['caddy']),
    /** `h1`, `h2`, `h3`, `auto`, or `client:protocol`; the first is the baseline, the second the candidate. */
    arms: names.default(['h2', 'h3']),
    repetitions: z.number().int().min(1).max(10_000).default(8),
    seed: z.number().int().min(0).max(0xffffffff).default(1),
    primary: z.partialRecord(workloadKindSchema, z.string()).default({}),
    pooled: z.partialRecord(workloadKindSchema, z.boolean()).default({}),
    margins: z.record(z.string(), z.number().positive()).default({}),
    probes: z.array(z.enum(['har', 'frames', 'cpu', 'lighthouse'])).default(['har', 'frames', 'cpu']),
    exploratory: z.boolean().default(false),
  })
  .refine((plan) => plan.workloads.length + plan.urls.length > 0, {
    message: 'a plan needs at least one entry under workloads or urls',
    path: ['workloads'],
  });

export type PlanFile = z.infer<typeof planFileSchema>;
/** What a preset or a command line gives: any part of a plan file. */
export type PlanFileInput = z.input<typeof planFileSchema>;
