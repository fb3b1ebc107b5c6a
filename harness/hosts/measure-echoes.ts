/**
 * Measures small packets there and back as a program, because it runs in the namespace of a client.
 * Usage: node measure-echoes.ts ADDRESS PORT TOKEN; prints a line of JSON.
 */
import { messageOf } from '../../src/core/model/errors.ts';
import { measureEchoes } from './link-measurement.ts';

if (import.meta.main) {
  const [address = '', port = '', token = ''] = process.argv.slice(2);
  try {
    process.stdout.write(`${JSON.stringify(await measureEchoes({ address, port: Number(port), token }))}\n`);
  } catch (thrown) {
    process.stderr.write(`${messageOf(thrown)}\n`);
    process.exit(1);
  }
}
