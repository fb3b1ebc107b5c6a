import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LostQuestions } from '../../../../harness/testbed/lost-questions.ts';

/** Which of the first questions for these names are lost, in the order of asking. */
function lostOf(lost: LostQuestions, visit: string, seed: number, hosts: readonly string[]): boolean[] {
  return hosts.flatMap((host) =>
    ['A', 'AAAA', 'HTTPS', 'A'].map((type) => lost.next({ seed, visit, host, type })),
  );
}

const hosts = Array.from({ length: 500 }, (_, index) => `host-${index}.test`);

test('the arms of a block lose the same questions, in whatever order they ask, and other blocks lose others', () => {
  const lost = new LostQuestions(10);
  const first = lostOf(lost, 'block-1.h2', 1, hosts);
  assert.deepEqual(lostOf(lost, 'block-1.h3', 1, hosts), first);
  assert.deepEqual(lostOf(new LostQuestions(10), 'block-1.h2', 1, hosts), first);
  const backwards = lostOf(new LostQuestions(10), 'block-1.h2', 1, hosts.toReversed());
  assert.equal(backwards.filter(Boolean).length, first.filter(Boolean).length);
  assert.notDeepEqual(lostOf(lost, 'block-2.h2', 2, hosts), first);
});

test('as many are lost as the share says, and a question that is asked again has a chance of its own', () => {
  for (const percent of [0, 10, 50, 100]) {
    const all = lostOf(new LostQuestions(percent), 'a', 7, hosts);
    const share = (100 * all.filter(Boolean).length) / all.length;
    // Four standard deviations of 2000 questions.
    const bound = 4 * Math.sqrt((percent * (100 - percent)) / all.length);
    assert.ok(Math.abs(share - percent) <= bound, `${share} %, not ${percent} %`);
  }
  const half = lostOf(new LostQuestions(50), 'a', 7, hosts);
  const again = half.filter((isLost, index) => index % 4 === 3 && isLost !== half[index - 3]).length;
  assert.ok(again > 150 && again < 350, `${again} of 500 names fare otherwise at the second question`);
});
