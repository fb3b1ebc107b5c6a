import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { projectDir } from './support/cli.ts';
import { loadReaders } from './fuzz/readers.ts';

const fuzzed = new Set((await loadReaders()).flatMap(({ reader }) => reader.modules));

/** Modules that parse something and meet no mutated input, with the reason. */
const others: Readonly<Record<string, string>> = {
  'src/app/api/call.ts': 'answers of its own process',
  'src/app/api/serve-call.ts': 'a call of its own process',
  'src/app/playwright/path-link.ts': 'answers of its own process',
  'src/app/version.ts': 'a file of the package',
  'src/app/site/add-site.ts': 'a file of the checkout',
  'harness/clients/text-of-script.ts': 'looks for words in a script',
  'src/app/run/environment-of-run.ts': 'a file of the package',
  'src/app/findings/measure-standing.ts': 'finds its own marks in a text, by one pattern',
  'src/app/senders/measured-request.ts': 'by way of src/store/read-document.ts',
  'src/app/senders/senders-page.ts': 'by way of src/store/read-document.ts',
  'src/app/studies/studies-page.ts': 'any fault means that the page is not its own',
  'src/app/explain/time-lines.ts': 'by way of src/core/model/transport-series.ts',
  'src/core/system/processes/reaper.ts': 'requests of its own process',
  'src/core/system/program-digest.ts':
    'what it kept in the cache; any fault means that it is worked out again',
  'src/core/system/optional-package.ts': 'a file of an installed package',
  'src/core/model/bounded-json.ts': 'by way of whoever reads JSON',
  'src/core/system/read-input.ts': 'reads bytes and parses nothing',
  'harness/network/crosstraffic-client.ts': 'lines of a program of its own',
  'harness/network/probe-path.ts': 'lines of a program of its own',
  'harness/network/emulator-process.ts': 'lines of a program of its own',
  'harness/network/local-ports.ts': 'a line of a program of its own',
  'harness/probes/qlog-records.ts': 'by way of whoever reads a qlog',
  'harness/probes/trace.ts': 'by way of harness/probes/networking-tasks.ts',
  'harness/bench/uninstrumented-browser.ts': 'what its own browser says of itself',
  'harness/clients/browsers/chromium/read-timelines.ts': 'what a script of its own says of the page',
  'harness/clients/browsers/firefox/read-timelines.ts': 'what a script of its own says of the page',
  'harness/clients/browsers/webkit/webkit-session.ts': 'what a script of its own says of the page',
  'harness/clients/browsers/chromium/session.ts': 'what a script of its own says of the page',
  'harness/clients/browsers/chromium/cdp-relay.ts': 'messages of the browser, relayed',
  'harness/clients/browsers/firefox/firefox-session.ts': 'what a script of its own says of the page',
  'harness/clients/browsers/firefox/bidi-relay.ts': 'messages of the browser, relayed',
  'harness/clients/browsers/firefox/frame-capture.ts': 'what a script of its own says of the page',
  'harness/clients/browsers/embedded-chromium.ts': 'a file of an installed package',
  'harness/clients/log-in/log-in.ts': 'the answer of its own process',
  'harness/clients/log-in/log-in-program.ts': 'an order of its own process',
  'harness/clients/har-software.ts': 'a file of the package',
  'harness/clients/journey/playwright-part.ts': 'messages of Playwright’s own server',
  'harness/clients/journey/look-at-failure.ts': 'what a script of its own says of the page',
  'harness/clients/journey/run-journey.ts': 'what a script of its own says of the page',
  'harness/clients/commands/begin-again-program.ts': 'an order of its own process',
  'harness/hosts/far-agent.ts': 'requests by schemas that tests/fuzz/readers/hosts.ts tries',
  'harness/hosts/network-before.ts': 'a line of a program of its own',
  'harness/hosts/program-files.ts': 'a file of an installed package',
  'harness/hosts/sent-settings.ts': 'its own copy of a value',
  'harness/servers/origin-probe.ts': 'a certificate that Node’s TLS has read',
  'harness/servers/origin-processes.ts': 'lines of a program of its own',
  'harness/network/name-servers.ts': 'the answer of a program of its own',
  'harness/servers/server-kit.ts': 'the configuration that Caddy made of its own',
  'harness/testbed/resolver.ts': 'lines of a program of its own',
  'harness/testbed/resolver-program.ts': 'settings of its own process',
  'harness/trial/worker.ts': 'orders of its own process',
  'harness/trial/worker-process.ts': 'messages of its own process',
  'harness/tools/certificates.ts': 'a certificate that it made in the cache',
  'harness/tools/versions/npm-bundle.ts': 'a lock file of the package',
  'harness/tools/wheel.ts': 'has a pinned digest, or the one that the index states',
  'video/encode-ladder.ts': 'hands a path to an ffmpeg of its own',
  'video/encoder/vmaf.ts': 'the log of an ffmpeg that it ran',
  'sites/app/serve-app.ts': 'an order of its own process',
  'sites/pages/page-workload.ts': 'a file that it made in the cache',
  'sites/replicas/replica-workload.ts': 'a file that it made in the cache',
  'sites/replicas/shape-lines.ts': 'a file of the package',
  'sites/replicas/machine-speed.ts': 'any fault means that it is measured anew',
  'sites/record/proxy-process.ts': 'lines of a program of its own',
  'src/app/plan/journey-script.ts': 'reads the bytes of a script, which Node parses',
  'src/app/pack/reproduce.ts': 'compares two plans that are read already',
  'src/app/run/access-before-journey.ts': 'looks for a word in a script',
};

const parses =
  /\b(?:JSON\.parse|parseForeignJson|jsonOf|qlogRecordOf|readInput|readYaml|readDocument|zipEntries|gunzipSync|new X509Certificate)\(/;

test('whatever parses what comes from elsewhere is fuzzed, or says why not', () => {
  const sources = globSync('{src,harness,sites,video}/**/*.ts', { cwd: projectDir }).filter(
    (file) =>
      !/(^|\/)page\/|^reports\/html\/client\//.test(file) &&
      parses.test(readFileSync(join(projectDir, file), 'utf8')),
  );
  assert.deepEqual(
    sources.filter((file) => !fuzzed.has(file) && others[file] === undefined),
    [],
    'add a reader in tests/fuzz/readers, or the reason here',
  );
  const known = [...Object.keys(others), ...fuzzed];
  assert.deepEqual(
    known.filter((file) => !existsSync(join(projectDir, file))),
    [],
  );
  assert.deepEqual(
    Object.keys(others).filter((file) => !sources.includes(file)),
    [],
    'these parse nothing any more',
  );
});
