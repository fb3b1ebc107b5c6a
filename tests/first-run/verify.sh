#!/bin/sh
# Follows the README's two commands on a Debian that has Node and npm and nothing else, and prints how long each takes.
#
#   sudo npm run verify:first-run [-- CASE…]
#
#   root                     root, with /dev/net/tun
#   no-tun                   root, without it
#   user                     uid 1001 with user namespaces and /dev/net/tun
#   user-without-namespaces  uid 1001 where none may be made
#   container                root with the capabilities that Docker leaves, without namespaces and /dev/net/tun
#   containerfile            the steps of the Containerfile, then what its container starts, as its user with /dev/net/tun
#   machine                  a fresh copy on this machine with all that it has, caches of tools and content empty
#
# By hand and nightly: it needs root, debootstrap (apt-get install debootstrap), the network and some minutes a case.
# H2H3_DEBIAN_MIRROR names another mirror, H2H3_FIRST_RUN_DIR a folder that is kept for the next time, H2H3_FIRST_RUN_COMMAND
# another second command than `npm run bench:video`. Certificates of this machine and its npm and pip configuration are
# copied into the systems, so that its registries are reached the same way.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
project=$(cd "$here/../.." && pwd)
place=${H2H3_FIRST_RUN_DIR:-$(mktemp -d /tmp/h2h3-first-run.XXXXXX)}
base=$place/base
second=${H2H3_FIRST_RUN_COMMAND:-npm run bench:video}
failures=0

[ "$(id -u)" = 0 ] || { echo 'verify:first-run needs root: systems are made' >&2; exit 3; }
command -v debootstrap >/dev/null || { echo 'verify:first-run needs debootstrap: apt-get install debootstrap' >&2; exit 3; }

make_base() {
  [ ! -e "$base.ready" ] || return 0
  rm -rf "$base"
  debootstrap --variant=minbase --include=ca-certificates bookworm "$base" "${H2H3_DEBIAN_MIRROR:-http://deb.debian.org/debian}" >"$place/debootstrap.log" 2>&1
  # Node and npm as nodejs.org's archive has them: no compiler, no Python, no ip come along.
  cp -L "$(node -p process.execPath)" "$base/usr/bin/node"
  mkdir -p "$base/usr/lib/node_modules"
  cp -RL "$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")" "$base/usr/lib/node_modules/npm"
  ln -sf ../lib/node_modules/npm/bin/npm-cli.js "$base/usr/bin/npm"
  ln -sf ../lib/node_modules/npm/bin/npx-cli.js "$base/usr/bin/npx"
  chroot "$base" useradd --create-home --uid 1001 reader
  # As the image of the Containerfile has it.
  chroot "$base" useradd --create-home --uid 1000 node
  touch "$base.ready"
}

# The project without what earlier runs left: as git has it, or, in a copy that git does not know, all but these.
copy_project() {
  if [ -e "$project/.git" ]; then git -C "$project" archive HEAD; else tar -c -C "$project" --exclude=./node_modules --exclude=./.h2h3 --exclude=./results --exclude=./dist .; fi | tar -x -C "$1"
}

# What the system needs of this machine to reach the network as this machine does.
lend() {
  cp -L /etc/resolv.conf /etc/hosts "$1/etc/"
  cp -L --remove-destination /etc/ssl/certs/ca-certificates.crt "$1/etc/ssl/certs/"
  [ ! -f /etc/pip.conf ] || cp /etc/pip.conf "$1/etc/"
  for file in .npmrc .config/pip/pip.conf .pip/pip.conf; do
    [ -f "$HOME/$file" ] || continue
    for home in root home/reader; do
      mkdir -p "$1/$home/$(dirname "$file")"
      cp "$HOME/$file" "$1/$home/$file"
    done
  done
}

# A step in the system of a case, in namespaces of its own that end with it.
in_system() {
  case $name in
    user-without-namespaces | container) ;;
    *) unshare --mount --pid --ipc --uts --fork --kill-child sh "$here/enter-system.sh" "$name" "$root" "$1"; return ;;
  esac
  # Within a user namespace its root may forbid more of them, and nothing of this machine is changed. Whoever made it is
  # nobody there until the numbers of users are mapped, which is written from outside.
  unshare --user --mount --pid --ipc --uts --fork --kill-child sh -c 'until [ "$(id -u)" = 0 ]; do sleep 0.1; done; exec sh "$@"' sh "$here/enter-system.sh" "$name" "$root" "$1" &
  until [ "$(readlink /proc/$!/ns/user)" != "$(readlink /proc/self/ns/user)" ]; do sleep 0.1; done
  echo 0 0 65536 >/proc/$!/gid_map
  echo 0 0 65536 >/proc/$!/uid_map
  wait $!
}

step_in() {
  if [ "$name" = machine ]; then (cd "$root/work" && H2H3_CACHE="$root/cache" sh -c "$1"); else in_system "$1"; fi
}

# What the container of the Containerfile starts, with other words behind it than its own.
started() { echo "$start" | sed 's/ doctor$//'; }

# Follows the Containerfile: its base is a Debian with Node and npm as well.
build_container() {
  folder=/
  user=root
  node "$here/containerfile-steps.ts" >"$place/steps"
  while read -r kind words <&3; do
    case $kind in
      DIR) folder=$words; mkdir -p "$root$folder" ;;
      COPY) target=$root$folder/${words##* }; mkdir -p "$target"; (cd "$checkout" && if [ "$words" = '. .' ]; then cp -a . "$target"; else cp -a ${words% *} "$target"; fi) ;;
      RUN) timed "$words" "cd $folder && $words" || return 1 ;;
      USER) user=$words ;;
      START) start="setpriv --reuid=$user --regid=$user --init-groups env HOME=/home/node $words" ;;
    esac
  done 3<"$place/steps"
}

# Runs a command in the system of the case and says how long it took.
timed() {
  begun=$(date +%s%3N)
  log=$place/$name-$(echo "$1" | cut -c1-40 | tr -c 'a-z0-9\n' '-').log
  status=0
  step_in "$2" >"$log" 2>&1 || status=$?
  echo "$name: $1: exit $status after $((($(date +%s%3N) - begun) / 1000)) s"
  [ "$status" = 0 ] || { tail -n 15 "$log" | sed 's/^/    /'; return "$status"; }
}

run_case() {
  name=$1
  root=$place/$name
  rm -rf "$root"
  if [ "$name" = machine ]; then mkdir "$root"; else cp -a "$base" "$root" && lend "$root"; fi
  checkout=$root/work
  mkdir "$checkout"
  copy_project "$checkout"
  case $name in user*) chown -R 1001:1001 "$checkout" "$root/home/reader" ;; *) chown -R 0:0 "$checkout" ;; esac
  status=0
  if [ "$name" = containerfile ]; then
    build_container && timed "$start" "$start" && timed "$second" "cd $folder && $(echo "$second" | sed "s#^npm run bench:#$(started) run #; s#^npx h2h3#$(started)#")" || status=1
    checkout=$root$folder
  else
    # The last step decides; doctor may name what is missing.
    timed 'npm ci' 'npm ci' || true
    timed 'npx h2h3 doctor' 'npx h2h3 doctor' || true
    timed "$second" "$second" || status=1
  fi
  node "$here/first-trials.ts" "$checkout/results/latest" "$begun" || status=1
  [ "$status" = 0 ] || failures=$((failures + 1))
  rm -rf "$root"
}

trap 'status=$?; [ -n "${H2H3_FIRST_RUN_DIR:-}" ] || rm -rf "$place"; exit $status' EXIT
trap 'exit 130' INT TERM
mkdir -p "$place"
[ $# -gt 0 ] || set -- root no-tun user user-without-namespaces container containerfile machine
for one in "$@"; do
  case $one in
    root | no-tun | user | user-without-namespaces | container | containerfile | machine) ;;
    *) echo "verify:first-run has no case \"$one\"" >&2; exit 2 ;;
  esac
done
make_base
for one in "$@"; do run_case "$one"; done
[ "$failures" = 0 ] || { echo "$failures of $# cases failed" >&2; exit 1; }
