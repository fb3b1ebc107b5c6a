import { markup } from '../markup.ts';
import { loadAssets, pageText, topBar } from '../page-shell.ts';

const styleFiles = ['base.css', 'top.css', 'tables.css', 'progress.css'] as const;

/** The page that shows how far a run is; its script asks only the server that sent it. */
export async function renderProgressPage(): Promise<string> {
  const assets = await loadAssets(styleFiles, 'progress.ts', { charts: false });
  const body = markup`${topBar(markup`<span id="run-name">a run</span>`, [
    ['#conditions', 'Conditions'],
    ['#hosts', 'Hosts'],
    ['#last', 'Last trials'],
  ])}
    <main id="main">
    <section class="hero" aria-labelledby="state">
    <p class="eyebrow" id="command"></p>
    <h1 id="state">Asking for the run …</h1>
    <div class="progress" id="progress" role="progressbar" aria-label="Trials done" aria-valuemin="0" aria-valuemax="0" aria-valuenow="0"><i class="done"></i><i class="lost"></i></div>
    <p class="facts" id="counts" role="status"></p>
    <p id="report-link"></p>
    <p class="note">Medians so far, no verdict. Judging before the end finds differences that are not there.</p>
    <noscript><p class="empty">This page needs script to follow the run.</p></noscript>
    </section>
    <section id="conditions" aria-labelledby="conditions-title"><h2 id="conditions-title">Conditions</h2>
    <div class="scroll" tabindex="0" role="region" aria-label="Table of conditions"><table class="plain"><thead id="condition-head"></thead><tbody id="condition-rows"></tbody></table></div></section>
    <section id="hosts" aria-labelledby="hosts-title" hidden><h2 id="hosts-title">Hosts</h2>
    <p class="facts" id="leases" role="status"></p>
    <div class="scroll" tabindex="0" role="region" aria-label="Table of hosts"><table class="plain"><thead><tr><th scope="col">Host</th><th scope="col">Leases</th><th scope="col">Trials</th><th scope="col">Newest (UTC)</th><th scope="col">Medians so far</th></tr></thead><tbody id="host-rows"></tbody></table></div>
    <ul id="lost-leases"></ul></section>
    <section id="last" aria-labelledby="last-title"><h2 id="last-title">Last trials</h2>
    <div class="scroll" tabindex="0" role="region" aria-label="Table of the last trials"><table class="plain"><thead><tr><th scope="col">Ended (UTC)</th><th scope="col">Workload</th><th scope="col">Arm</th><th scope="col">Block</th><th scope="col">Result</th></tr></thead><tbody id="last-rows"></tbody></table></div></section>
    </main>
    <footer><p>Served by h2h3 on this machine only. Ctrl-C in the terminal ends it.</p></footer>`;
  return pageText({ title: 'Run under way · h2h3', assets, body, policy: { ownServer: true } });
}
