// Command light-client downloads one URL over HTTP/2 or HTTP/3, throws the body away and prints
// what it took as JSON: the cheapest client there is, to see what the server alone can do.
package main

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
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

type request struct {
	Method  string            `json:"method"`
	URL     string            `json:"url"`
	Headers map[string]string `json:"headers"`
	Body    string            `json:"body"`
}

type answer struct {
	Protocol string      `json:"protocol"`
	Status   int         `json:"status"`
	Headers  http.Header `json:"headers"`
	// Of the body as it was on the wire, in hexadecimal.
	BodySha256 string `json:"bodySha256"`
}

func main() {
	protocol := flag.String("protocol", "h2", "h2 or h3")
	address := flag.String("address", "", "IP address and port to connect to, whatever the URL's host is")
	ask := flag.Bool("ask", false, "read requests from standard input, a line of JSON each, and print their answers")
	flag.Parse()
	if *ask {
		if err := askAll(*protocol, *address); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
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

// askAll sends one request after the other; redirects are answers, and no coding is undone.
func askAll(protocol, address string) error {
	transport, err := transportFor(protocol, address)
	if err != nil {
		return err
	}
	requests, answers := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for requests.More() {
		var wanted request
		if err := requests.Decode(&wanted); err != nil {
			return err
		}
		outgoing, err := http.NewRequest(wanted.Method, wanted.URL, strings.NewReader(wanted.Body))
		if err != nil {
			return err
		}
		for name, value := range wanted.Headers {
			outgoing.Header.Set(name, value)
		}
		response, err := transport.RoundTrip(outgoing)
		if err != nil {
			return err
		}
		hash := sha256.New()
		_, err = io.Copy(hash, response.Body)
		response.Body.Close()
		if err != nil {
			return err
		}
		sum := hex.EncodeToString(hash.Sum(nil))
		if err := answers.Encode(answer{response.Proto, response.StatusCode, response.Header, sum}); err != nil {
			return err
		}
	}
	return nil
}

// The certificate is the project's own, made for this machine only.
func transportFor(protocol, address string) (http.RoundTripper, error) {
	trust := &tls.Config{InsecureSkipVerify: true}
	switch protocol {
	case "h2":
		return &http2.Transport{
			DisableCompression: true,
			TLSClientConfig:    trust,
			DialTLSContext: func(ctx context.Context, network, _ string, config *tls.Config) (net.Conn, error) {
				return (&tls.Dialer{Config: config}).DialContext(ctx, network, address)
			},
		}, nil
	case "h3":
		return &http3.Transport{
			DisableCompression: true,
			TLSClientConfig:    trust,
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
