#!/bin/sh
# Follows the README's commands on Debian systems that have Node and npm and nothing else, and prints how long each takes.
#
#   sudo npm run verify:first-run [-- CASE…]
#
# A case is SYSTEM/WHO. Systems:
#
#   bookworm, trixie         with the Node and npm of their own packages (18 and 20, npm 9.2)
#   node20, node24           bookworm with Node 20 and npm 10, or Node 24 and npm 11
#
# Who, in any of them:
#
#   root                     root, with /dev/net/tun
#   user                     uid 1001 with user namespaces and /dev/net/tun
#   no-tun                   root, without /dev/net/tun
#   user-without-namespaces  uid 1001 where none may be made
#   container                root with the capabilities that Docker leaves, without namespaces and /dev/net/tun
#   containerfile            the steps of the Containerfile, then what its container starts, as its user with /dev/net/tun
#   tests                    uid 1001, and `npm test` in the place of a run
#   package                  uid 1001, the packed tarball in the place of a checkout
#
# The case `machine` is a fresh copy on this machine with all that it has, caches of tools and content empty.
#
# By hand and nightly: it needs root, debootstrap (apt-get install debootstrap), the network and some minutes a case.
# H2H3_DEBIAN_MIRROR names another mirror than debootstrap's, H2H3_FIRST_RUN_DIR a folder that is kept for the next time,
# H2H3_FIRST_RUN_COMMAND another command than `npm run bench:web`, and in the case `tests` than `npm test`. Certificates of this machine and its npm and pip
# configuration are copied into the systems, so that its registries are reached the same way.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
project=$(cd "$here/../.." && pwd)
place=${H2H3_FIRST_RUN_DIR:-$(mktemp -d /tmp/h2h3-first-run.XXXXXX)}
second=${H2H3_FIRST_RUN_COMMAND:-npm run bench:web}
packed='npx h2h3 run download --repetitions 2 --exploratory'
failures=0

[ "$(id -u)" = 0 ] || { echo 'verify:first-run needs root: systems are made' >&2; exit 3; }
command -v debootstrap >/dev/null || { echo 'verify:first-run needs debootstrap: apt-get install debootstrap' >&2; exit 3; }

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

# A minimal Debian.
bootstrap() {
  debootstrap --variant=minbase --include=ca-certificates "$1" "$2" ${H2H3_DEBIAN_MIRROR:+"$H2H3_DEBIAN_MIRROR"} >"$place/debootstrap.log" 2>&1 && return
  tail -n 15 "$place/debootstrap.log" >&2
  return 1
}

# Node and npm of these major versions, as nodejs.org's archive has them: no compiler, no Python, no ip come along.
give_node() {
  for package in "node-linux-$(node -p process.arch)@$2" "npm@$3"; do
    (cd "$place" && npm pack --silent "$package") >"$place/packed"
    case $package in
      npm*) target=$1/usr/lib/node_modules/npm ;;
      *) target=$1/usr/lib/node ;;
    esac
    mkdir -p "$target"
    tar -xzf "$place/$(tail -n 1 "$place/packed")" -C "$target" --strip-components=1
  done
  ln -s ../lib/node/bin/node "$1/usr/bin/node"
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$1/usr/bin/npm"
  ln -s ../lib/node_modules/npm/bin/npx-cli.js "$1/usr/bin/npx"
}

make_base() {
  base=$place/base-$1
  [ ! -e "$base.ready" ] || return 0
  rm -rf "$base"
  case $1 in
    node20) bootstrap bookworm "$base" && give_node "$base" 20 10 ;;
    node22) bootstrap bookworm "$base" && give_node "$base" 22 10 ;;
    node24) bootstrap bookworm "$base" && give_node "$base" 24 11 ;;
    *)
      bootstrap "$1" "$base"
      lend "$base"
      chroot "$base" sh -c 'DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends nodejs npm' >"$place/apt.log" 2>&1 || { tail -n 15 "$place/apt.log" >&2; return 1; }
      ;;
  esac
  chroot "$base" useradd --create-home --uid 1001 reader
  # As the image of the Containerfile has it.
  chroot "$base" useradd --create-home --uid 1000 node
  touch "$base.ready"
}

# The project without what earlier runs left: as git has it, or, in a copy that git does not know, all but these.
copy_project() {
  if [ -e "$project/.git" ]; then git -C "$project" archive HEAD; else tar -c -C "$project" --exclude=./node_modules --exclude=./.h2h3 --exclude=./results --exclude=./dist .; fi | tar -x -C "$1"
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

# The system of a stage of the Containerfile: a copy of the one that it is made from, which is a Debian with Node and npm where it is no
# stage.
begin_stage() {
  root=$stages/$2
  if [ -e "$stages/$1" ]; then cp -a "$stages/$1" "$root"; else cp -a "$place/base-$system" "$root" && lend "$root"; fi
  mkdir -p "$root/work"
  folder=/
  user=root
  variables=''
}

# Copies as COPY does: what a folder holds, or files, into the last of the words.
copy_into() {
  from=$1
  shift
  for target in "$@"; do :; done
  case $target in /*) target=$root$target ;; *) target=$root$folder/$target ;; esac
  mkdir -p "$target"
  while [ $# -gt 1 ]; do
    # A name with a star stands for files.
    for source in $from/$1; do if [ -d "$source" ]; then cp -a "$source/." "$target/"; else cp -a "$source" "$target/"; fi; done
    shift
  done
}

# Follows the Containerfile.
build_container() {
  stages=$root/stages
  mkdir "$stages"
  node "$here/containerfile-steps.ts" >"$place/steps"
  while read -r kind words <&3; do
    case $kind in
      FROM) begin_stage "${words% *}" "${words##* }" ;;
      DIR) folder=$words; mkdir -p "$root$folder" ;;
      ENV) variables="$variables $words" ;;
      # Words are to be parted.
      # shellcheck disable=SC2086
      COPY) copy_into "$checkout" $words ;;
      # shellcheck disable=SC2086
      COPY-FROM) copy_into "$stages/${words%% *}" ${words#* } ;;
      RUN) timed "$words" "cd $folder && export HOME=/root $variables && $words" || return 1 ;;
      USER) user=$words ;;
      START) start="setpriv --reuid=$user --regid=$user --init-groups env HOME=/home/node $variables $words" ;;
    esac
  done 3<"$place/steps"
  echo "$one: the image: $(du -sm "$root" | cut -f1) MB, of which $(du -sm "$root/h2h3" | cut -f1) MB in /h2h3 and $(du -sm "$root/var/cache/h2h3" | cut -f1) MB of tools"
}

# Runs a command in the system of the case and says how long it took.
timed() {
  begun=$(date +%s%3N)
  log=$place/$(echo "$one" | tr / -)-$(echo "$1" | cut -c1-40 | tr -c 'a-z0-9\n' '-').log
  status=0
  step_in "$2" >"$log" 2>&1 || status=$?
  echo "$one: $1: exit $status after $((($(date +%s%3N) - begun) / 1000)) s"
  [ "$status" = 0 ] || { tail -n 15 "$log" | sed 's/^/    /'; return "$status"; }
}

# What follows the installation: the command that decides, and what it left.
measure() {
  timed "$second" "$second" && node "$here/first-trials.ts" "$checkout/results/latest" "$begun"
}

# npm's own words for the installation of what is packed here, where a reader has nothing else.
run_package() {
  (cd "$project" && npm pack --silent --pack-destination "$root/work") >"$place/packed"
  timed 'npm install' "npm install ./$(tail -n 1 "$place/packed")" || return 1
  if grep EBADENGINE "$log" | sed 's/^/    /' | head -n 3 | grep . && [ "${system#node}" -ge 22 ] 2>/dev/null; then
    echo 'npm warns of an engine that the package says it takes' >&2
    return 1
  fi
  timed "$packed" "$packed" && node "$here/first-trials.ts" "$checkout/results/latest" "$begun"
}

run_case() {
  system=${1%/*}
  name=${1#*/}
  root=$place/$(echo "$1" | tr / -)
  whole=$root
  rm -rf "$root"
  if [ "$name" = machine ]; then mkdir "$root"; else cp -a "$place/base-${1%/*}" "$root" && lend "$root"; fi
  checkout=$root/work
  mkdir "$checkout"
  [ "$name" = package ] || copy_project "$checkout"
  case $name in user* | tests | package) chown -R 1001:1001 "$checkout" "$root/home/reader" ;; *) chown -R 0:0 "$checkout" ;; esac
  status=0
  case $name in
    containerfile)
      build_container && timed "$start" "$start" && timed "$second" "cd $folder && $(echo "$second" | sed "s#^npm run bench:#$(started) run #; s#^npx h2h3#$(started)#")" || status=1
      node "$here/first-trials.ts" "$root$folder/results/latest" "$begun" || status=1
      ;;
    package) run_package || status=1 ;;
    tests) { timed 'npm ci' 'npm ci' && timed "${H2H3_FIRST_RUN_COMMAND:-npm test}" "${H2H3_FIRST_RUN_COMMAND:-npm test}"; } || status=1 ;;
    # doctor may name what is missing.
    *) { timed 'npm ci' 'npm ci' && { timed 'npx h2h3 doctor' 'npx h2h3 doctor' || true; } && measure; } || status=1 ;;
  esac
  [ "$status" = 0 ] || failures=$((failures + 1))
  rm -rf "$whole"
}

trap 'status=$?; [ -n "${H2H3_FIRST_RUN_DIR:-}" ] || rm -rf "$place"; exit $status' EXIT
trap 'exit 130' INT TERM
mkdir -p "$place"
[ $# -gt 0 ] || set -- bookworm/user bookworm/root trixie/user trixie/root node20/user node20/root node22/user node24/user node24/root \
  node24/no-tun node24/user-without-namespaces node24/container node24/containerfile node20/package node24/package node20/tests machine
for one in "$@"; do
  case $one in
    machine) ;;
    bookworm/* | trixie/* | node20/* | node22/* | node24/*)
      case ${one#*/} in
        root | no-tun | user | user-without-namespaces | container | containerfile | tests | package) ;;
        *) echo "verify:first-run has no case \"$one\"" >&2; exit 2 ;;
      esac
      ;;
    *) echo "verify:first-run has no case \"$one\"" >&2; exit 2 ;;
  esac
done
for one in "$@"; do
  [ "$one" = machine ] || make_base "${one%/*}"
  run_case "$one"
done
[ "$failures" = 0 ] || { echo "$failures of $# cases failed" >&2; exit 1; }
