/** One turn of the work that a replica's scripts do: text is parsed, sorted and put together. Its result is to be laid out. */
export function scriptTurn(turn: number): string {
  const words = JSON.parse('[' + ('"' + turn + '",').repeat(99) + '0]') as unknown[];
  return words.sort().join(' ');
}
