/** The algorithm behind a server's words for it: `New Reno (quic-go)` is `reno`. */
export function congestionKind(name: string): string {
  const lower = name.toLowerCase();
  const words = lower.split(/[^a-z0-9]+/);
  return ['reno', 'cubic', 'bbr'].find((kind) => words.includes(kind)) ?? lower;
}
