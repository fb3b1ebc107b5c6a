// Command light-client downloads one URL over HTTP/2 or HTTP/3, throws the body away and prints
// what it took as JSON: the cheapest client there is, to see what the server alone can do.
package main

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/http3"
	"golang.org/x/net/http2"
)

type result struct {
	Protocol string  `json:"protocol"`
	Bytes    int64   `json:"bytes"`
	Seconds  float64 `json:"seconds"`
}

// Windows that no path on one machine fills: the server is to be the limit.
const (
	streamWindowBytes     = 64 << 20
	connectionWindowBytes = 96 << 20
	readBufferBytes       = 1 << 20
)

func main() {
	protocol := flag.String("protocol", "h2", "h2 or h3")
	address := flag.String("address", "", "IP address and port to connect to, whatever the URL's host is")
	flag.Parse()
	if err := run(*protocol, *address, flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(protocol, address, url string) error {
	transport, err := transportFor(protocol, address)
	if err != nil {
		return err
	}
	start := time.Now()
	response, err := (&http.Client{Transport: transport}).Get(url)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	bytes, err := io.CopyBuffer(struct{ io.Writer }{io.Discard}, response.Body, make([]byte, readBufferBytes))
	if err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("status %s", response.Status)
	}
	return json.NewEncoder(os.Stdout).Encode(result{response.Proto, bytes, time.Since(start).Seconds()})
}

// The certificate is the project's own, made for this machine only.
func transportFor(protocol, address string) (http.RoundTripper, error) {
	trust := &tls.Config{InsecureSkipVerify: true}
	switch protocol {
	case "h2":
		return &http2.Transport{
			TLSClientConfig: trust,
			DialTLSContext: func(ctx context.Context, network, _ string, config *tls.Config) (net.Conn, error) {
				return (&tls.Dialer{Config: config}).DialContext(ctx, network, address)
			},
		}, nil
	case "h3":
		return &http3.Transport{
			TLSClientConfig: trust,
			QUICConfig: &quic.Config{
				InitialStreamReceiveWindow:     streamWindowBytes,
				MaxStreamReceiveWindow:         streamWindowBytes,
				InitialConnectionReceiveWindow: connectionWindowBytes,
				MaxConnectionReceiveWindow:     connectionWindowBytes,
			},
			Dial: func(ctx context.Context, _ string, config *tls.Config, quicConfig *quic.Config) (*quic.Conn, error) {
				return quic.DialAddr(ctx, address, config, quicConfig)
			},
		}, nil
	}
	return nil, fmt.Errorf("unknown protocol %q", protocol)
}
