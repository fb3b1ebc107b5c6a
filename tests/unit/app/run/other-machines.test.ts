import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FarHost } from '../../../../harness/hosts/far-host.ts';
import { anyLost, isOfMoment } from '../../../../src/app/run/other-machines.ts';
import { H2h3Error } from '../../../../src/core/model/errors.ts';

const hostOf = (lost?: H2h3Error): FarHost => ({ lost: () => lost }) as unknown as FarHost;

test('what was not reached, or answered by nothing that is an answer, is tried again, and all else stays so', () => {
  const lost = new H2h3Error('process-failed', 'the connection to far was lost: exit code 255');
  const lie = new H2h3Error('bad-input', 'far gave an answer to "keys" that is none');
  const lack = new H2h3Error('unsupported', 'on far: nginx is not there');
  assert.equal(anyLost([hostOf(), hostOf(lost)]), lost);
  assert.equal(anyLost([hostOf()]), undefined);
  assert.ok(isOfMoment([hostOf(), hostOf(lost)], lack));
  assert.ok(isOfMoment([hostOf()], lie));
  assert.ok(!isOfMoment([hostOf()], lack));
  assert.ok(!isOfMoment([], lie), 'of one machine alone');
});
