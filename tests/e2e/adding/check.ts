import { trialCheck } from '../../../src/app/preflight/trial-check.ts';

export const added = trialCheck('added-check', [], ({ factors }) =>
  factors.mtu === '1300'
    ? { reason: 'no path of this laboratory has an MTU of 1300', next: 'Take 1400.' }
    : undefined,
);
