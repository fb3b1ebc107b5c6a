import { defineFactor } from './factor.ts';
import { oneOf } from './forms.ts';

/** Where the files of an origin lie. */
export const storage = defineFactor({
  id: 'storage',
  title: 'storage of the files',
  example: 'tmpfs, disk',
  unsetLabel: 'files where they were made',
  words: (text) => (text === 'tmpfs' ? 'files in memory' : 'files on disk'),
  form: oneOf('tmpfs', 'disk'),
  honouredBy: ['server'],
  setBy: 'copies in a tmpfs that the server alone sees',
  provenBy: 'the server’s mounts',
  readBack: 'testbed.server.storage',
});
