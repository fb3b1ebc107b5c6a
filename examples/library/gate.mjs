// Judges a run that was made, as a script of a team might: with its own margin, and its own words.
// node gate.mjs <folder of a run>
import { analyse, gate, H2h3Error } from 'h2h3';

const [, , path = 'results/latest'] = process.argv;
try {
  const { summary } = await analyse(path);
  const judged = await gate(path, { margin: 0.05 });
  console.log(`${summary.trials.ok} valid trials: ${judged.gate.outcome}`);
  process.exitCode = judged.exitCode;
} catch (thrown) {
  if (!(thrown instanceof H2h3Error)) throw thrown;
  console.error(`${thrown.code}: ${thrown.message}. ${thrown.next ?? ''}`);
  process.exitCode = 2;
}
