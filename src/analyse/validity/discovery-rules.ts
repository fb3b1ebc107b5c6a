import type { RawTrial } from '../../core/model/raw-trial.ts';
import { invalid, type Finding } from './finding.ts';

/** A client that is to find HTTP/3 by itself must have asked our resolver, and for the record where there is one. */
export function discoveryFindings({ discovery }: Pick<RawTrial, 'discovery'>): readonly Finding[] {
  if (discovery === undefined || discovery.way === 'forced') return [];
  const { way, questions } = discovery;
  if (questions.length === 0)
    return [
      invalid(
        'discovery-differs',
        'the client asked the testbed’s resolver nothing: its names were resolved otherwise',
      ),
    ];
  const records = questions.filter(({ type, found }) => type === 'HTTPS' && found);
  if (way === 'https-record' && records.length === 0)
    return [invalid('discovery-differs', 'the client asked the testbed’s resolver for no HTTPS record')];
  if (way === 'alt-svc' && records.length > 0)
    return [
      invalid(
        'discovery-differs',
        `the testbed’s resolver gave an HTTPS record of ${records[0]?.name} in an arm without`,
      ),
    ];
  return [];
}

/** Of a trial that failed it is said how many of its questions the testbed’s resolver left without an answer. */
export function withLostQuestions(
  finding: Finding,
  { discovery, nameQuestions }: Pick<RawTrial, 'discovery' | 'nameQuestions'>,
): Finding {
  const questions = discovery?.questions ?? nameQuestions ?? [];
  const lost = questions.filter(({ lost: isLost }) => isLost === true).length;
  if (lost === 0 || finding.status !== 'failed') return finding;
  const said = `${lost} of ${questions.length} questions about names got no answer, as the arm sets it`;
  return { ...finding, reason: `${finding.reason}; ${said}` };
}
