import type { core } from 'zod';
import { H2h3Error } from '../../core/model/errors.ts';
import { notifyFileSchema, type NotifyFile } from '../../core/model/notification.ts';
import { readYaml } from '../../plan/yaml-text.ts';
import { readInput } from '../../core/system/read-input.ts';

type ZodIssue = core.$ZodIssue;

/** Whom to tell, read before a night begins. @throws H2h3Error `bad-input` naming what is wrong, without the addresses */
export function readNotifyFile(file: string): NotifyFile {
  const { value } = readYaml(readInput(file, { what: 'notify targets' }).toString('utf8'), file);
  const parsed = notifyFileSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues
    .flatMap((issue) => plainIssues(issue))
    .map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new H2h3Error('bad-input', `${file} names no target to notify: ${lines.join('; ')}`, {
    context: { file, expected: 'notify: [{ webhook: ${VARIABLE}, format: slack }, { command: [program] }]' },
  });
}

/** Of what fits none of several forms, what is wrong with the nearest. */
function plainIssues(issue: ZodIssue): ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const forms = issue.errors.map((issues) => issues.flatMap((inner) => plainIssues(inner)));
  const nearest = forms.toSorted((a, b) => a.length - b.length)[0] ?? [];
  return nearest.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
}
