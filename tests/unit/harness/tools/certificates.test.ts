import assert from 'node:assert/strict';
import { X509Certificate, createHash } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import type { LeafForm } from '../../../../harness/tools/certificate-leaf.ts';
import { openCertificateStore, type CertificateStore } from '../../../../harness/tools/certificates.ts';
import { openToolCache } from '../../../../src/core/system/tool-cache.ts';
import { H2h3Error } from '../../../../src/core/model/errors.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { cpuMsOf } from '../../../support/cpu-time.ts';

const dayMs = 24 * 60 * 60_000;

async function leafOf(store: CertificateStore, host: string): Promise<X509Certificate> {
  return new X509Certificate(readFileSync((await store.filesFor(host)).certificateFile));
}

function spkiHashOf(leaf: X509Certificate): string {
  return createHash('sha256')
    .update(leaf.publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64');
}

test('each host gets a leaf for its name alone, and all leaves share one key', async (t) => {
  const store = await openCertificateStore({ cache: openToolCache(tempFolder(t)) });
  const leaves = [await leafOf(store, 'a.test'), await leafOf(store, 'b.test')] as const;
  assert.deepEqual(
    leaves.map(({ subjectAltName }) => subjectAltName),
    ['DNS:a.test', 'DNS:b.test'],
  );
  assert.equal(leaves[0].checkHost('b.test'), undefined);
  assert.deepEqual(leaves.map(spkiHashOf), [store.spkiHash, store.spkiHash]);
  assert.notEqual(leaves[0].serialNumber, leaves[1].serialNumber);
  assert.notEqual(leaves[0].subject, leaves[1].subject, 'no leaf looks like the issuer of another');
  assert.ok(leaves.every((leaf) => leaf.verify(leaf.publicKey)));
});

test('the private key can be read by its owner only', async (t) => {
  const store = await openCertificateStore({ cache: openToolCache(tempFolder(t)) });
  const { keyFile } = await store.filesFor('a.test');
  assert.equal(statSync(keyFile).mode & 0o777, 0o600);
});

test('a second opening uses the same key and the same leaves', async (t) => {
  const cache = openToolCache(tempFolder(t));
  const first = await openCertificateStore({ cache });
  const second = await openCertificateStore({ cache });
  assert.equal(second.spkiHash, first.spkiHash);
  assert.equal((await leafOf(second, 'a.test')).serialNumber, (await leafOf(first, 'a.test')).serialNumber);
});

test('a leaf that pages take by its hash lasts no longer than they may take it', async (t) => {
  const store = await openCertificateStore({ cache: openToolCache(tempFolder(t)) });
  const { certificateFile } = await store.filesFor('a.test', { shortLived: true });
  const short = new X509Certificate(readFileSync(certificateFile));
  const lastsDays = (Date.parse(short.validTo) - Date.parse(short.validFrom)) / dayMs;
  assert.ok(lastsDays <= 14 && lastsDays > 7, `${lastsDays} days`);
  assert.notEqual(short.serialNumber, (await leafOf(store, 'a.test')).serialNumber);
});

test('a leaf that is about to end, or is torn, is made anew', async (t) => {
  const cache = openToolCache(tempFolder(t));
  const old = await leafOf(await openCertificateStore({ cache }), 'a.test');
  const later = Date.now() + 85 * dayMs;
  const renewed = await leafOf(await openCertificateStore({ cache, now: () => later }), 'a.test');
  assert.ok(Date.parse(old.validTo) < later + 7 * dayMs);
  assert.ok(Date.parse(renewed.validTo) > later + 60 * dayMs);
  const store = await openCertificateStore({ cache });
  const { certificateFile } = await store.filesFor('b.test');
  writeFileSync(certificateFile, readFileSync(certificateFile).subarray(0, 100));
  assert.equal((await leafOf(await openCertificateStore({ cache }), 'b.test')).subjectAltName, 'DNS:b.test');
});

test('a name that is no host name is refused, so that no path can be made of it', async (t) => {
  const store = await openCertificateStore({ cache: openToolCache(tempFolder(t)) });
  for (const name of ['../key', 'a/b', '', 'a..b', 'x y'])
    await assert.rejects(
      () => store.filesFor(name),
      (error) => error instanceof H2h3Error && error.code === 'bad-input',
    );
});

test('hundreds of hosts cost a few milliseconds each, and next to nothing the second time', async (t) => {
  const cache = openToolCache(tempFolder(t));
  const hosts = Array.from({ length: 300 }, (_, index) => `h${index}.test`);
  const makingMs = async (): Promise<number> => {
    const store = await openCertificateStore({ cache });
    return cpuMsOf(() => Promise.all(hosts.map((host) => store.filesFor(host))));
  };
  const firstMs = await makingMs();
  const secondMs = await makingMs();
  assert.ok(firstMs < hosts.length * 15, `made in ${firstMs} ms of CPU time`);
  assert.ok(secondMs < firstMs / 2, `found in ${secondMs} ms, made in ${firstMs} ms of CPU time`);
});

test('a leaf has the length that is asked for, with either key, and stays what it is', async (t) => {
  const cache = openToolCache(tempFolder(t));
  const store = await openCertificateStore({ cache });
  const made = async (form: LeafForm): Promise<X509Certificate> =>
    new X509Certificate(readFileSync((await store.filesFor('a.test', form)).certificateFile));
  for (const keyType of ['ecdsa', 'rsa'] as const)
    for (const bytes of [1000, 1212, 5113, 9216, 40_960]) {
      const leaf = await made({ bytes, keyType });
      assert.ok(Math.abs(leaf.raw.length - bytes) <= 2, `${keyType}: ${leaf.raw.length} instead of ${bytes}`);
      assert.equal(leaf.publicKey.asymmetricKeyType, keyType === 'rsa' ? 'rsa' : 'ec');
      assert.equal(spkiHashOf(leaf), await store.spkiHashOf(keyType));
    }
  assert.notEqual(store.spkiHash, await store.spkiHashOf('rsa'));
  const again = await openCertificateStore({ cache });
  const { certificateFile } = await again.filesFor('a.test', { bytes: 5113 });
  assert.equal(
    new X509Certificate(readFileSync(certificateFile)).serialNumber,
    (await made({ bytes: 5113 })).serialNumber,
  );
  const names = Array.from({ length: 60 }, (_, index) => `host-${index}.of-a-long-name.test`);
  await assert.rejects(made({ bytes: 1000, names }), /a certificate of 1000 bytes cannot be made/);
});

test('what makes a leaf long compresses by a third, or not at all', async (t) => {
  const store = await openCertificateStore({ cache: openToolCache(tempFolder(t)) });
  const share = async (compressible: boolean): Promise<number> => {
    const { certificateFile } = await store.filesFor('a.test', { bytes: 16_384, compressible });
    const { raw } = new X509Certificate(readFileSync(certificateFile));
    return deflateSync(raw).length / raw.length;
  };
  assert.ok((await share(false)) > 0.98);
  assert.ok(Math.abs((await share(true)) - 2 / 3) < 0.03);
});

test('a leaf of the authority is for all names, and the authority signed it', async (t) => {
  const store = await openCertificateStore({ cache: openToolCache(tempFolder(t)) });
  const names = ['a.test', 'b.test'];
  const { certificateFile } = await store.filesFor('a.test', { names, byAuthority: true });
  const leaf = new X509Certificate(readFileSync(certificateFile));
  const authority = new X509Certificate(Buffer.from(await store.authority(), 'base64'));
  assert.equal(leaf.checkHost('b.test'), 'b.test');
  assert.ok(leaf.checkIssued(authority) && leaf.verify(authority.publicKey) && authority.ca);
  assert.equal(spkiHashOf(leaf), store.spkiHash, 'clients that know the key alone take it too');
});
