/** Whether a window would be seen: systems other than Linux have one desktop, on Linux variables name it. */
export function hasDisplay(
  environment: Readonly<Record<string, string | undefined>> = process.env,
  platform: NodeJS.Platform = process.platform,
): boolean {
  if (platform !== 'linux') return true;
  return [environment['DISPLAY'], environment['WAYLAND_DISPLAY']].some((name = '') => name !== '');
}
