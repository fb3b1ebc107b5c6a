#!/bin/bash
# The step of action.yml that measures: a gate between two versions, two addresses or two builds of an app. Reads the inputs of action.yml as
# variables; writes `verdict`, `report` and `code` to GITHUB_OUTPUT and ends well, so that comment and report follow.
# H2H3 replaces the command, for trying it out.
set -uo pipefail
# A folder of its own for each use of the action in a job: what an earlier one left would be its verdict.
report=$(mktemp -d "${RUNNER_TEMP:?}/h2h3-gate-XXXXXX")
verdict=failed

finish() {
  {
    echo "verdict=$verdict"
    echo "report=$report"
    echo "artifact=${report##*/}"
    echo "code=$1"
  } >>"$GITHUB_OUTPUT"
  exit 0
}

refuse() {
  echo "::error::$1"
  finish 2
}

# Inputs may come from names of branches and pull requests, which anybody chooses: none of them becomes an option, a setting of an
# arm, or a command to the runner, which takes lines of the log that begin with two colons.
for name in BASELINE CANDIDATE BASELINE_COMMAND CANDIDATE_COMMAND PRESET NETWORK BUDGET CA LOGIN SCRIPT VERSION; do
  value=${!name:-}
  # A block of YAML ends with a line break.
  value=${value%$'\n'}
  printf -v "$name" '%s' "$value"
  case "$value" in
  -*) refuse "The input of $name begins with a hyphen, as options do. Write a file ./-NAME." ;;
  *[$'\n\r']*) refuse "The input of $name has more than one line." ;;
  esac
done
for name in BASELINE CANDIDATE; do
  if [[ ${!name:-} =~ ^https?:.*\+[a-z]+= ]]; then
    refuse "The address of $name has a + before a name and =, which would be a setting of its arm. Write %20 or %2B for the +."
  fi
done

while IFS= read -r page; do
  case "${page%$'\r'}" in
  *$'\r'*) refuse "A line of PAGES has a line break in it." ;;
  '' | /*) ;;
  *) refuse "A line of PAGES does not begin with a /, as paths do." ;;
  esac
done <<<"${PAGES:-}"

# Runs what prints names of pages, which are no commands to the runner.
quoted() {
  local token
  token=$(node --print 'crypto.randomUUID()')
  echo "::stop-commands::$token"
  "$@"
  local code=$?
  echo "::$token::"
  return "$code"
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
if ! quoted "${h2h3[@]}" --version; then
  echo "::error::h2h3 could not be installed from $package. The input version takes a version, a tarball or a folder."
  finish 3
fi

options=(--out "$report")
add() { [ -z "$2" ] || options+=("$1" "$2"); }
add_lines() { while IFS= read -r line; do add "$1" "${line%$'\r'}"; done <<<"$2"; }
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
  refuse "ca and insecure are for addresses, which speak TLS themselves."
fi
if [ "$kind" = versions ] && [ -n "${LOGIN:-}${SCRIPT:-}${HEADERS:-}${BLOCK:-}${PAGES:-}" ]; then
  refuse "headers, login, block, script and pages are for addresses and builds. Between two versions a plan file says them: preset."
fi
if [ "$kind" = addresses ] && [ -n "${PAGES:-}" ]; then
  refuse "pages is for builds. The addresses name their pages themselves."
fi

case "$kind" in
addresses)
  add --ca "${CA:-}"
  add_pages_options
  add_switch --insecure "${INSECURE:-}"
  quoted "${h2h3[@]}" run ${PRESET:+"$PRESET"} --arm "h3+url=$BASELINE" --arm "h3+url=$CANDIDATE" "${options[@]}"
  code=$?
  # 4: trials were lost, and what is left may still be judged.
  if [ "$code" -eq 0 ] || [ "$code" -eq 4 ]; then
    quoted "${h2h3[@]}" gate "$report" ${judging[@]+"${judging[@]}"}
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
  quoted "${h2h3[@]}" gate "${options[@]}" ${judging[@]+"${judging[@]}"}
  code=$?
  ;;
esac
if [ -f "$report/gate.json" ]; then
  verdict=$(node --print 'JSON.parse(require("node:fs").readFileSync(process.argv[1], "utf8")).outcome' "$report/gate.json")
fi
finish "$code"
