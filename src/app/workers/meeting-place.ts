import { H2h3Error } from '../../core/model/errors.ts';
import type { AppContext } from '../app-context.ts';
import { givenAddress } from '../plan/given-address.ts';
import { referredTo } from '../plan/live-access.ts';

/** Where hosts that share a run meet. */
export interface MeetingPlace {
  /** Address of Redis or Valkey; its password as `${NAME}` or `${file:PATH}`. */
  readonly workers: string;
  /** Folder that all hosts see, or bucket (`s3://bucket/prefix`). */
  readonly results: string;
}

/** The place with what its references name, and what its hosts know one another by. */
export interface KnownPlace extends MeetingPlace {
  /** Signs plans. */
  readonly key: string;
}

/** The key itself, or the file that has it as its one line: arguments can be read by every user of a machine. */
const keyName = 'H2H3_WORKERS_KEY';
const keyFileName = 'H2H3_WORKERS_KEY_FILE';
/** Of 16 random bytes in hexadecimal. */
const minKeyCharacters = 32;

/** @throws H2h3Error `usage` where a password is written in an address, or there is no key */
export function meetingPlaceOf(
  { workers, results }: MeetingPlace,
  { environment }: Pick<AppContext, 'environment'>,
): KnownPlace {
  const redis = 'redis://:${QUEUE_PASSWORD}@lab:6379';
  const bucket = 's3://bucket/prefix';
  return {
    workers: givenAddress('the address of the queue', workers, { environment, like: redis }),
    results: givenAddress('--results', results, { environment, like: bucket }),
    key: signingKeyOf(environment),
  };
}

/** @throws H2h3Error `usage` */
function signingKeyOf(environment: AppContext['environment']): string {
  const file = environment[keyFileName] ?? '';
  const key =
    file === '' ? (environment[keyName] ?? '') : referredTo(`file:${file}`, environment, 'a shared run');
  if (key.length >= minKeyCharacters) return key;
  throw new H2h3Error(
    'usage',
    key === ''
      ? 'a run that machines share needs a key, by which workers know the plan of their coordinator'
      : `the key of a shared run has at least ${minKeyCharacters} characters, got ${key.length}`,
    {
      next: `Make one, and give it to coordinator and workers: export ${keyName}=$(openssl rand -hex 32), or ${keyFileName}=FILE.`,
    },
  );
}
