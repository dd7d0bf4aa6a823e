# Sourced by every finding: a temporary folder with pinned packages, removed at the end.
#   install NAME@VERSION …   npm packages; what they depend on is taken as of the date of the findings
#   debian NAME …            Debian packages, unpacked into $folder/debian without being installed
#   check                    runs the module on standard input, which calls finding() of finding.mjs
set -euo pipefail
findings=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=$(mktemp -d "${TMPDIR:-/tmp}/finding-XXXXXX")
# Chained: a finding that starts a server sets `stop` to the command that ends it.
stop=:
trap 'eval "$stop"; rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true,"type":"module"}' > package.json
cp "$findings/finding.mjs" .

install() {
  npm install --silent --no-audit --no-fund --ignore-scripts --legacy-peer-deps --save-exact --before=2026-11-28 "$@" >&2
}

debian() {
  command -v apt-get >/dev/null || { echo "skipped: needs apt-get"; exit 0; }
  mkdir -p debian
  (cd debian && apt-get download -qq "$@" >/dev/null 2>&1) || { echo "skipped: no Debian packages here"; exit 0; }
  for package in debian/*.deb; do dpkg-deb -x "$package" debian/root; done
  (cd debian && ls ./*.deb | sed -E 's|^\./([^_]+)_([^_]+)_.*|\1 \2 (Debian)|; s/%3a/:/')
}

check() {
  cat > check.mjs
  node check.mjs
}
