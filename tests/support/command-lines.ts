import { readdirSync, readFileSync } from 'node:fs';
import type { TestContext } from 'node:test';

const everyMs = 20;

/** Gathers the command lines of all processes that come and go from now on, as every user of the machine can read them. */
export function watchCommandLines(t: Pick<TestContext, 'after'>): ReadonlySet<string> {
  const seen = new Set<string>();
  const look = (): void => {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
      try {
        seen.add(readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' '));
      } catch {
        continue; // ended meanwhile
      }
  };
  look();
  const timer = setInterval(look, everyMs);
  t.after(() => clearInterval(timer));
  return seen;
}
