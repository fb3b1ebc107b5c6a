/** A setting of the whole machine that paths need, as a file of /proc/sys. */
export interface HeldSetting {
  readonly file: string;
  /** What it is set to. */
  readonly value: number;
  /** From here on it is left as it is. Default: `value`. */
  readonly enough?: number;
}

/** Only the administrator writes there, and it is empty after a start of the machine, as the settings are what they were. */
const heldDir = '/run/h2h3';

/**
 * Functions of a shell of the administrator's that set what is of the whole machine for as long as any path needs it:
 * `hold_settings`, and at the end `release_settings`. Each path has a shared lock of the group (flock(2)) until it ends,
 * however that happens, so the count of paths is the kernel's. Who finds itself the last puts the old values back, unless
 * somebody else has changed them meanwhile. Old values of paths that were killed are found by the next one. All looks and
 * changes are made under a second lock, one process at a time.
 *
 * Descriptors 8 and 9 are the shell's; no program that outlives the shell may inherit them.
 *
 * @param group name of what is held and released together; shell words are expanded in it
 */
export function heldSettings(group: string, settings: readonly HeldSetting[], directory = heldDir): string {
  const each = (line: (setting: HeldSetting & { readonly old: string }) => string): string =>
    settings
      .map((setting) => line({ ...setting, old: `"$h2h3_held/${setting.file.replaceAll('/', '.')}"` }))
      .join('\n');
  return `h2h3_held="${directory}/${group}"
hold_settings() {
  mkdir -p -m 700 "$h2h3_held"
  exec 8>> "$h2h3_held/gate" 9>> "$h2h3_held/paths"
  flock 8
  h2h3_alone=
  ! flock -n 9 || h2h3_alone=1
${each(
  ({ file, value, enough = value, old }) => `  h2h3_now=$(cat '${file}')
  [ -z "$h2h3_alone" ] || [ "$h2h3_now" = ${value} ] || rm -f ${old}
  if [ "$h2h3_now" -lt ${enough} ]; then
    [ -e ${old} ] || echo "$h2h3_now" > ${old}
    echo ${value} > '${file}'
  fi`,
)}
  flock -s 9
  flock -u 8
}
release_settings() {
  flock 8
  if flock -n 9; then
${each(
  ({ file, value, old }) => `    if [ -e ${old} ]; then
      [ "$(cat '${file}')" != ${value} ] || cat ${old} > '${file}'
      rm -f ${old}
    fi`,
)}
  fi
  exec 8>&- 9>&-
}`;
}
