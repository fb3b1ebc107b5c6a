import type { Metric } from './metric.ts';

export const messageSetupMs: Metric = {
  name: 'messageSetupMs',
  title: 'set-up of the session',
  meaning: 'From opening the WebSocket or WebTransport session until messages may be sent.',
  unit: 'ms',
  form: 'ratio',
  margin: 0.05,
  higherIsBetter: false,
  kinds: ['messages'],
  onDeadline: 'missing',
  formulas: {
    messages: ({ session: { setupStartMs, readyMs } }) => readyMs - setupStartMs,
  },
};
