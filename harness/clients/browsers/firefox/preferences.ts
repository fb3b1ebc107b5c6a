import type { Device } from '../../../../src/core/model/device.ts';
import type { ArmProtocol } from '../../../../src/core/model/protocol.ts';
import { bytesPerMegabyte } from '../../../../src/core/model/units.ts';
import { nameServiceOf, type ClientLaunchOptions } from '../../client-driver.ts';

export type Preferences = Readonly<Record<string, boolean | number | string>>;

type PreferenceOptions = Pick<
  ClientLaunchOptions,
  'protocol' | 'hosts' | 'server' | 'mediaBufferMegabytes' | 'replay' | 'device' | 'factors' | 'authority'
>;

/**
 * Everything by which Firefox would ask for something that the page did not ask for. Preconnecting and
 * prefetching stay as shipped: pages ask for them, and users have them.
 * Firefox's own remote agent sets most of its automation preferences too; these stand here so that a
 * version that stops doing so changes nothing.
 */
const quiet: Preferences = {
  'app.normandy.enabled': false,
  'app.update.disabledForTesting': true,
  'browser.contentblocking.report.lockwise.enabled': false,
  'browser.discovery.enabled': false,
  'browser.ml.enable': false,
  'browser.newtabpage.activity-stream.feeds.section.topstories': false,
  'browser.newtabpage.activity-stream.feeds.topsites': false,
  'browser.newtabpage.activity-stream.testing.shouldInitializeFeeds': false,
  'browser.newtabpage.enabled': false,
  'browser.newtab.preload': false,
  'browser.pagethumbnails.capturing_disabled': true,
  'browser.places.speculativeConnect.enabled': false,
  'browser.region.network.url': '',
  'browser.region.update.enabled': false,
  'browser.safebrowsing.blockedURIs.enabled': false,
  'browser.safebrowsing.downloads.enabled': false,
  'browser.safebrowsing.malware.enabled': false,
  'browser.safebrowsing.phishing.enabled': false,
  'browser.safebrowsing.provider.google4.updateURL': '',
  'browser.safebrowsing.provider.mozilla.updateURL': '',
  'browser.search.update': false,
  'browser.topsites.contile.enabled': false,
  'browser.translations.enable': false,
  'browser.urlbar.merino.endpointURL': '',
  'browser.urlbar.speculativeConnect.enabled': false,
  'browser.urlbar.suggest.searches': false,
  'datareporting.healthreport.uploadEnabled': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'datareporting.usage.uploadEnabled': false,
  'dom.push.connection.enabled': false,
  'extensions.getAddons.cache.enabled': false,
  'extensions.systemAddon.update.enabled': false,
  'extensions.update.enabled': false,
  'geo.enabled': false,
  'media.gmp-manager.updateEnabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'network.proxy.type': 0,
  'network.trr.mode': 5,
  'privacy.trackingprotection.enabled': false,
  'security.OCSP.enabled': 0,
  'security.remote_settings.crlite_filters.enabled': false,
  'security.remote_settings.intermediates.enabled': false,
  'services.settings.server': 'data:,#remote-settings-dummy/v1',
  'signon.autofillForms': false,
  'toolkit.telemetry.enabled': false,
  'toolkit.telemetry.server': '',
  'toolkit.telemetry.unified': false,
};

/** No first-run page, no question, no icon of the site, one window and one tab; nothing is throttled or killed. */
const behaviour: Preferences = {
  'browser.aboutwelcome.enabled': false,
  'browser.chrome.site_icons': false,
  'browser.sessionstore.resume_from_crash': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.shell.shortcutFavicons': false,
  'browser.startup.homepage': 'about:blank',
  'browser.startup.homepage_override.mstone': 'ignore',
  'browser.startup.page': 0,
  'browser.tabs.unloadOnLowMemory': false,
  'browser.tabs.warnOnClose': false,
  'browser.warnOnQuit': false,
  // 1: what asks for a new window gets the tab itself, so nothing is loaded where it would not be recorded.
  'browser.link.open_newwindow': 1,
  'datareporting.policy.dataSubmissionPolicyBypassNotification': true,
  'dom.disable_open_during_load': true,
  'dom.ipc.reportProcessHangs': false,
  'dom.max_script_run_time': 0,
  'startup.homepage_welcome_url': 'about:blank',
  'termsofuse.bypassNotification': true,
  'toolkit.cosmeticAnimations.enabled': false,
  'toolkit.startup.max_resumed_crashes': -1,
  // Timestamps of the Performance API as fine as they are taken; by default Firefox rounds them to 1 ms.
  'privacy.reduceTimerPrecision': false,
};

const media: Preferences = {
  'media.autoplay.blocking_policy': 0,
  'media.autoplay.default': 0,
  'media.autoplay.block-webaudio': false,
  'media.block-autoplay-until-in-foreground': false,
  'media.volume_scale': '0.0',
  'media.suspend-background-video.enabled': false,
};

/**
 * Every arm but `auto` leaves one protocol only. What else would decide in Firefox: the connection over TCP that
 * it begins when QUIC has not connected after 100 ms (`backup_timer_delay`, in netwerk's `nsHttpTransaction`),
 * the retry over TCP after a QUIC error (`fallback_to_h2_on_error`), HTTPS records of DNS, and Happy Eyeballs.
 */
const withoutRaces: Preferences = {
  'network.dns.upgrade_with_https_rr': false,
  'network.dns.use_https_rr_as_altsvc': false,
  'network.dns.native_https_query': false,
  'network.http.happy_eyeballs_enabled': false,
};

const withoutQuic: Preferences = { ...withoutRaces, 'network.http.http3.enable': false };

export const protocolPreferences: Readonly<Record<ArmProtocol, Preferences>> = {
  h1: { ...withoutQuic, 'network.http.http2.enabled': false },
  h2: withoutQuic,
  h3: {
    ...withoutRaces,
    'network.http.http3.enable': true,
    'network.http.http3.disable_when_third_party_roots_found': false,
    'network.http.http3.parallel_fallback_conn_limit': 0,
    'network.http.http3.backup_timer_delay': 0,
    'network.http.http3.fallback_to_h2_on_error': false,
    'network.dns.httpssvc.http3_fast_fallback_timeout': 0,
  },
  // An own certificate counts as a third party's root, which would switch HTTP/3 off.
  auto: { 'network.http.http3.disable_when_third_party_roots_found': false },
};

const withoutPriorities: Preferences = {
  'network.http.http3.priority': false,
  'network.http.priority_header.enabled': false,
  'network.http.http2.priority_updates': false,
};

/** All preferences of a trial's profile. */
export function firefoxPreferences(options: PreferenceOptions): Preferences {
  return {
    ...quiet,
    ...behaviour,
    ...media,
    ...protocolPreferences[options.protocol],
    ...namePreferences(options),
    ...handshakePreferences(options.factors ?? {}),
    ...ecnPreferences(options.factors?.ecn),
    ...(options.server && options.replay ? forcedPort(options.server.port, options.replay.ports) : {}),
    ...(options.replay === undefined ? {} : contained),
    ...(options.device === undefined ? {} : devicePreferences(options.device)),
    ...Object.fromEntries((options.factors?.prefers ?? []).map(mediaFeature)),
    ...(options.factors?.priorities === 'none' ? withoutPriorities : {}),
    ...(options.protocol === 'h3' ? { [altSvcMapping]: altSvcMappings(options).join(',') } : {}),
    ...(options.mediaBufferMegabytes > 0 ? mediaBuffer(options.mediaBufferMegabytes) : {}),
    ...Object.fromEntries((options.factors?.flags ?? []).map(preferenceOf)),
  };
}

/** `name=value` as Firefox knows it: a boolean, a whole number, or text. */
function preferenceOf(flag: string): [string, boolean | number | string] {
  const cut = flag.indexOf('=');
  const name = flag.slice(0, cut);
  const text = flag.slice(cut + 1);
  if (text === 'true' || text === 'false') return [name, text === 'true'];
  return [name, /^-?\d+$/.test(text) ? Number(text) : text];
}

/** WebRTC is a way out of the page past names and proxies; proxies are of no use where this machine's own names pass them by. */
const contained: Preferences = {
  'media.peerconnection.enabled': false,
  'network.proxy.allow_hijacking_localhost': true,
  'network.proxy.failover_direct': false,
};

/** As of a touch screen: events, what scripts ask of it, and a coarse pointer that cannot hover (nsLookAndFeel). */
const touchScreen: Preferences = {
  'dom.w3c_touch_events.enabled': 1,
  'dom.w3c_touch_events.legacy_apis.enabled': true,
  'dom.maxtouchpoints.testing.value': 1,
  'ui.primaryPointerCapabilities': 1,
  'ui.allPointerCapabilities': 1,
};

function devicePreferences({ touch, userAgent }: Device): Preferences {
  return {
    ...(touch ? touchScreen : {}),
    ...(userAgent === undefined ? {} : { 'general.useragent.override': userAgent }),
  };
}

/** How Firefox is told what the user prefers; content follows these whatever the desktop's own theme is. */
function mediaFeature({ name, value }: { readonly name: string; readonly value: string }): [string, number] {
  return name === 'prefers-color-scheme'
    ? ['layout.css.prefers-color-scheme.content-override', value === 'dark' ? 0 : 1]
    : ['ui.prefersReducedMotion', value === 'reduce' ? 1 : 0];
}

const httpsPort = 443;
export const altSvcMapping = 'network.http.http3.alt-svc-mapping-for-testing';

/** Firefox takes `host;h3=:port` as an alternative service known from the start, so the first request is HTTP/3 already. */
function altSvcMappings(options: PreferenceOptions): string[] {
  return options.hosts.map((host) => {
    const { hostname, port } = new URL(`https://${host}`);
    return `${hostname};h3=:${options.server?.port ?? (port === '' ? httpsPort : port)}`;
  });
}

function namePreferences(options: PreferenceOptions): Preferences {
  const nameService = nameServiceOf(options);
  if (nameService !== undefined) return askedPreferences(nameService, options.factors?.family === 'both');
  return options.server === null ? {} : resolverPreferences(options.server.address, options.authority);
}

/** Names are asked for by DNS over HTTPS and nowhere else, from the first one on. */
function askedPreferences(nameService: string, hasBoth: boolean): Preferences {
  const address = new URL(nameService).hostname.replaceAll(/[[\]]/g, '');
  return {
    'network.trr.mode': 3,
    'network.trr.uri': nameService,
    'network.trr.bootstrapAddr': address,
    'network.trr.confirmationNS': 'skip',
    'network.trr.allow-rfc1918': true,
    'network.trr.excluded-domains': '',
    'network.dns.disableIPv6': !hasBoth && !address.includes(':'),
  };
}

/**
 * Every name leads to the server, so that no request of anyone can leave the machine. Hosts that are resolved so share no
 * connection: where they may, the hosts file of the client's namespace has the names, and no other resolver is in it.
 */
function resolverPreferences(address: string, authority: string | undefined): Preferences {
  return {
    ...(authority === undefined ? { 'network.dns.forceResolve': address } : {}),
    'network.dns.disableIPv6': !address.includes(':'),
  };
}

const certificateCompressions: Preferences = Object.fromEntries(
  ['zlib', 'brotli', 'zstd'].flatMap((way) => [
    [`security.tls.enable_certificate_compression_${way}`, false],
    [`network.http.http3.enable_certificate_compression_${way}`, false],
  ]),
);

/** What it offers no longer in its first flight. */
function handshakePreferences({
  keyexchange,
  certificatecompression,
}: NonNullable<PreferenceOptions['factors']>): Preferences {
  return {
    ...(keyexchange === 'x25519'
      ? { 'security.tls.enable_kyber': false, 'network.http.http3.enable_kyber': false }
      : {}),
    ...(certificatecompression === 'off' ? certificateCompressions : {}),
  };
}

/** Whether its QUIC sends ECN-capable packets, and tells the server of marks. */
function ecnPreferences(ecn: NonNullable<PreferenceOptions['factors']>['ecn']): Preferences {
  if (ecn === undefined) return {};
  return { 'network.http.http3.ecn_mark': ecn === 'on', 'network.http.http3.ecn_report': ecn === 'on' };
}

/** Recorded pages name the ports of the recorded servers; each leads to this one. */
function forcedPort(port: number, recorded: readonly number[]): Preferences {
  return { 'network.socket.forcePort': recorded.map((from) => `${from}=${port}`).join(';') };
}

/** Firefox counts this threshold in bytes, in a signed 32-bit preference. */
function mediaBuffer(megabytes: number): Preferences {
  const bytes = Math.min(megabytes * bytesPerMegabyte, 2 ** 31 - 1);
  return {
    'media.mediasource.eviction_threshold.video': bytes,
    'media.mediasource.eviction_threshold.audio': bytes,
  };
}
