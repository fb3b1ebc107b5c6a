import type { OwnAbrRule } from '../../../video/abr/abr-rule.ts';

export const added: OwnAbrRule = {
  id: 'added',
  title: 'the middle of the ladder, always',
  source: 'a test',
  kind: 'ours',
  decide: ({ bitratesKbps }) => ({ index: bitratesKbps.length >> 1, why: 'the middle' }),
};
