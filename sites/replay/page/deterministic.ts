/**
 * Makes what scripts put into addresses the same in each load: the clock begins at `epochMs` and moves on by 50 ms with
 * every 25th reading only, as Web Page Replay has it, so that loops that wait for time do end; random numbers come from
 * a fixed seed. `performance.now()` and timers stay as they are: they measure, and pages do not put them into addresses.
 * Workers made of text that the page holds begin with this too; those of an address get it from their server.
 *
 * @param source a script that does all this
 */
export function makeDeterministic(epochMs: number, source: string): void {
  const stepMs = 50;
  const readingsPerStep = 25;
  let readings = 0;
  const now = (): number => epochMs + stepMs * Math.floor(readings++ / readingsPerStep);
  settleDate(now);
  settleIntl(now);
  settleTemporal(now);
  settleChance();
  settleWorkers(source);
}

function settleDate(clock: () => number): void {
  const NativeDate = Date;
  globalThis.Date = new Proxy(NativeDate, {
    construct: (target, args: [], newTarget) =>
      Reflect.construct(target, args.length === 0 ? [clock()] : args, newTarget) as object,
    apply: () => new NativeDate(clock()).toString(),
  });
  // An own property, as it was: a page may put a clock of its own in its place.
  NativeDate.now = clock;
  NativeDate.prototype.constructor = globalThis.Date;
}

/** A format without a date to format takes the present one; null is a date, of 1970. */
function settleIntl(clock: () => number): void {
  type Format = (date?: Date | number) => string;
  const { prototype } = Intl.DateTimeFormat;
  const format = Reflect.get(Object.getOwnPropertyDescriptor(prototype, 'format') ?? {}, 'get') as
    ((this: Intl.DateTimeFormat) => Format) | undefined;
  // The function of a format is one and the same each time.
  const known = new WeakMap<Format, Format>();
  if (format)
    Object.defineProperty(prototype, 'format', {
      configurable: true,
      get(this: Intl.DateTimeFormat) {
        const bound = format.call(this);
        const settled =
          known.get(bound) ?? ((date?: Date | number) => bound(date === undefined ? clock() : date));
        known.set(bound, settled);
        return settled;
      },
    });
  const formatToParts = Object.getOwnPropertyDescriptor(prototype, 'formatToParts')?.value as (
    this: Intl.DateTimeFormat,
    date?: Date | number,
  ) => Intl.DateTimeFormatPart[];
  prototype.formatToParts = function (this: Intl.DateTimeFormat, date?: Date | number) {
    return formatToParts.call(this, date === undefined ? clock() : date);
  };
}

function settleTemporal(clock: () => number): void {
  interface Instant {
    toZonedDateTimeISO(zone: string): Record<string, () => unknown>;
  }
  const temporal = (
    globalThis as unknown as {
      Temporal?: {
        Now: Record<string, unknown>;
        Instant: { fromEpochMilliseconds(ms: number): Instant };
      };
    }
  ).Temporal;
  if (temporal === undefined) return;
  const { Now, Instant } = temporal;
  const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
  const zoned = (zone?: string): ReturnType<Instant['toZonedDateTimeISO']> =>
    Instant.fromEpochMilliseconds(clock()).toZonedDateTimeISO(zone ?? ownZone());
  Now['instant'] = () => Instant.fromEpochMilliseconds(clock());
  Now['zonedDateTimeISO'] = zoned;
  Now['plainDateTimeISO'] = (zone?: string) => zoned(zone)['toPlainDateTime']?.();
  Now['plainDateISO'] = (zone?: string) => zoned(zone)['toPlainDate']?.();
  Now['plainTimeISO'] = (zone?: string) => zoned(zone)['toPlainTime']?.();
}

function settleChance(): void {
  // Mulberry32 (Tommy Ettinger, public domain).
  let state = 0x9e3779b9;
  const random = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  Math.random = random;
  const byte = (): number => Math.floor(random() * 256);
  if (typeof crypto === 'undefined') return;
  crypto.getRandomValues = <T extends ArrayBufferView | null>(array: T): T => {
    if (array === null) return array;
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    bytes.forEach((_, index) => (bytes[index] = byte()));
    return array;
  };
  crypto.randomUUID = (): `${string}-${string}-${string}-${string}-${string}` => {
    const bytes = Uint8Array.from({ length: 16 }, byte);
    // RFC 9562, 5.4: version 4, variant 10.
    bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
    bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
    const hex = [...bytes].map((value) => value.toString(16).padStart(2, '0')).join('');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  };
}

/** @param source what every worker begins with */
function settleWorkers(source: string): void {
  // Pages take such an address back as soon as the worker is made, so its content is remembered.
  const blobs = new Map<string, Blob>();
  if (typeof URL !== 'undefined' && 'createObjectURL' in URL) {
    const createObjectURL = URL.createObjectURL.bind(URL);
    URL.createObjectURL = (object: Blob | MediaSource): string => {
      const address = createObjectURL(object);
      if (object instanceof Blob) blobs.set(address, object);
      return address;
    };
  }
  const settled = (address: string | URL): string | URL => {
    const text = String(address);
    const blob = blobs.get(text);
    if (blob) return URL.createObjectURL(new Blob([source, blob], { type: blob.type }));
    const data = /^data:([^,]*?)(;base64)?,([^]*)$/i.exec(text);
    if (data === null) return address;
    const [, type = '', base64, content = ''] = data;
    const script = base64 === undefined ? decodeURIComponent(content) : atob(decodeURIComponent(content));
    return `data:${type},${encodeURIComponent(source + script)}`;
  };
  for (const name of ['Worker', 'SharedWorker'] as const) {
    const Native = (globalThis as Record<string, unknown>)[name] as typeof Worker | undefined;
    if (Native === undefined) continue;
    const wrapped = new Proxy(Native, {
      construct: (target, [address, ...rest]: [string | URL], newTarget) =>
        Reflect.construct(target, [settled(address), ...rest], newTarget) as object,
    });
    Object.defineProperty(globalThis, name, { value: wrapped, configurable: true, writable: true });
  }
}
