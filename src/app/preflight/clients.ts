import type { ClientIdentity } from '../../../harness/clients/client.ts';
import type { H2h3Error } from '../../core/model/errors.ts';

/** Clients by the names the plan uses; one that cannot be had stays an error, and its trials become `unsupported`. */
export type Clients = ReadonlyMap<string, ClientIdentity | H2h3Error>;
