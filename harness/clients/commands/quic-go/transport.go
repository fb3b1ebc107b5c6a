package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/http3"
	"github.com/quic-go/quic-go/qlog"
	"golang.org/x/net/http2"
)

// Windows that no path on one machine fills: the server is to be the limit.
const (
	streamWindowBytes     = 64 << 20
	connectionWindowBytes = 96 << 20
)

// A server sends on to the old address until a packet that is no probe has come from the new one (RFC 9000, section 9.3),
// and a client that only receives has none to send: quic-go then pings after so long, or after one and a half of its
// probe timeouts if that is longer.
const movedKeepAlive = 20 * time.Millisecond

// connected is told of each connection that was made: when it was begun, and when its handshake had ended.
type connected func(host string, began, ended time.Time)

// transport carries requests and closes its connections.
type transport interface {
	http.RoundTripper
	io.Closer
}

// dialled knows the newest connection of a transport, to be cut off or moved.
type dialled struct {
	mutex sync.Mutex
	tcp   *net.TCPConn
	tls   *tls.Conn
	quic  *quic.Conn
	// Of a QUIC connection that is to move; else nil.
	gate *gate
}

// cut ends the connection at once and says so to the server, which would else send on to nobody.
func (last *dialled) cut() {
	last.mutex.Lock()
	defer last.mutex.Unlock()
	if last.tcp != nil {
		last.tcp.SetLinger(0)
		last.tcp.Close()
	}
	if last.quic != nil {
		last.quic.CloseWithError(0, "")
	}
}

// A close that the path lost is sent again when the server asks after its data, if somebody is still there to send it;
// else the server goes on for as long as it waits for the silent, and logs the transfer then. It asks within a few round
// trips.
const (
	lingerRoundTrips = 8
	maxLinger       = 2 * time.Second
)

// linger stays for so long as a server needs that has not heard of the end.
func (last *dialled) linger() {
	last.mutex.Lock()
	connection := last.quic
	last.mutex.Unlock()
	if connection == nil {
		return
	}
	time.Sleep(min(maxLinger, lingerRoundTrips*connection.ConnectionStats().SmoothedRTT))
}

type http2Transport struct{ *http2.Transport }

func (of http2Transport) Close() error {
	of.CloseIdleConnections()
	return nil
}

func transportFor(wanted options, tell connected, last *dialled) (transport, error) {
	switch wanted.protocol {
	case "h2":
		return http2Transport{&http2.Transport{
			DisableCompression: true,
			TLSClientConfig:    wanted.trust(),
			DialTLSContext: func(ctx context.Context, network, host string, config *tls.Config) (net.Conn, error) {
				began := time.Now()
				connection, err := dialTLS(ctx, wanted, network, host, config, last)
				if err == nil {
					tell(host, began, time.Now())
				}
				return connection, err
			},
		}}, nil
	case "h3":
		var keepAlive time.Duration
		if wanted.handover.afterBytes > 0 {
			keepAlive = movedKeepAlive
		}
		return &http3.Transport{
			DisableCompression: true,
			TLSClientConfig:    wanted.trust(),
			QUICConfig: &quic.Config{
				InitialStreamReceiveWindow:     streamWindowBytes,
				MaxStreamReceiveWindow:         streamWindowBytes,
				InitialConnectionReceiveWindow: connectionWindowBytes,
				MaxConnectionReceiveWindow:     connectionWindowBytes,
				// Writes into the folder that QLOGDIR names, and nothing without it.
				Tracer:          qlog.DefaultConnectionTracer,
				KeepAlivePeriod: keepAlive,
				TokenStore:      wanted.tokens,
			},
			Dial: func(ctx context.Context, host string, config *tls.Config, quicConfig *quic.Config) (*quic.Conn, error) {
				began := time.Now()
				connection, err := dialQuic(ctx, wanted, host, config, quicConfig, last)
				if err == nil {
					tell(host, began, time.Now())
				}
				return connection, err
			},
		}, nil
	}
	return nil, fmt.Errorf("unknown protocol %q", wanted.protocol)
}

func dialTLS(ctx context.Context, wanted options, network, host string, config *tls.Config, last *dialled) (net.Conn, error) {
	dialer := &net.Dialer{}
	if wanted.local != nil {
		dialer.LocalAddr = &net.TCPAddr{IP: wanted.local}
	}
	connection, err := (&tls.Dialer{NetDialer: dialer, Config: config}).DialContext(ctx, network, wanted.addressOf(host))
	if err != nil {
		return nil, err
	}
	last.mutex.Lock()
	defer last.mutex.Unlock()
	last.tls = connection.(*tls.Conn)
	last.tcp, _ = last.tls.NetConn().(*net.TCPConn)
	return connection, nil
}

// dialQuic gives the client connection IDs, without which no connection can move to another address.
func dialQuic(ctx context.Context, wanted options, host string, config *tls.Config, quicConfig *quic.Config, last *dialled) (*quic.Conn, error) {
	remote, err := net.ResolveUDPAddr("udp", wanted.addressOf(host))
	if err != nil {
		return nil, err
	}
	var local *net.UDPAddr
	if wanted.local != nil {
		local = &net.UDPAddr{IP: wanted.local}
	}
	socket, err := net.ListenUDP("udp", local)
	if err != nil {
		return nil, err
	}
	var carrier net.PacketConn = socket
	var shutter *gate
	if wanted.handover.afterBytes > 0 {
		// Without what quic-go does with plain UDP sockets to send and receive many packets at once.
		shutter = &gate{PacketConn: socket, heard: make(chan struct{})}
		carrier = shutter
	}
	dial := (&quic.Transport{Conn: carrier}).Dial
	if wanted.resume == resumeZeroRTT {
		dial = (&quic.Transport{Conn: carrier}).DialEarly
	}
	connection, err := dial(ctx, remote, config, quicConfig)
	if err != nil {
		return nil, err
	}
	last.mutex.Lock()
	defer last.mutex.Unlock()
	last.quic, last.gate = connection, shutter
	return connection, nil
}
