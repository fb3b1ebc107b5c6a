#!/bin/sh
# Runs a command on this machine as if it had nothing: the programs that debootstrap gives a Debian, Node and npm, an empty home,
# no caches. And the C compiler by which a checkout builds the path emulator, which packages bring along. Browsers, curl, ffmpeg,
# Python, Go and the caches of the checkout are out of sight, in a mount namespace that ends with the command.
#
#   sh tests/first-run/bare.sh COMMAND…
#
# Needs dpkg, which knows what debootstrap installs, and root or user namespaces. Where mounts are forbidden only PATH, home and
# caches of the user are replaced, and it says so. Exit 3: something is still in sight.
set -eu

command -v dpkg-query >/dev/null || { echo 'bare.sh needs dpkg: only a Debian says what it has at the least' >&2; exit 3; }
project=$(cd "$(dirname "$0")/../.." && pwd)

if [ -z "${H2H3_BARE_STAGE:-}" ]; then
  H2H3_BARE_STAGE=$(mktemp -d /tmp/h2h3-bare.XXXXXX)
  export H2H3_BARE_STAGE
  # An ordinary user may be what the command becomes.
  chmod 755 "$H2H3_BARE_STAGE"
  trap 'status=$?; rm -rf "$H2H3_BARE_STAGE"; exit $status' EXIT
  trap 'exit 130' INT TERM
  status=0
  tried='mount -t tmpfs tmpfs /usr/local && mount --bind /tmp /usr/bin'
  if unshare --mount --propagation private sh -c "$tried" 2>/dev/null; then
    unshare --mount --propagation private sh "$0" "$@" || status=$?
  elif unshare --user --map-root-user --mount --propagation private sh -c "$tried" 2>/dev/null; then
    unshare --user --map-root-user --mount --propagation private sh "$0" "$@" || status=$?
  else
    echo 'bare.sh: mounts are forbidden here, so only PATH, home and caches are replaced: what has a usual place is still found' >&2
    H2H3_BARE_MOUNTS=no sh "$0" "$@" || status=$?
  fi
  exit "$status"
fi

stage=$H2H3_BARE_STAGE
folders='/usr/bin /usr/sbin /bin /sbin'
# Something of each kind that no minimal Debian has.
foreign='chromium google-chrome firefox curl wget ffmpeg go cargo python3 nginx tshark perf'

node=$(readlink -f "$(command -v node)")
npm=$(readlink -f "$(command -v npm)")
mkdir "$stage/bin" "$stage/home" "$stage/none"
cp -a "${npm%/bin/*}" "$stage/npm"
least=$(dpkg-query -W -f '${Package} ${Essential} ${Priority}
' | awk '$2 == "yes" || $3 == "required" || $3 == "important" { print $1 }')
for package in $least $(dpkg-query -W -f '${Package}
' 'gcc*' 'cpp*' 'binutils*'); do
  for file in $(dpkg-query -L "$package" 2>/dev/null | grep -E '^(/usr)?/s?bin/'); do
    # A link between the folders for programs, which are one here.
    case $(readlink "$file") in */"${file##*/}") continue ;; esac
    [ ! -f "$file" ] || cp -a "$file" "$stage/bin/"
  done
done
# Alternatives: awk, which and others are links that no package owns.
for link in /etc/alternatives/*; do
  [ -L "$link" ] || continue
  program=$(basename "$(readlink "$link")")
  [ ! -e "$stage/bin/$program" ] || ln -sf "$program" "$stage/bin/${link##*/}"
done
cp -L "$node" "$stage/bin/node"
ln -s "$stage/npm/bin/npm-cli.js" "$stage/bin/npm"
ln -s "$stage/npm/bin/npx-cli.js" "$stage/bin/npx"
# How this machine reaches its registries; settings of the whole machine may lie in a folder that goes out of sight.
npm config get registry >"$stage/registry"
for file in .npmrc .config/pip/pip.conf .pip/pip.conf; do
  [ -f "$HOME/$file" ] || continue
  mkdir -p "$stage/home/$(dirname "$file")"
  cp "$HOME/$file" "$stage/home/$file"
done

if [ "${H2H3_BARE_MOUNTS:-}" = no ]; then
  path=$stage/bin
else
  path=/usr/bin
  for folder in $folders; do [ -L "$folder" ] || mount --bind "$stage/bin" "$folder"; done
  for folder in /usr/local /opt /snap /usr/share/fonts /usr/lib/chromium* /usr/lib/firefox* /usr/lib/*/opera* "$project/.h2h3"; do
    case $project/ in "$folder"/*) continue ;; esac
    [ ! -d "$folder" ] || /usr/bin/mount -t tmpfs tmpfs "$folder"
  done
fi

set -- npm_config_registry="$(cat "$stage/registry")" sh -c 'for name in '"$foreign"'; do ! command -v "$name" >/dev/null || { echo "bare.sh: $name is still in sight: $(command -v "$name")" >&2; exit 3; }; done; exec "$@"' sh "$@"
while IFS= read -r variable; do
  case $variable in *=*) set -- "$variable" "$@" ;; esac
done <<EOT
$(env | grep -iE '^(npm_config_[a-z_]*|pip_[a-z_]*|https?_proxy|no_proxy|all_proxy|node_extra_ca_certs|ssl_cert_[a-z]*|requests_ca_bundle|curl_ca_bundle|ci|term)=')
EOT
cd "$project"
exec env -i HOME="$stage/home" PATH="$path" "$@"
