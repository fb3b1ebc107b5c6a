import { z } from 'zod';
import { connectionStartSchema } from '../../src/core/model/connection-start.ts';
import { networkDescriptionSchema, realLinkSchema } from '../../src/core/model/environment.ts';
import { linkQueueSchema } from '../../src/core/model/link-queue.ts';
import { networkSpecSchema } from '../../src/core/model/network-spec.ts';
import { pathCheckDepths } from '../../src/core/model/path-check-depth.ts';
import { linkFlowSchema } from '../../src/core/model/raw-trial.ts';
import { linkCourseSchema } from '../../src/core/model/schedule.ts';
import { toldFaultSchema } from './told-fault.ts';

/** What is asked of a machine on which clients run about the emulated networks before its link. */

const maxNames = 100;
const maxListed = 200_000;
const nothing = z.strictObject({});
const name = z.string().min(1).max(300);

/** Of a network that was started, by its order. */
const networkNumber = z.int().nonnegative();
const ofNetwork = z.strictObject({ network: networkNumber });

/** Typed values of factors, which the network's own code judges. */
const settings = z.record(z.string(), z.unknown());
const custom = z.array(networkSpecSchema).max(maxNames);

/** Every such request by its name: what is asked, and what comes back. */
export const networkCalls = {
  /** Looks whether networks can be had; a text each for those that cannot. */
  lackingNetworks: {
    asks: z.strictObject({
      names: z.array(name).max(maxNames),
      custom,
      settings: z.array(settings).max(1_000),
      builds: z.boolean(),
    }),
    answers: z.strictObject({
      lacking: z.array(z.strictObject({ name, ...toldFaultSchema.shape })).max(maxNames),
    }),
  },
  /** Starts one that leads on to the machine at the address, and checks it with the link, which does these figures by itself. */
  startNetwork: {
    asks: z.strictObject({
      name,
      custom,
      hosts: z.array(z.string().min(1).max(253)).max(10_000),
      tcpCongestionControl: z.string().max(100).nullable(),
      settings: settings.optional(),
      joinsMarked: z.boolean(),
      checkDepth: z.enum(pathCheckDepths),
      behind: z.strictObject({
        machine: name,
        figures: realLinkSchema,
        address: z.ipv4(),
        port: z.int().min(1).max(65_535),
        token: z.string().regex(/^[0-9a-f]{32}$/),
      }),
    }),
    answers: z.strictObject({
      network: networkNumber,
      description: networkDescriptionSchema,
      /** Of what each trial is told. */
      tells: z.strictObject({ starts: z.boolean(), queue: z.boolean(), course: z.boolean() }),
      /** Time in which a slow transfer of nothing, and of a gigabyte, is done, ms; it grows evenly. */
      transferMs: z.tuple([z.number().nonnegative(), z.number().nonnegative()]),
    }),
  },
  /** What it has counted, and what it has seen since its last start signal. */
  networkCounts: {
    asks: ofNetwork,
    answers: z.strictObject({
      counters: z.record(name, z.number()),
      flows: z.array(linkFlowSchema).max(maxListed).nullable(),
      starts: z.array(connectionStartSchema).max(maxListed).optional(),
      queue: linkQueueSchema.optional(),
      course: linkCourseSchema.optional(),
    }),
  },
  stopNetwork: { asks: ofNetwork, answers: nothing },
} as const;
