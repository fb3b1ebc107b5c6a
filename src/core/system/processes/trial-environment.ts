type Variables = Readonly<Record<string, string | undefined>>;

/**
 * By these programs go through a proxy, in upper and lower case (`npm_config_` before them is npm's own way). HTTP/2 would, HTTP/3
 * cannot, and the comparison would be one of two ways.
 */
const namesProxy =
  /^(?:(?:npm_config_)?(?:https?|ftp|all|socks|no)_?|npm_config_|auto_?)proxy$|^socks_server$/i;

/** Who runs it, where its files are, its language and time, the desktop, and where its own libraries and fonts are. */
const ofClients = [
  'PATH HOME USER LOGNAME SHELL LANG LANGUAGE TZ TMPDIR TEMP TMP',
  'DISPLAY WAYLAND_DISPLAY XAUTHORITY DBUS_SESSION_BUS_ADDRESS LD_LIBRARY_PATH SSL_CERT_FILE SSL_CERT_DIR',
  'SystemRoot SystemDrive windir ComSpec PATHEXT USERPROFILE APPDATA LOCALAPPDATA ProgramData ProgramFiles',
].flatMap((names) => names.toUpperCase().split(' '));
const ofClientsByBeginning = /^(?:LC|XDG|FONTCONFIG|DYLD|H2H3)_/;

/** The variables without those that name a proxy: for what a user brings into a trial, such as a server or a script. */
export function directEnvironment(variables: Variables = process.env): Record<string, string> {
  return picked(variables, (name) => !namesProxy.test(name));
}

/** Those of the variables that a client of a trial is given: none that changes how it loads. */
export function clientEnvironment(variables: Variables = process.env): Record<string, string> {
  return picked(
    variables,
    (name) => ofClients.includes(name.toUpperCase()) || ofClientsByBeginning.test(name),
  );
}

function picked(variables: Variables, isKept: (name: string) => boolean): Record<string, string> {
  return Object.fromEntries(
    Object.entries(variables).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && isKept(entry[0]),
    ),
  );
}

/** The first variable that names a proxy for https. */
export function proxyVariable(variables: Variables = process.env): string | undefined {
  const names = ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'];
  return names.find((name) => (variables[name] ?? '') !== '');
}
