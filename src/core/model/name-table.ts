import { z } from 'zod';

const titlesSchema = z.record(z.string(), z.string());

/** Names by id, for documents that hold neither the workloads nor the environment of their run. */
export const nameTableSchema = z.object({
  workloads: titlesSchema,
  clients: titlesSchema,
  networks: titlesSchema,
  servers: titlesSchema,
  /** What each client is a version of; absent in older documents. */
  products: titlesSchema.optional(),
});
export type NameTable = z.infer<typeof nameTableSchema>;
