/** What to do about a user's script that failed for this reason. */
export function nextOfScript(why: string): string {
  const name = /the variable (\S+) is not set/.exec(why)?.[1];
  return name === undefined
    ? 'Run with --headed to watch it.'
    : `Set it for this command: ${name}=… npx h2h3 …`;
}
