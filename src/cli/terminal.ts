type Environment = Readonly<Record<string, string | undefined>>;

/** Whether a terminal understands what moves and erases; a dumb one shows such codes as text. */
export function canRewrite(stream: Pick<NodeJS.WriteStream, 'isTTY'>, environment: Environment): boolean {
  return stream.isTTY && environment['TERM'] !== 'dumb';
}

/** Whether colours are wanted: on a terminal that has them, unless `NO_COLOR` (https://no-color.org) says otherwise. */
export function wantsColour(stream: Pick<NodeJS.WriteStream, 'isTTY'>, environment: Environment): boolean {
  return canRewrite(stream, environment) && (environment['NO_COLOR'] ?? '') === '';
}
