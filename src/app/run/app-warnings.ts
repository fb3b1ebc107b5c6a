import { othersBlocked, othersLive } from '../../core/model/app-under-test.ts';
import type { Plan } from '../../core/model/plan.ts';

/** What a reader must know of an app's run. */
export function appRunWarnings({ app, live }: Plan): string[] {
  if (app === undefined) return [];
  const { thirdParties = othersBlocked, compress } = app;
  const others =
    thirdParties === othersBlocked
      ? 'requests to hosts that are none of the app’s were blocked'
      : thirdParties === othersLive
        ? 'hosts that are none of the app’s were asked themselves: their times and protocols are not ours'
        : `hosts that are none of the app’s were answered from the recording ${thirdParties}`;
  return [
    `${others} (--third-parties)`,
    ...(compress === true
      ? ['text that the app sent as it is was compressed on its way (--app-compress)']
      : []),
    ...(live?.server === undefined && app.builds === undefined
      ? [
          'the app was started by somebody else: it may use the CPUs of the browser (--server-command keeps it off them)',
        ]
      : []),
  ];
}
