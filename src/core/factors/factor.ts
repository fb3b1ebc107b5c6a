// Pages of reports use these files too, so they bring no schema library along.
import type { NetworkSpec } from '../model/network-spec.ts';
import type { ArmProtocol } from '../model/protocol.ts';
import type { Form } from './forms.ts';

/**
 * Who does what a factor says. `run`: the run itself, by what it lets take part. `link`: every link that is ours.
 * `sender`: the server and every proxy. `server`: the server alone. `player`: what plays the video of a page.
 */
export type Applier = 'run' | 'client' | 'link' | 'sender' | 'server' | 'player' | 'workload';

/** Protocols to which a factor is bound, and why it means nothing over any other. */
export interface BoundToProtocols {
  readonly protocols: readonly ArmProtocol[];
  /** A sentence without its full stop. */
  readonly why: string;
}

/** What others are given of a factor that need not act on it. */
export interface Hints<Value> {
  run?(value: Value): unknown;
  client?(value: Value): unknown;
  link?(value: Value): unknown;
  sender?(value: Value): unknown;
  server?(value: Value): unknown;
  player?(value: Value): unknown;
  workload?(value: Value): unknown;
}

/**
 * Something that can be set for a trial, in the file of its topic, and a line in the registry: plan files, `--set`, arms, labels,
 * `h2h3 describe factors`, docs/factors.md and the keys of testbeds and clients are made of it.
 */
export interface Factor<
  Id extends string = string,
  Value = unknown,
  By extends readonly Applier[] = readonly Applier[],
  Hinted extends Hints<Value> = Hints<Value>,
> {
  /** As arms and plan files write it. */
  readonly id: Id;
  /** For people, such as `congestion control`. */
  readonly title: string;
  /** Legal values that differ, apart at `, `. */
  readonly example: string;
  /** In words, what an arm has that leaves it open. Default: `no` and the title. */
  readonly unsetLabel?: string;
  /** Stands between an arm's protocol and the bare value, as `from` in `HTTP/3 from nginx`. Default: `with` and the title. */
  readonly preposition?: string;
  /** The value in words where it stands for itself. Default: as written. */
  words?(text: string): string;
  readonly form: Form<Value>;
  /** That its values may hold `+word=`. */
  readonly freeText?: true;
  /** The field of a plan file that lists its values for arms that leave it open; such a factor is not in `set`. */
  readonly ownField?: string;
  readonly appliedBy: By;
  /** Who of `appliedBy` must do so, where that depends on the value or on what the arm speaks. Absent: all of them. */
  appliersOf?(value: Value, protocol: ArmProtocol | undefined): readonly By[number][];
  readonly hints?: Hinted;
  /** What is said of a server or client that does not apply it, behind its name. Default: `does not know NAME`. */
  readonly unable?: string;
  /** Absent: it means something over any protocol. */
  readonly boundTo?: BoundToProtocols;
  /** That the ends of the client's link must be ours, without the link being set otherwise. */
  readonly needsOwnLink?: true;
  /**
   * Of a link factor: the link's figures as the value makes them, which emulator or netem then apply and the link's check
   * measures. Absent: the ends of the link are set.
   */
  shape?(value: Value, spec: NetworkSpec): NetworkSpec;
  /** Of a link factor: why a link of these figures cannot have the value, a clause; undefined where it can. Absent: each can. */
  incompatibility?(value: Value, spec: NetworkSpec): string | undefined;
  /** How it is done, for docs/factors.md. */
  readonly setBy: string;
  /** What shows that it was done, for docs/factors.md; where nothing does, the reason. */
  readonly provenBy: string;
  /** Where a trial's evidence has what was read back: a path in raw.json.gz; null where nothing is read back. */
  readonly readBack: string | null;
}

/** A factor, frozen, with the types of its parts kept. */
export function defineFactor<
  const Id extends string,
  Value,
  const By extends readonly Applier[],
  Hinted extends Hints<Value> = Readonly<Record<never, never>>,
>(factor: Factor<Id, Value, By, Hinted>): Factor<Id, Value, By, Hinted> {
  return Object.freeze(factor);
}
