#!/bin/bash
# The step of action.yml that measures: a gate between two versions, two addresses or two builds of an app. Reads the inputs of action.yml as
# variables; writes `verdict`, `report` and `code` to GITHUB_OUTPUT and ends well, so that comment and report follow.
# H2H3 replaces the command, for trying it out.
set -uo pipefail
report="${RUNNER_TEMP:?}/h2h3-gate"
verdict=failed

finish() {
  {
    echo "verdict=$verdict"
    echo "report=$report"
    echo "code=$1"
  } >>"$GITHUB_OUTPUT"
  exit 0
}

# A tarball or a checkout by its path or address, or a version of the package.
version=${VERSION:-latest}
case "$version" in
*://*) package=$version ;;
*) if [ -e "$version" ]; then package=$(realpath "$version"); else package="h2h3@$version"; fi ;;
esac
h2h3=(npx --yes "--package=$package" -- h2h3)
[ -z "${H2H3:-}" ] || read -ra h2h3 <<<"$H2H3"
# Where npx installs nothing it ends with 1, which would say that the candidate is worse.
if ! "${h2h3[@]}" --version; then
  echo "::error::h2h3 could not be installed from $package. The input version takes a version, a tarball or a folder."
  finish 3
fi

options=(--out "$report")
add() { [ -z "$2" ] || options+=("$1" "$2"); }
add_lines() { while IFS= read -r line; do add "$1" "$line"; done <<<"$2"; }
add_switch() { [ "$2" != true ] || options+=("$1"); }
add --network "${NETWORK:-}"
add --budget "${BUDGET:-}"
judging=()
[ "${ALLOW_UNDECIDED:-}" != true ] || judging+=(--allow-undecided)

add_pages_options() {
  add --login "${LOGIN:-}"
  add --script "${SCRIPT:-}"
  add_lines --header "${HEADERS:-}"
  add_lines --block "${BLOCK:-}"
}

kind=versions
case "${BASELINE:-}" in http://* | https://*) kind=addresses ;; esac
[ -z "${BASELINE_COMMAND:-}${CANDIDATE_COMMAND:-}" ] || kind=builds

if [ "$kind" != addresses ] && { [ -n "${CA:-}" ] || [ "${INSECURE:-}" = true ]; }; then
  echo "::error::ca and insecure are for addresses, which speak TLS themselves."
  finish 2
fi
if [ "$kind" = versions ] && [ -n "${LOGIN:-}${SCRIPT:-}${HEADERS:-}${BLOCK:-}${PAGES:-}" ]; then
  echo "::error::headers, login, block, script and pages are for addresses and builds. Between two versions a plan file says them: preset."
  finish 2
fi
if [ "$kind" = addresses ] && [ -n "${PAGES:-}" ]; then
  echo "::error::pages is for builds. The addresses name their pages themselves."
  finish 2
fi

case "$kind" in
addresses)
  add --ca "${CA:-}"
  add_pages_options
  add_switch --insecure "${INSECURE:-}"
  "${h2h3[@]}" run ${PRESET:+"$PRESET"} --arm "h3+url=$BASELINE" --arm "h3+url=$CANDIDATE" "${options[@]}"
  code=$?
  # 4: trials were lost, and what is left may still be judged.
  if [ "$code" -eq 0 ] || [ "$code" -eq 4 ]; then
    "${h2h3[@]}" gate "$report" ${judging[@]+"${judging[@]}"}
    code=$?
  fi
  ;;
*)
  if [ "$kind" = builds ]; then
    add --baseline-command "${BASELINE_COMMAND:-}"
    add --candidate-command "${CANDIDATE_COMMAND:-}"
    add_lines --page "${PAGES:-}"
    add_pages_options
  fi
  add --baseline "${BASELINE:-}"
  add --candidate "${CANDIDATE:-}"
  add --preset "${PRESET:-}"
  "${h2h3[@]}" gate "${options[@]}" ${judging[@]+"${judging[@]}"}
  code=$?
  ;;
esac
if [ -f "$report/gate.json" ]; then
  verdict=$(node --print 'JSON.parse(require("node:fs").readFileSync(process.argv[1], "utf8")).outcome' "$report/gate.json")
fi
finish "$code"
