/** Words and lines of text that need nothing of a run, so that what only prints help stays small. */
export { wrap } from '../../reports/terminal/terminal-text.ts';
export { plural } from '../../reports/format/numbers.ts';
