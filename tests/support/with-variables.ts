/** Does something in this process while it has these variables too. */
export async function withVariables<Result>(
  added: Readonly<Record<string, string>>,
  action: () => Promise<Result>,
): Promise<Result> {
  const before = Object.keys(added).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, added);
  try {
    return await action();
  } finally {
    for (const [name, value] of before)
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
  }
}
