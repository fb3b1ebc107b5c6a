import { H2h3Error } from '../../core/model/errors.ts';
import { shardSchema, type Shard } from '../../core/model/shard.ts';

/** `--shard 2/3`. @throws H2h3Error `usage` */
export function parseShard(text: string): Shard {
  const [, index, count] = /^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? [];
  const shard = shardSchema.safeParse({ index: Number(index), count: Number(count) });
  if (shard.success) return shard.data;
  throw new H2h3Error('usage', `--shard wants its number and that of all shards, such as 2/3, got "${text}"`);
}
