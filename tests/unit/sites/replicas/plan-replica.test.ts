import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toleranceBytes } from '../../../../sites/replicas/object-size.ts';
import { planReplica, type ReplicaPlan } from '../../../../sites/replicas/plan-replica.ts';
import { shippedShapes } from '../../../../sites/replicas/shipped-shapes.ts';

/** Rows that are asked for when every object ends as soon as it is asked for. */
function reachedRows(plan: ReplicaPlan): ReadonlySet<number> {
  const done = new Set<number>([plan.document]);
  let openWave = 0;
  for (let before = -1; before !== done.size;) {
    before = done.size;
    for (const object of plan.objects) {
      if (object.wave > openWave || (object.cause !== null && !done.has(object.cause))) continue;
      done.add(object.row);
      const triggers = plan.waves[openWave]?.triggers ?? [];
      if (triggers.length > 0 && triggers.every((row) => done.has(row))) openWave += 1;
    }
  }
  return done;
}

test('a hundred shapes ship, and every object of each is reached', () => {
  const shapes = shippedShapes();
  assert.equal(shapes.length, 100);
  for (const shape of shapes) {
    const plan = planReplica(shape);
    assert.equal(plan.objects.length, shape.requests.length, shape.site);
    assert.equal(reachedRows(plan).size, plan.objects.length, `${shape.site}: every object is reached`);
  }
});

test('objects keep host, type and size of their request', () => {
  for (const shape of shippedShapes()) {
    for (const object of planReplica(shape).objects) {
      const request = shape.requests[object.row];
      assert.ok(request);
      assert.equal(object.type, request.type);
      assert.equal(object.host, request.host);
      if (request.wireBytes !== null && request.wireBytes > 0) {
        const missBytes = Math.abs(object.wireBytes - request.wireBytes);
        assert.ok(missBytes <= toleranceBytes(request.wireBytes), `${shape.site} row ${object.row}`);
      }
    }
  }
});

test('a cause comes before its object, and a wave ends with an object that holds the load event', () => {
  for (const shape of shippedShapes()) {
    const plan = planReplica(shape);
    for (const object of plan.objects) {
      const cause = object.cause === null ? undefined : plan.objects[object.cause];
      assert.ok(object.cause === plan.document || cause === undefined || cause.row < object.row);
      assert.ok(cause === undefined || cause.wave <= object.wave, `${shape.site} row ${object.row}`);
    }
    plan.waves.forEach(({ rows, triggers }, index) => {
      assert.equal(triggers.length === 0, index === plan.waves.length - 1);
      for (const trigger of triggers) {
        assert.ok(rows.includes(trigger));
        const means = plan.objects[trigger]?.means ?? '';
        assert.ok(['tag', 'element'].includes(means), `${shape.site}: ${means}`);
      }
    });
  }
});

test('recorded initiators are kept', () => {
  const shape = shippedShapes().find(({ site }) => site === 'cnn.com');
  assert.ok(shape);
  const plan = planReplica(shape);
  const known = shape.requests.flatMap(({ initiator }, row) =>
    initiator !== null && initiator > plan.document ? [[row, initiator] as const] : [],
  );
  const kept = known.filter(([row, initiator]) => plan.objects[row]?.cause === initiator);
  assert.ok(known.length > 100 && kept.length / known.length > 0.95, `${kept.length} of ${known.length}`);
});
