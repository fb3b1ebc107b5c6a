package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
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

// connected is told of each connection that was made: when it was begun, and when its handshake had ended.
type connected func(host string, began, ended time.Time)

// opened is told of each QUIC connection.
type opened func(ctx context.Context, connection *quic.Conn)

// transport carries requests and closes its connections.
type transport interface {
	http.RoundTripper
	io.Closer
}

type http2Transport struct{ *http2.Transport }

func (of http2Transport) Close() error {
	of.CloseIdleConnections()
	return nil
}

func transportFor(wanted options, tell connected, tellQuic opened) (transport, error) {
	switch wanted.protocol {
	case "h2":
		return http2Transport{&http2.Transport{
			DisableCompression: true,
			TLSClientConfig:    wanted.trust(),
			DialTLSContext: func(ctx context.Context, network, host string, config *tls.Config) (net.Conn, error) {
				began := time.Now()
				connection, err := (&tls.Dialer{Config: config}).DialContext(ctx, network, wanted.addressOf(host))
				if err == nil {
					tell(host, began, time.Now())
				}
				return connection, err
			},
		}}, nil
	case "h3":
		return &http3.Transport{
			DisableCompression: true,
			TLSClientConfig:    wanted.trust(),
			QUICConfig: &quic.Config{
				InitialStreamReceiveWindow:     streamWindowBytes,
				MaxStreamReceiveWindow:         streamWindowBytes,
				InitialConnectionReceiveWindow: connectionWindowBytes,
				MaxConnectionReceiveWindow:     connectionWindowBytes,
				// Writes into the folder that QLOGDIR names, and nothing without it.
				Tracer: qlog.DefaultConnectionTracer,
			},
			Dial: func(ctx context.Context, host string, config *tls.Config, quicConfig *quic.Config) (*quic.Conn, error) {
				began := time.Now()
				connection, err := dialQuic(ctx, wanted.addressOf(host), config, quicConfig)
				if err == nil {
					tell(host, began, time.Now())
					tellQuic(ctx, connection)
				}
				return connection, err
			},
		}, nil
	}
	return nil, fmt.Errorf("unknown protocol %q", wanted.protocol)
}

// dialQuic gives the client connection IDs, without which no connection can move to another address.
func dialQuic(ctx context.Context, address string, config *tls.Config, quicConfig *quic.Config) (*quic.Conn, error) {
	remote, err := net.ResolveUDPAddr("udp", address)
	if err != nil {
		return nil, err
	}
	socket, err := net.ListenUDP("udp", nil)
	if err != nil {
		return nil, err
	}
	return (&quic.Transport{Conn: socket}).Dial(ctx, remote, config, quicConfig)
}
