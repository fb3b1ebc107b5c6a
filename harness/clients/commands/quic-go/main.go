// Command quic-go-client fetches addresses over HTTP/2 (golang.org/x/net) or HTTP/3 (quic-go), or sends a file to them, throws the
// answers' bodies away and prints a line of JSON for each: the cheapest client there is, and one that can lose its address on the way or have rivals.
package main

import (
	"crypto/sha256"
	"crypto/tls"
	"encoding/base64"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"github.com/quic-go/quic-go"
)

const timeLimitExitCode = 28

// What every way of using the program has in common.
type options struct {
	protocol string
	// IP address and port to connect to whatever the host of the address is; empty: as names resolve.
	address string
	// Base64 SHA-256 of the public key that servers must have; empty: certificates are judged as usual.
	spki string
	// The project's own certificates are made for one machine: `-ask` takes any.
	anyCertificate bool
	limit          time.Duration
	handover       handoverRequest
	// Connections that load beside the measured transfer, and over which protocol.
	rivals         int
	rivalsProtocol string
	// Where connections begin; nil: as the system chooses.
	local net.IP
	// How the measured connection resumes the session of one before it; empty: there is none before it.
	resume  string
	tickets *tickets
	// What servers gave to prove the client's address by: without it they send no more than three times what came before a round trip.
	tokens quic.TokenStore
	// What is sent with each request, and its type; empty: nothing is sent, no type is named.
	bodyFile string
	bodyType string
}

func main() {
	var wanted options
	limitSeconds := flag.Float64("limit", 0, "seconds after which to give up; 0: never")
	flag.StringVar(&wanted.protocol, "protocol", "h2", "h2 or h3")
	flag.StringVar(&wanted.address, "address", "", "IP address and port to connect to, whatever the address's host is")
	flag.StringVar(&wanted.spki, "spki", "", "Base64 SHA-256 of the public key that servers must have")
	flag.Int64Var(&wanted.handover.afterBytes, "handover-after", 0, "bytes of the body after which the local address is lost: HTTP/3 moves, HTTP/2 connects again and asks for the rest")
	flag.BoolVar(&wanted.handover.reconnect, "handover-reconnect", false, "over HTTP/3 too: connect again and ask for the rest")
	flag.BoolVar(&wanted.handover.restart, "handover-restart", false, "connect again and ask for all of it")
	flag.IntVar(&wanted.rivals, "rivals", 0, "connections that load from the same server meanwhile")
	flag.StringVar(&wanted.rivalsProtocol, "rivals-protocol", "h2", "h2 or h3: what they load over")
	flag.BoolVar(&wanted.handover.rebind, "handover-rebind", false, "the local port changes behind the connection's back, as when a NAT forgets it; over HTTP/2: connect again")
	flag.StringVar(&wanted.resume, "resume", "", "connect once before, and resume that session: session, or 0rtt with the request as early data")
	flag.StringVar(&wanted.bodyFile, "body", "", "file to send with each request, by POST")
	flag.StringVar(&wanted.bodyType, "body-type", "", "type of what it holds; empty: none is named")
	ask := flag.Bool("ask", false, "read requests from standard input, a line of JSON each, and print their answers")
	version := flag.Bool("version", false, "print versions and end")
	flag.Parse()
	wanted.limit = time.Duration(*limitSeconds * float64(time.Second))
	wanted.anyCertificate = *ask
	if err := checkResume(wanted.resume); err != nil {
		endWith(err)
	}
	if wanted.resume != "" {
		wanted.tickets = newTickets()
		wanted.tokens = quic.NewLRUTokenStore(16, 1)
	}
	switch {
	case *version:
		fmt.Printf("quic-go %s\nprotocols: h2 h3\n", versionOf("github.com/quic-go/quic-go"))
	case *ask:
		endWith(askAll(wanted))
	default:
		endWith(fetchAll(wanted, flag.Args()))
	}
}

func endWith(err error) {
	if err == nil {
		return
	}
	fmt.Fprintln(os.Stderr, err)
	if errors.Is(err, errTimeLimit) {
		os.Exit(timeLimitExitCode)
	}
	os.Exit(1)
}

// versionOf says which version of a module was built in.
func versionOf(module string) string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, dependency := range info.Deps {
			if dependency.Path == module {
				return strings.TrimPrefix(dependency.Version, "v")
			}
		}
	}
	return ""
}

func (wanted options) trust() *tls.Config {
	config := wanted.trusted()
	if wanted.tickets != nil {
		config.ClientSessionCache = wanted.tickets
	}
	return config
}

func (wanted options) trusted() *tls.Config {
	if wanted.spki == "" {
		return &tls.Config{InsecureSkipVerify: wanted.anyCertificate}
	}
	return &tls.Config{
		// The certificate is the project's own: what must be right is its key.
		InsecureSkipVerify: true,
		VerifyConnection: func(state tls.ConnectionState) error {
			sum := sha256.Sum256(state.PeerCertificates[0].RawSubjectPublicKeyInfo)
			if got := base64.StdEncoding.EncodeToString(sum[:]); got != wanted.spki {
				return fmt.Errorf("the server's key is %s, not %s", got, wanted.spki)
			}
			return nil
		},
	}
}

func (wanted options) addressOf(host string) string {
	if wanted.address != "" {
		return wanted.address
	}
	return host
}

func printLine(value any) error {
	return json.NewEncoder(os.Stdout).Encode(value)
}
