#!/usr/bin/env bash
# Runs all findings, or those named, and says which changed. Needs the npm registry; not part of the tests.
# Usage: npm run check -- findings [-- NAME …]
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- $(ls ./*.sh | sed -E 's|^\./(.*)\.sh$|\1|')
changed=()
for name in "$@"; do
  echo "== $name"
  start=$SECONDS
  bash "./$name.sh" || changed+=("$name")
  echo "   ($((SECONDS - start)) s)"
done
echo "$# findings, ${#changed[@]} changed: ${changed[*]:-none}"
[ ${#changed[@]} -eq 0 ]
