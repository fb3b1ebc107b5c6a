import { defineFactor } from './factor.ts';
import { wholeNumberIn } from './forms.ts';

const minPercent = 5;
const maxPercent = 99_999;

/** A share of one CPU for all processes of the client together; more than 100 % is of several. */
export const cpu = defineFactor({
  id: 'cpu',
  title: 'CPU share',
  example: '50%, 25%',
  unsetLabel: 'whole CPUs',
  form: {
    words: `a share of one CPU from ${minPercent}% on, such as 50%`,
    read: (text) => {
      const percent = wholeNumberIn(text, '%');
      if (percent === undefined || percent < minPercent || percent > maxPercent) return undefined;
      return { percent };
    },
    write: ({ percent }: { readonly percent: number }) => `${percent}%`,
  },
  honouredBy: ['client'],
  setBy: 'a control group’s quota, period 20 ms',
  provenBy: 'the quota, and the time without a CPU',
  readBack: 'cpuShare.quotaMs',
});
