import type { RawTrial } from '../../core/model/raw-trial.ts';
import { invalid, type Finding } from './finding.ts';

/** Of names that are asked for, not of what they lead to. */
const domainPort = 53;

/** Everything must have gone over the version of IP that the arm sets (of both the client chooses), by the link's flows and by the server's log. */
export function familyFindings({
  testbed,
  linkFlows,
  serverLog,
  nameQuestions,
}: Pick<RawTrial, 'testbed' | 'linkFlows' | 'serverLog' | 'nameQuestions'>): readonly Finding[] {
  const set = testbed?.links[0]?.family;
  if (set === undefined) return [];
  if (set === 'both') return chosenFindings(nameQuestions ?? []);
  const wanted = Number(set);
  const flows = (linkFlows ?? []).flatMap(({ family, serverPort }) =>
    family === undefined || serverPort === domainPort ? [] : [{ family, serverPort }],
  );
  const requests = (serverLog ?? []).flatMap(({ family, path }) =>
    family === undefined ? [] : [{ family, path }],
  );
  if (flows.length + requests.length === 0)
    return [
      invalid('no-evidence', 'neither the link nor the server says over which version of IP the trial went'),
    ];
  const flow = flows.find(({ family }) => family !== wanted);
  if (flow !== undefined)
    return [
      invalid(
        'family-differs',
        `a connection to port ${flow.serverPort} went over IPv${flow.family}, not IPv${wanted}`,
      ),
    ];
  const request = requests.find(({ family }) => family !== wanted);
  if (request === undefined) return [];
  return [
    invalid(
      'family-differs',
      `${request.path} was asked for over IPv${request.family}, not IPv${wanted}, says the server’s log`,
    ),
  ];
}

/** A client chooses where it has learnt of an address of each version. */
function chosenFindings(questions: NonNullable<RawTrial['nameQuestions']>): readonly Finding[] {
  const lacking = ['A', 'AAAA'].find(
    (type) => !questions.some((asked) => asked.type === type && asked.found),
  );
  return lacking === undefined
    ? []
    : [invalid('family-differs', `the client asked the testbed’s resolver for no ${lacking} record`)];
}
