/** What programs of others see of a link. Nothing is imported here: the declarations of h2h3-link are made of it. */

/** A network by its figures, as typed; what is left out is not limited. */
export interface OwnNetwork {
  /** Rates towards the client and from it, such as `10mbit`. */
  readonly down?: string;
  readonly up?: string;
  /** Round trip, half of it each way, such as `80ms`. */
  readonly rtt?: string;
  /** Of packets each way, such as `1%`. */
  readonly loss?: string;
  /** A CSV file of times and figures, which both directions follow again and again. */
  readonly schedule?: string;
}

/** What a network may be set to while it is up, in each direction; what is left out is the network's own. */
export interface LinkChange {
  readonly rateMbps?: number;
  /** One way. */
  readonly delayMs?: number;
  readonly jitterMs?: number;
  readonly lossPercent?: number;
  /** Nothing passes. */
  readonly outage?: true;
}

/** A connection that crossed a network, in IP packets and bytes. */
export interface LinkConnection {
  /** Version of IP. */
  readonly family?: number | undefined;
  /** `tcp` or `udp`. */
  readonly transport: string;
  readonly clientPort: number;
  readonly serverPort: number;
  /** When its first packet came, ms after the beginning. */
  readonly firstMs?: number | undefined;
  /** From the client. */
  readonly upPackets: number;
  readonly upBytes: number;
  /** Towards it. */
  readonly downPackets: number;
  readonly downBytes: number;
}

/** What one look at a path measured. */
export interface LinkCheck {
  readonly direction: string;
  readonly quantity: string;
  readonly unit: string;
  /** Null where nothing is set. */
  readonly expected: number | null;
  readonly measured: number;
  readonly tolerance: number | null;
  readonly ok: boolean;
}

/** What is known of a network that is up. */
export interface LinkDescription {
  readonly id: string;
  /** What shapes it: `emulator`, `netem`, `link` for two devices of the kernel, `proxy`, `none`. */
  readonly backend: string;
  /** Its figures in words. */
  readonly description: string;
  /** Whether rate, delay, loss or queue are set. */
  readonly impaired: boolean;
  /** How it could be made: `root`, `user-namespace`, `sudo`, `none`. */
  readonly privilege: string;
  /** Largest IP packet; absent where the ends are not ours. */
  readonly mtuBytes?: number | undefined;
  /** Empty where the network was not checked. */
  readonly checks: readonly LinkCheck[];
  /** What bears on the figures. */
  readonly notes?: readonly string[] | undefined;
}
