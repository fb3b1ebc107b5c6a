#!/bin/sh
# First process of the namespaces of one step: makes ROOT its root, gives it the devices that CASE has, and starts STEP in
# /work as the user that CASE means. All mounts belong to the namespace and vanish with it.
#
#   unshare --mount --pid --fork sh enter-system.sh CASE ROOT STEP
set -eu
name=$1
root=$2
step=$3
# Programs of the system itself, wherever this machine has its own.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
export PATH

mount --make-rprivate /
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount -t tmpfs tmpfs "$root/dev"
mkdir -p "$root/dev/shm" "$root/dev/net" "$root/old"
mount -t tmpfs -o size=1g tmpfs "$root/dev/shm"
lend_device() {
  touch "$root/dev/$1"
  mount --bind "/dev/$1" "$root/dev/$1"
}
for device in null zero full random urandom tty; do lend_device "$device"; done
ln -s /proc/self/fd "$root/dev/fd"
case $name in
  no-tun | container) ;;
  # Open to everybody, as udev makes it, whatever this machine has: what runs in the container is no root.
  containerfile) [ ! -e /dev/net/tun ] || mknod -m 666 "$root/dev/net/tun" c 10 200 ;;
  *) [ ! -e /dev/net/tun ] || lend_device net/tun ;;
esac

# Not chroot: below that the kernel lets nobody make a user namespace.
cd "$root"
pivot_root . old
umount -l /old
rmdir /old
cd /work

case $name in
  user-without-namespaces | container) echo 0 >/proc/sys/user/max_user_namespaces ;;
esac
case $name in
  user* | tests | package) set -- --reuid=1001 --regid=1001 --init-groups && HOME=/home/reader ;;
  # What Docker's default profile leaves to root.
  container) set -- --bounding-set=-all,+chown,+dac_override,+fowner,+fsetid,+kill,+setgid,+setuid,+setpcap,+net_bind_service,+net_raw,+sys_chroot,+mknod,+audit_write,+setfcap && HOME=/root ;;
  *) set -- --init-groups --reuid=0 --regid=0 && HOME=/root ;;
esac
exec setpriv "$@" env -i HOME="$HOME" PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
  NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt npm_config_cafile=/etc/ssl/certs/ca-certificates.crt \
  sh -c "$step"
