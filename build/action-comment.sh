#!/bin/bash
# The step of action.yml that comments on a pull request: one comment for each use of the action, renewed each time. The last comment of
# the job's account would often be another program's, or another use's.
set -euo pipefail
[ -f "$REPORT/gate.md" ] || exit 0
# What is checked changes with each push; what it is held against, and by what, does not.
use=$(printf '%s\0' "$JOB" "$BASELINE" "$BASELINE_COMMAND" "$PAGES" "$PRESET" "$NETWORK" | git hash-object --stdin)
mark="<!-- h2h3 gate $use -->"
body=$RUNNER_TEMP/h2h3-comment.md
{
  echo "$mark"
  cat "$REPORT/gate.md"
} >"$body"
own=".comments[] | select(.viewerDidAuthor and (.body | startswith(\"$mark\"))) | .url"
url=$(gh pr view "$NUMBER" --json comments --jq "$own" | tail -n 1)
if [ -n "$url" ]; then
  gh api --silent --method PATCH "repos/$GH_REPO/issues/comments/${url##*-}" --field "body=@$body"
else
  gh pr comment "$NUMBER" --body-file "$body"
fi
