import { driverOf } from '../../../harness/clients/drivers.ts';
import { valuesOf } from '../../core/factors/values.ts';
import { armCheck } from './arm-check.ts';
import { familyOf } from './client-family.ts';

/** The flags that an arm sets must have the form that its client takes. */
export const clientFlags = armCheck('client-flags', ['clients'], ({ arm, client, factors }, { clients }) => {
  const family = familyOf(client, clients);
  const { flags = [] } = valuesOf(factors);
  if (family === undefined) return [];
  const { pattern, example } = driverOf(family).flagForm;
  const wrong = flags.filter((flag) => !pattern.test(flag));
  return wrong.map((flag) => ({
    code: 'usage',
    reason: `arm "${arm}": "${flag}" is no flag of ${client}`,
    context: { expected: `words such as ${example}`, got: flag },
  }));
});
