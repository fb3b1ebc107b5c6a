import { textOfScript } from '../../../harness/clients/text-of-script.ts';
import { probes as allProbes } from '../../../harness/probes/registry.ts';
import { references } from '../../core/model/live-access.ts';
import type { Plan } from '../../core/model/plan.ts';
import { check } from './check.ts';

/** What a script calls, or reads (`process.env`, `const { env } = process`), for something that is to be seen by no one. */
const secretOfScript = /\bsecret\b|\benv\b|\bbeforeMeasured\b/;

/** The flag by which a plan gets secrets that open its pages; undefined where it has none. */
function sourceOfSecrets({ live = {}, script, urls, app }: Plan): string | undefined {
  const { headers = [], cookies, basicAuth, storageState, login } = live;
  if (urls.length === 0 && app === undefined) return undefined;
  if (headers.some((text) => text.search(references) >= 0)) return '--header';
  if (cookies !== undefined) return '--cookie';
  if (basicAuth !== undefined) return '--basic-auth';
  if (storageState !== undefined) return '--storage-state';
  if (login !== undefined) return '--login';
  if (script === undefined) return undefined;
  return secretOfScript.test(textOfScript(script.file)) ? '--script' : undefined;
}

/**
 * Some probes keep what the browser itself writes down of its requests: headers, cookies and answers as they went over the wire,
 * and with them the secrets that open a page.
 */
export const probesOfSecrets = check('probes-of-secrets', [], (plan) => {
  const keeping = allProbes.filter(
    ({ id, keepsTraffic }) => keepsTraffic === true && plan.probes.includes(id),
  );
  const source = keeping.length === 0 ? undefined : sourceOfSecrets(plan);
  if (source === undefined) return [];
  const isSingle = keeping.length === 1;
  return [
    {
      code: 'usage',
      reason: `the ${isSingle ? 'probe' : 'probes'} ${keeping.map(({ id }) => id).join(', ')} would keep the secrets that ${source} gives to the page`,
      next: `Leave ${isSingle ? 'it' : 'them'} out: the HAR has every request without its secrets. A recording of the site (npx h2h3 record) can be measured with any probe.`,
    },
  ];
});
