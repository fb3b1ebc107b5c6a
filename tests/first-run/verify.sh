#!/bin/sh
# Follows the README's two commands on a Debian that has Node and npm and nothing else, and prints how long each takes:
# as root, as a user, as a user without user namespaces, and in a container-like place without /dev/net/tun.
#
#   sudo npm run verify:first-run [-- CASE…]     cases: root user user-without-namespaces no-tun
#
# By hand and nightly: it needs root, debootstrap (apt-get install debootstrap), the network and some minutes a case.
# H2H3_DEBIAN_MIRROR names another mirror, H2H3_FIRST_RUN_DIR a folder that is kept for the next time, H2H3_FIRST_RUN_COMMAND
# another second command than `npm run bench:video`. Certificates of this machine and its npm and pip configuration are
# lent to the chroots by mounts and environment, so that its registries are reached the same way.
set -eu

project=$(cd "$(dirname "$0")/../.." && pwd)
place=${H2H3_FIRST_RUN_DIR:-$(mktemp -d /tmp/h2h3-first-run.XXXXXX)}
base=$place/base
second=${H2H3_FIRST_RUN_COMMAND:-npm run bench:video}
failures=0

[ "$(id -u)" = 0 ] || { echo 'verify:first-run needs root: chroots are made' >&2; exit 3; }
command -v debootstrap >/dev/null || { echo 'verify:first-run needs debootstrap: apt-get install debootstrap' >&2; exit 3; }

seconds() { date +%s; }

make_base() {
  [ -x "$base/usr/bin/node" ] && return
  [ -d "$base/etc" ] || debootstrap --variant=minbase --include=ca-certificates bookworm "$base" "${H2H3_DEBIAN_MIRROR:-http://deb.debian.org/debian}" >"$place/debootstrap.log" 2>&1
  # Node and npm as nodejs.org's archive has them: no compiler, no Python, no ip come along.
  cp -L "$(node -p process.execPath)" "$base/usr/bin/node"
  mkdir -p "$base/usr/lib/node_modules"
  cp -RL "$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")" "$base/usr/lib/node_modules/npm"
  ln -sf ../lib/node_modules/npm/bin/npm-cli.js "$base/usr/bin/npm"
  ln -sf ../lib/node_modules/npm/bin/npx-cli.js "$base/usr/bin/npx"
  chroot "$base" useradd --create-home --uid 1001 reader
}

# What the chroot needs of this machine to reach the network as this machine does.
lend() {
  cp -L /etc/resolv.conf /etc/hosts "$1/etc/"
  cp -L --remove-destination /etc/ssl/certs/ca-certificates.crt "$1/etc/ssl/certs/"
  for file in "$HOME/.npmrc" "$HOME/.config/pip/pip.conf" "$HOME/.pip/pip.conf"; do
    [ -f "$file" ] || continue
    for home in root home/reader; do
      mkdir -p "$1/$home/$(dirname "${file#"$HOME/"}")"
      cp "$file" "$1/$home/${file#"$HOME/"}"
    done
  done
}

unmount() {
  for mounted in $(awk -v root="$1/" 'index($2, root) == 1 { print $2 }' /proc/mounts | sort -r); do umount -l "$mounted"; done
}

mount_system() {
  mount -t proc proc "$1/proc"
  mount -t tmpfs tmpfs "$1/dev"
  mkdir -p "$1/dev/shm" "$1/dev/net"
  mount -t tmpfs -o size=1g tmpfs "$1/dev/shm"
  for device in null zero full random urandom tty; do
    touch "$1/dev/$device"
    mount --bind "/dev/$device" "$1/dev/$device"
  done
  ln -s /proc/self/fd "$1/dev/fd"
  [ "$2" = no-tun ] || { touch "$1/dev/net/tun"; mount --bind /dev/net/tun "$1/dev/net/tun" 2>/dev/null || rm "$1/dev/net/tun"; }
}

run_case() {
  name=$1
  root=$place/$name
  rm -rf "$root"
  cp -a "$base" "$root"
  lend "$root"
  mkdir -p "$root/work"
  # The checkout as git has it: nothing that an earlier run left comes along.
  git -C "$project" archive HEAD | tar -x -C "$root/work"
  user=root
  case $name in user*) user=reader ;; esac
  chroot "$root" chown -R "$user" /work "$(chroot "$root" sh -c "echo ~$user")"
  mount_system "$root" "$name"
  limit=
  # A namespace of its own in which no further user namespaces can be made.
  [ "$name" != user-without-namespaces ] || limit='echo 0 > /proc/sys/user/max_user_namespaces &&'
  status=0
  # Its own mount and process namespaces, so that whatever is left over ends with the case. Of a user namespace the first
  # in line may limit what is made below it, and nothing of this machine is changed.
  for step in 'npm ci' 'npx h2h3 doctor' "$second"; do
    begun=$(seconds)
    status=0
    unshare ${limit:+--user --map-users=0,0,65536 --map-groups=0,0,65536} --mount --pid --fork --kill-child sh -c "$limit exec chroot '$root' setpriv --reuid=$user --regid=$user --init-groups env HOME=\$(chroot '$root' sh -c 'echo ~$user') PATH=/usr/local/bin:/usr/bin:/bin NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt npm_config_cafile=/etc/ssl/certs/ca-certificates.crt sh -c 'cd /work && $step'" >"$place/$name.log" 2>&1 || status=$?
    echo "$name: $step: exit $status after $(($(seconds) - begun)) s"
    cp "$place/$name.log" "$place/$name-$(echo "$step" | tr ' :' '--').log"
    [ "$status" = 0 ] || tail -n 15 "$place/$name.log" | sed 's/^/    /'
  done
  # The last step decides; doctor may name what is missing.
  [ "$status" = 0 ] || failures=$((failures + 1))
  unmount "$root"
  rm -rf "$root"
}

trap 'for name in root user user-without-namespaces no-tun; do unmount "$place/$name"; done; [ -n "${H2H3_FIRST_RUN_DIR:-}" ] || rm -rf "$place"' EXIT
trap 'exit 130' INT TERM
mkdir -p "$place"
make_base
[ $# -gt 0 ] || set -- root user user-without-namespaces no-tun
for one in "$@"; do run_case "$one"; done
[ "$failures" = 0 ] || { echo "$failures of $# cases failed" >&2; exit 1; }
