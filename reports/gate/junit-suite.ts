import { attribute } from '../junit/xml-text.ts';

/** `skipped`: it is not decided. */
export type JunitOutcome = 'passed' | 'failure' | 'skipped';

export interface JunitCase {
  readonly className: string;
  readonly name: string;
  readonly outcome: JunitOutcome;
  readonly sentence: string;
}

export interface JunitSuite {
  readonly name: string;
  readonly cases: readonly JunitCase[];
  /** Why the run itself does not count; undefined where it does. */
  readonly failure: string | undefined;
}

function caseXml({ className, name, outcome, sentence }: JunitCase): string {
  // Dots would part a class name.
  const suite = className.replaceAll('.', '\u2024');
  const open = `    <testcase classname="${attribute(suite)}" name="${attribute(name)}">`;
  const inside =
    outcome === 'passed'
      ? `<system-out>${attribute(sentence)}</system-out>`
      : `<${outcome} message="${attribute(sentence)}"/>`;
  return `${open}\n      ${inside}\n    </testcase>`;
}

function runCase(failure: string | undefined): string {
  const open = '    <testcase classname="run" name="enough valid trials"';
  return failure === undefined
    ? `${open}/>`
    : `${open}>\n      <error message="${attribute(failure)}"/>\n    </testcase>`;
}

/** JUnit XML of one suite: its cases, and one for the run. */
export function junitSuite({ name, cases, failure }: JunitSuite): string {
  const count = (outcome: JunitOutcome): number =>
    cases.filter((junitCase) => junitCase.outcome === outcome).length;
  const title = attribute(name);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${title}">`,
    `  <testsuite name="${title}" tests="${cases.length + 1}" failures="${count('failure')}" errors="${failure === undefined ? 0 : 1}" skipped="${count('skipped')}">`,
    runCase(failure),
    ...cases.map(caseXml),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}
