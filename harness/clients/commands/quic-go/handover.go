package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/quic-go/quic-go"
)

// handoverRequest is what was asked for: to lose the local address once so much of the body has come. No bytes: never.
type handoverRequest struct {
	afterBytes int64
	// Begin anew from the other address, though the rest alone could be asked for.
	restart bool
	// Connect again even where the connection itself could move.
	reconnect bool
	// The port alone changes, and the connection is not told.
	rebind bool
}

// gate is a socket through which nothing passes any more once it is shut, as if its address were gone.
type gate struct {
	net.PacketConn
	shut atomic.Bool
	// The socket that has taken the place of the first, as a NAT that forgot its port sends from another; nil: none.
	other atomic.Pointer[net.UDPConn]
	// Closed when the first datagram has come to the other socket.
	heard     chan struct{}
	heardOnce sync.Once
}

// rebind sends from another port of the same address from now on, and waits until the server has found it; what still
// comes to the old one is lost.
func (of *gate) rebind(ctx context.Context) error {
	local := of.PacketConn.LocalAddr().(*net.UDPAddr)
	socket, err := net.ListenUDP("udp", &net.UDPAddr{IP: local.IP})
	if err != nil {
		return err
	}
	of.other.Store(socket)
	of.shut.Store(true)
	// Whoever waits at the old socket is to wait at the new one.
	if err := of.PacketConn.SetReadDeadline(time.Now()); err != nil {
		return err
	}
	select {
	case <-of.heard:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("the server did not find the other port: %w", ctx.Err())
	}
}

func (of *gate) ReadFrom(buffer []byte) (int, net.Addr, error) {
	for {
		if socket := of.other.Load(); socket != nil {
			count, from, err := socket.ReadFrom(buffer)
			if err == nil {
				of.heardOnce.Do(func() { close(of.heard) })
			}
			return count, from, err
		}
		count, from, err := of.PacketConn.ReadFrom(buffer)
		if of.other.Load() != nil {
			continue
		}
		if err != nil || !of.shut.Load() {
			return count, from, err
		}
	}
}

func (of *gate) WriteTo(packet []byte, to net.Addr) (int, error) {
	if socket := of.other.Load(); socket != nil {
		return socket.WriteTo(packet, to)
	}
	if of.shut.Load() {
		return len(packet), nil
	}
	return of.PacketConn.WriteTo(packet, to)
}

// SetReadBuffer and SetWriteBuffer are what quic-go asks of a socket that it enlarges.
func (of *gate) SetReadBuffer(bytes int) error {
	return of.PacketConn.(*net.UDPConn).SetReadBuffer(bytes)
}

func (of *gate) SetWriteBuffer(bytes int) error {
	return of.PacketConn.(*net.UDPConn).SetWriteBuffer(bytes)
}

// addressTowards is the local address that the system takes for a destination.
func addressTowards(remote string) (net.IP, error) {
	probe, err := net.Dial("udp", remote)
	if err != nil {
		return nil, err
	}
	defer probe.Close()
	return probe.LocalAddr().(*net.UDPAddr).IP, nil
}

// otherAddress is another address of the interface that has this one.
func otherAddress(of net.IP) (net.IP, error) {
	if of.IsLoopback() && of.To4() != nil {
		return net.IPv4(127, 0, 0, 77), nil
	}
	interfaces, err := net.Interfaces()
	if err != nil {
		return nil, err
	}
	for _, one := range interfaces {
		addresses, err := one.Addrs()
		if err != nil {
			return nil, err
		}
		has, other := false, net.IP(nil)
		for _, address := range addresses {
			ip, _, err := net.ParseCIDR(address.String())
			switch {
			case err != nil:
			case ip.Equal(of):
				has = true
			case (ip.To4() != nil) == (of.To4() != nil):
				other = ip
			}
		}
		if has && other != nil {
			return other, nil
		}
	}
	return nil, fmt.Errorf("there is no second address beside %s to go on from", of)
}

// migrate shuts the old path at once, and sends everything from the other address once the server has answered there.
func migrate(ctx context.Context, connection *quic.Conn, old *gate, to net.IP) error {
	if connection == nil || old == nil {
		return errors.New("there is no connection to move")
	}
	socket, err := net.ListenUDP("udp", &net.UDPAddr{IP: to})
	if err != nil {
		return err
	}
	old.shut.Store(true)
	path, err := connection.AddPath(&quic.Transport{Conn: socket})
	if err != nil {
		return err
	}
	if err := path.Probe(ctx); err != nil {
		return fmt.Errorf("the server did not answer at the other address: %w", err)
	}
	return path.Switch()
}
