import { defineFactor } from './factor.ts';
import { oneOf } from './forms.ts';

/** Segmentation offloads at both ends of a link, all of them. */
export const offloads = defineFactor({
  id: 'offloads',
  title: 'segmentation offloads',
  example: 'on, off',
  unsetLabel: 'the network’s own segmentation offloads',
  form: oneOf('on', 'off'),
  honouredBy: ['link'],
  setBy: '`ethtool -K` at both ends: TSO, GSO, GRO, UDP GSO',
  provenBy: '`ethtool -k`; sizes by `--probe packets`',
  readBack: 'testbed.links.offloads',
});
