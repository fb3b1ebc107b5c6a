// Command go-origin is a server of Go's net/http (HTTP/1.1, HTTP/2) and quic-go (HTTP/3) on one port that obeys the client's
// priorities (RFC 9218) on both protocols, or on neither: the origin by which a page shows what priorities are worth.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const stopLimit = 500 * time.Millisecond

func main() {
	configFile := flag.String("config", "", "file with the configuration (JSON)")
	version := flag.Bool("version", false, "print versions and end")
	flag.Parse()
	if *version {
		fmt.Printf("%s quic-go %s%s\n", strings.TrimPrefix(runtime.Version(), "go"), versionOf("github.com/quic-go/quic-go"), faultWords())
		return
	}
	if err := serve(*configFile); err != nil && !errors.Is(err, http.ErrServerClosed) {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
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

func serve(configFile string) error {
	wanted, err := readConfig(configFile)
	if err != nil {
		return err
	}
	log, err := openAccessLog(wanted.AccessLog)
	if err != nil {
		return err
	}
	certificates, err := loadCertificates(wanted.Hosts)
	if err != nil {
		return err
	}
	handler := log.around(withPinned(wanted, certificates, newHosts(wanted)))
	tcp, listener, err := overTCP(wanted, certificates, withWebSockets(wanted, log, handler))
	if err != nil {
		return err
	}
	var echo *webTransport
	if wanted.echoesAny() {
		echo = newWebTransport(wanted, log)
	}
	quic, err := overQUIC(wanted, certificates, handler, echo)
	if err != nil {
		return err
	}
	// What the servers were really given, for those who read it back.
	fmt.Println(asJSON(map[string]bool{"prioritiesOverTCP": !tcp.DisableClientPriority, "prioritiesOverQUIC": quic.priorities}))
	ended := make(chan error, 2)
	go func() { ended <- tcp.ServeTLS(listener, "", "") }()
	go func() { ended <- quic.serve() }()
	return untilStopped(tcp, ended)
}

// untilStopped waits for the signal to end, or for a server that ended by itself.
func untilStopped(tcp *http.Server, ended <-chan error) error {
	stopped, cancel := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer cancel()
	select {
	case err := <-ended:
		return err
	case <-stopped.Done():
		limited, cancelLimit := context.WithTimeout(context.Background(), stopLimit)
		defer cancelLimit()
		return tcp.Shutdown(limited)
	}
}

// overTCP makes the server of HTTP/1.1 and HTTP/2 and its listening socket: an inherited one, or its own.
func overTCP(wanted *config, certificates certificates, handler http.Handler) (*http.Server, net.Listener, error) {
	settings := certificates.settings()
	settings.MaxVersion = wanted.newestTLS()
	settings.NextProtos = []string{"h2", "http/1.1"}
	server := &http.Server{
		Handler:               withAltSvc(wanted.AltSvc, handler),
		TLSConfig:             settings,
		DisableClientPriority: !wanted.Priorities,
	}
	if wanted.InheritedSocket == 0 {
		listener, err := net.Listen("tcp", wanted.place())
		return server, listener, err
	}
	file := os.NewFile(uintptr(wanted.InheritedSocket), "listening socket")
	listener, err := net.FileListener(file)
	return server, listener, err
}

// withAltSvc says over TCP where HTTP/3 can be had.
func withAltSvc(value string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Alt-Svc", value)
		next.ServeHTTP(w, r)
	})
}

func (wanted *config) place() string {
	return net.JoinHostPort(wanted.Address, strconv.Itoa(wanted.Port))
}

func asJSON(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(text)
}
