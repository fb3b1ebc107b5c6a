#!/bin/bash
# The step of action.yml that measures: a gate between two versions, or between two addresses. Reads BASELINE, CANDIDATE, PRESET,
# NETWORK, BUDGET and VERSION; writes `verdict`, `report` and `code` to GITHUB_OUTPUT and ends well, so that comment and report
# follow. H2H3 replaces the command, for trying it out.
set -uo pipefail
report="${RUNNER_TEMP:?}/h2h3-gate"
read -ra h2h3 <<<"${H2H3:-npx --yes h2h3@${VERSION:-latest}}"
options=(--out "$report")
[ -z "${NETWORK:-}" ] || options+=(--network "$NETWORK")
[ -z "${BUDGET:-}" ] || options+=(--budget "$BUDGET")
case "$BASELINE" in
http://* | https://*)
  "${h2h3[@]}" run --arm "h3+url=$BASELINE" --arm "h3+url=$CANDIDATE" "${options[@]}"
  code=$?
  # 4: trials were lost, and what is left may still be judged.
  if [ "$code" -eq 0 ] || [ "$code" -eq 4 ]; then
    "${h2h3[@]}" gate "$report"
    code=$?
  fi
  ;;
*)
  [ -z "${PRESET:-}" ] || options+=(--preset "$PRESET")
  "${h2h3[@]}" gate --baseline "$BASELINE" --candidate "$CANDIDATE" "${options[@]}"
  code=$?
  ;;
esac
verdict=undecided
if [ -f "$report/gate.json" ]; then
  verdict=$(node --print 'JSON.parse(require("node:fs").readFileSync(process.argv[1], "utf8")).outcome' "$report/gate.json")
fi
{
  echo "verdict=$verdict"
  echo "report=$report"
  echo "code=$code"
} >>"$GITHUB_OUTPUT"
