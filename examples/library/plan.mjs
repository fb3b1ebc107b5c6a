// Says what a plan would do before anything runs: how many trials, how long, and whether it can decide.
// node plan.mjs [preset]
import { describe, plan } from 'h2h3';

const networks = await describe('networks');
console.log(
  `${networks.length} networks, such as ${networks
    .slice(0, 3)
    .map(({ id }) => id)
    .join(', ')}`,
);

const [, , preset = 'web'] = process.argv;
for (const repetitions of [6, 12, 24]) {
  const { plan: expanded, expectedMs, families } = await plan(preset, { repetitions, exploratory: true });
  const minutes = Math.ceil(expectedMs / 60_000);
  const canDecide = families.every((family) => family.canDecide);
  console.log(
    `${repetitions} blocks: ${expanded.trials.length} trials, about ${minutes} min, ${canDecide ? 'can decide' : 'can never decide'}`,
  );
}
