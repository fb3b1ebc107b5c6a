import { candidateNameOfLabel } from '../../core/factors/arm-name.ts';
import { isDiagnosisOf, type Diagnosis } from '../../core/model/diagnosis.ts';
import type { GateComparison } from '../../core/model/gate.ts';
import type { Plan } from '../../core/model/plan.ts';

/** What got worse comes from this, a sentence a place: its parts in ms, and the causes that were named. */
export function reasonsOf(
  diagnosis: readonly Diagnosis[],
  worse: readonly GateComparison[],
  titleOf: (comparison: GateComparison) => string,
): string[] {
  const seen = new Set<Diagnosis>();
  return worse.flatMap((comparison) => {
    const found = diagnosis.find((other) => isDiagnosisOf(other, comparison));
    if (found === undefined || seen.has(found)) return [];
    seen.add(found);
    return [`${titleOf(comparison)}, ${candidateNameOfLabel(comparison.candidateArm)}: ${sentence(found)}`];
  });
}

function sentence({ differenceMs, parts, unexplainedMs, causes = [] }: Diagnosis): string {
  const split = [
    ...parts.map(({ cause, ms }) => `${cause} ${signed(ms)}`),
    `unexplained ${signed(unexplainedMs)}`,
  ].join(', ');
  const named = causes.map(({ title, evidence }) => `${title} (${evidence})`).join(', ');
  return `of ${signed(differenceMs)} ms: ${split}${named === '' ? '' : `, because ${named}`}.`;
}

function signed(ms: number): string {
  return `${ms < 0 ? '−' : '+'}${Math.abs(ms).toFixed(Math.abs(ms) < 10 ? 1 : 0)}`;
}

/** A version such as `chromium@148`. */
const versionPattern = /^(?<name>.+)@(?<major>\d+)$/;

/** The run that halves the versions in which a browser became worse; null where there is none between, or no version. */
export function bisectingRun({ arms, command }: Plan): string | null {
  const clients = [...new Set(arms.flatMap(({ factors }) => factors.client ?? []))];
  const [before, after] = clients.map((client) => versionPattern.exec(client)?.groups);
  if (clients.length !== 2 || before === undefined || after === undefined) return null;
  const first = Number(before['major']);
  const last = Number(after['major']);
  const middle = Math.floor((first + last) / 2);
  if (before['name'] !== after['name'] || middle === first || middle === last) return null;
  const between = `${before['name']}@${middle}`;
  const next =
    withClient(command, `${clients[1]}`, between) ??
    `h2h3 gate --baseline ${clients[0]} --candidate ${between}`;
  return `${next}   (worse too: the change is between ${clients[0]} and ${between}, else between ${between} and ${clients[1]})`;
}

/** The same run with one client for another, in a folder of its own; null where its command does not name the client. */
function withClient(command: string, client: string, other: string): string | null {
  const named = new RegExp(`(?<![\\w.@-])${RegExp.escape(client)}(?![\\w.])`, 'g');
  if (!named.test(command)) return null;
  const next = command.replaceAll(named, other).replace(/ --out \S+/, '');
  return /^h2h3 gate /.test(next) ? next : `${next} && h2h3 gate results/latest`;
}
