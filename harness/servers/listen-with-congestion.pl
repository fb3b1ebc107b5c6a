# Opens a listening TCP socket whose connections use a chosen congestion control and may be paced, then becomes the
# server.
# Linux: a connection takes over the TCP_CONGESTION of the socket that accepted it (tcp(7)). A server that has no
# switch for it, and Node, which has no setsockopt, get it this way; nothing outside this socket changes.
# PACING is `on` or `off`: a most rate that nothing reaches makes the kernel pace connections (socket(7),
# SO_MAX_PACING_RATE), without a queue that does.
# Usage: perl listen-with-congestion.pl ALGORITHM PACING ADDRESS PORT PROGRAM ARGUMENT...   (the socket becomes number 3)
use strict;
use warnings;
use Socket qw(:DEFAULT :addrinfo IPPROTO_TCP SOMAXCONN);

my ($algorithm, $pacing, $address, $port, @program) = @ARGV;
my $tcp_congestion = 13;    # <netinet/tcp.h>; the module Socket has no name for it
my $so_max_pacing_rate = 47;    # <asm-generic/socket.h>
my $unreached_rate = 12_500_000_000;    # bytes/s: 100 Gbit/s

$^F = 3;                    # descriptors up to this number stay open across exec
my ($error, $place) = getaddrinfo($address, $port, { flags => AI_NUMERICHOST, socktype => SOCK_STREAM });
die "address $address: $error\n" if $error;
socket(my $listener, $place->{family}, SOCK_STREAM, IPPROTO_TCP) or die "socket: $!\n";
die 'the socket got number ' . fileno($listener) . ", not 3\n" if fileno($listener) != 3;
setsockopt($listener, SOL_SOCKET, SO_REUSEADDR, pack('i', 1)) or die "SO_REUSEADDR: $!\n";
setsockopt($listener, IPPROTO_TCP, $tcp_congestion, $algorithm) or die "congestion control $algorithm: $!\n";
if ($pacing eq 'on') {
    setsockopt($listener, SOL_SOCKET, $so_max_pacing_rate, pack('Q', $unreached_rate)) or die "pacing: $!\n";
}
bind($listener, $place->{addr}) or die "listen on $address port $port: $!\n";
listen($listener, SOMAXCONN) or die "listen: $!\n";
exec { $program[0] } @program or die "$program[0]: $!\n";
