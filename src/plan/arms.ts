import { H2h3Error } from '../model/errors.ts';
import type { Arm } from '../model/plan.ts';
import { armProtocolSchema } from '../model/protocol.ts';

function parseArm(text: string): Omit<Arm, 'label'> {
  const cut = text.lastIndexOf(':');
  const client = cut > 0 ? text.slice(0, cut) : undefined;
  const protocol = armProtocolSchema.safeParse(cut > 0 ? text.slice(cut + 1) : text);
  if (!protocol.success) {
    throw new H2h3Error('usage', `unknown arm "${text}"`, {
      context: { expected: 'h1, h2, h3, auto, or client:protocol such as chromium@148:h3', got: text },
    });
  }
  return client === undefined ? { protocol: protocol.data } : { protocol: protocol.data, client };
}

/**
 * Arms from their written form. A repeated arm (an A/A comparison) is labelled `h2`, `h2#2`.
 *
 * @throws H2h3Error `usage` for an unknown protocol, or when only some arms name a client.
 */
export function parseArms(texts: readonly string[]): Arm[] {
  const seen = new Map<string, number>();
  const arms = texts.map((text) => {
    const count = (seen.get(text) ?? 0) + 1;
    seen.set(text, count);
    return { label: count === 1 ? text : `${text}#${count}`, ...parseArm(text) };
  });
  const named = arms.filter((arm) => arm.client !== undefined).length;
  if (named !== 0 && named !== arms.length) {
    throw new H2h3Error('usage', `either every arm names a client or none does, got "${texts.join(',')}"`);
  }
  return arms;
}
