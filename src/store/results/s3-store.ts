import type { S3Client } from '@aws-sdk/client-s3';
import { H2h3Error, messageOf } from '../../core/model/errors.ts';
import { shownAddress, userInformationOf } from '../../core/model/user-information.ts';
import { installCommand, isInstalled } from '../../core/system/optional-package.ts';
import { largestObjectBytes, type ResultsStore } from './results-store.ts';

type S3 = typeof import('@aws-sdk/client-s3');

const packageName = '@aws-sdk/client-s3';

async function loadClient(): Promise<S3> {
  try {
    return await import('@aws-sdk/client-s3');
  } catch (thrown) {
    throw new H2h3Error('unsupported', `a bucket needs the package ${packageName}: ${messageOf(thrown)}`, {
      cause: thrown,
      ...(isInstalled(packageName) ? {} : { next: `\`${installCommand(packageName)}\`` }),
    });
  }
}

/** Where a bucket is. */
interface BucketPlace {
  readonly bucket: string;
  /** Empty, or ending with `/`. */
  readonly prefix: string;
  readonly endpoint: string | undefined;
  readonly region: string;
}

/** @throws H2h3Error `usage` */
function bucketPlace(place: string): BucketPlace {
  const url = URL.canParse(place) ? new URL(place) : null;
  const endpoint = url?.searchParams.get('endpoint') ?? undefined;
  const unknown = [...(url?.searchParams.keys() ?? [])].find(
    (name) => !['endpoint', 'region'].includes(name),
  );
  const wrong =
    url === null || url.hostname === '' || unknown !== undefined || userInformationOf(place) !== '';
  if (
    wrong ||
    (endpoint !== undefined && (!/^https?:\/\//.test(endpoint) || userInformationOf(endpoint) !== ''))
  )
    throw new H2h3Error('usage', `not the place of a bucket: "${shownAddress(place)}"`, {
      context: {
        expected: 's3://bucket/prefix, with ?endpoint=https://host:port for stores other than Amazon’s',
      },
      next: 'Keys come from the environment (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY) or the profile.',
    });
  const prefix = url.pathname.replace(/^\/+|\/+$/g, '');
  const region = url.searchParams.get('region') ?? process.env['AWS_REGION'] ?? 'us-east-1';
  return { bucket: url.hostname, prefix: prefix === '' ? '' : `${prefix}/`, endpoint, region };
}

/**
 * A bucket of an S3-compatible store.
 *
 * @param place `s3://bucket/prefix?endpoint=https://host:port&region=name`
 * @throws H2h3Error `usage`, `unsupported` when it does not answer or cannot write an object once only
 */
export async function s3Store(place: string): Promise<ResultsStore> {
  const { bucket, prefix, endpoint, region } = bucketPlace(place);
  const module = await loadClient();
  const client = new module.S3Client({
    region,
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
  });
  const store = bucketStore(place, { module, client, bucket, prefix });
  await requireOnce(store, async (key) => {
    await client.send(new module.DeleteObjectCommand({ Bucket: bucket, Key: prefix + key }));
  });
  return store;
}

interface Bucket {
  readonly module: S3;
  readonly client: S3Client;
  readonly bucket: string;
  readonly prefix: string;
}

function bucketStore(place: string, { module, client, bucket, prefix }: Bucket): ResultsStore {
  const at = (key: string): { Bucket: string; Key: string } => ({ Bucket: bucket, Key: prefix + key });
  return {
    place,
    put: async (key, content, { ifAbsent = false } = {}) => {
      try {
        const bytes = Buffer.from(content);
        const body = { ...at(key), Body: bytes, ContentLength: bytes.length };
        await client.send(new module.PutObjectCommand(ifAbsent ? { ...body, IfNoneMatch: '*' } : body));
        return true;
      } catch (thrown) {
        if (ifAbsent && isTaken(thrown)) return false;
        throw new H2h3Error('storage', `cannot write ${key} to ${place}: ${messageOf(thrown)}`, {
          cause: thrown,
          next: 'Make room, or look at what this key may do; what was kept stays.',
        });
      }
    },
    get: async (key, maxBytes = largestObjectBytes) => {
      try {
        const { Body } = await client.send(new module.GetObjectCommand(at(key)));
        const what = `${place}: ${key}`;
        return Body === undefined
          ? null
          : await bounded(Body.transformToWebStream() as ReadableStream<Uint8Array>, maxBytes, what);
      } catch (thrown) {
        if (statusOf(thrown) === 404) return null;
        throw unreadable(thrown, key, place);
      }
    },
    list: async (below) => {
      const keys: string[] = [];
      const asked = { Bucket: bucket, Prefix: prefix + below };
      try {
        for await (const page of module.paginateListObjectsV2({ client }, asked))
          for (const { Key = '' } of page.Contents ?? [])
            if (Key.startsWith(prefix + below) && isPlainKey(Key.slice(prefix.length)))
              keys.push(Key.slice(prefix.length));
      } catch (thrown) {
        throw unreadable(thrown, below, place);
      }
      return keys;
    },
    close: () => client.destroy(),
  };
}

/** What the client says of a store that refuses, breaks off or answers something else, in a sentence of ours. */
function unreadable(thrown: unknown, key: string, place: string): H2h3Error {
  if (thrown instanceof H2h3Error) return thrown;
  const [reason = ''] = messageOf(thrown).split('\n');
  return new H2h3Error('storage', `cannot read ${key} from ${place}: ${reason}`, {
    cause: thrown,
    next: 'Look at the store, the connection, and what this key may read; what was kept stays.',
  });
}

/** What a store lists becomes names of files: one that leads up, or steers a terminal, is none that was put there. */
function isPlainKey(key: string): boolean {
  return key.split('/').every((part) => !/^\.{0,2}$|[\\\u0000-\u001f\u007f]/.test(part));
}

/** All of an object, whatever length its answer said it has. @throws H2h3Error `bad-input` for one that is too large */
async function bounded(
  stream: ReadableStream<Uint8Array>,
  maxBytes: number,
  what: string,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of stream) {
    bytes += part.length;
    if (bytes > maxBytes)
      throw new H2h3Error('bad-input', `${what} has more than ${maxBytes} bytes, which are not taken`);
    parts.push(part);
  }
  return Buffer.concat(parts, bytes);
}

function statusOf(thrown: unknown): number | undefined {
  const { $metadata: metadata } = thrown as { readonly $metadata?: { readonly httpStatusCode?: number } };
  return metadata?.httpStatusCode;
}

/** 412: it is there; 409: somebody is writing it at this moment. */
const isTaken = (thrown: unknown): boolean => [409, 412].includes(statusOf(thrown) ?? 0);

/** One name for all who try, so that those who may not remove it leave one object and not one each time. */
const probeKey = 'probe/written-once';

/** Leases rest on it that of several hosts one writes an object: older stores take no notice of the condition. */
async function requireOnce(store: ResultsStore, remove: (key: string) => Promise<void>): Promise<void> {
  let again = false;
  try {
    // One that is there already is left alone, which is what is to be shown.
    if (await store.put(probeKey, 'first', { ifAbsent: true })) {
      again = await store.put(probeKey, 'second', { ifAbsent: true });
      // A user who may only write and read can take part as well.
      await remove(probeKey).catch(() => undefined);
    }
  } catch (thrown) {
    store.close();
    throw new H2h3Error('unsupported', `${store.place} cannot be used: ${messageOf(thrown)}`, {
      cause: thrown,
      next: 'Look at the endpoint, the bucket and the keys (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY).',
    });
  }
  if (!again) return;
  store.close();
  throw new H2h3Error(
    'unsupported',
    `${store.place} writes over objects that it was asked to write only where there is none`,
    {
      next: 'Use a store that honours If-None-Match, or a folder that all machines see.',
    },
  );
}
