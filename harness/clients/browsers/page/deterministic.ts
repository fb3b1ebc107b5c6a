/**
 * Makes what scripts put into addresses the same in each load: the clock stands at `epochMs` and moves on by 1 ms every
 * `callsPerMs` readings only, so that loops that wait for time do end; random numbers come from a fixed seed.
 * `performance.now()` and timers stay as they are: they measure, and pages do not put them into addresses.
 */
export function makeDeterministic(epochMs: number): void {
  const callsPerMs = 50;
  let readings = 0;
  const now = (): number => epochMs + Math.floor(readings++ / callsPerMs);
  // Mulberry32 (Tommy Ettinger, public domain).
  let state = 0x9e3779b9;
  const random = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const NativeDate = Date;
  globalThis.Date = new Proxy(NativeDate, {
    construct: (target, args: [], newTarget) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget) as object,
    apply: () => new NativeDate(now()).toString(),
    get: (target, key) => (key === 'now' ? now : (Reflect.get(target, key) as unknown)),
  });
  NativeDate.prototype.constructor = globalThis.Date;
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
