package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"

	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/http3"
	"github.com/quic-go/quic-go/qlog"
)

// quic-go sent streams of equal urgency in turn before it knew priorities: so are all of them without.
const (
	usualUrgency = 3
	inTurn       = true
)

// quicServer is HTTP/3 with a switch for priorities, which quic-go has not: each connection is served stream by stream here.
type quicServer struct {
	http3      *http3.Server
	listener   *quic.EarlyListener
	priorities bool
	// Packets with which a connection begins; 0: as many as quic-go has.
	initialWindow int
	// Of `planted-faults.go`.
	faults []string
	// Nil where no host exchanges messages.
	echo *webTransport
}

func overQUIC(wanted *config, certificates certificates, handler http.Handler, echo *webTransport) (*quicServer, error) {
	faults, err := plantedFaults()
	if err != nil {
		return nil, err
	}
	socket, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.ParseIP(wanted.Address), Port: wanted.Port})
	if err != nil {
		return nil, err
	}
	transport := &quic.Transport{Conn: socket}
	settings := certificates.settings()
	server := &quicServer{priorities: wanted.Priorities, initialWindow: wanted.InitialWindowPackets, faults: faults, echo: echo}
	server.http3 = &http3.Server{Handler: server.streamed(takingTurns(faults, handler))}
	// Writes a qlog where the environment names a folder for it (QLOGDIR).
	own := &quic.Config{Tracer: qlog.DefaultConnectionTracer}
	if echo != nil {
		echo.configure(own, server.http3)
		server.http3.Handler = echo.around(server.http3.Handler)
	}
	plantFaults(faults, transport, settings, own)
	server.listener, err = transport.ListenEarly(http3.ConfigureTLSConfig(settings), own)
	return server, err
}

func (server *quicServer) serve() error {
	for {
		connection, err := server.listener.Accept(context.Background())
		if err != nil {
			return err
		}
		go server.serveConnection(connection)
	}
}

func (server *quicServer) prepare(connection *quic.Conn) error {
	if server.initialWindow > 0 {
		if err := setInitialWindow(connection, server.initialWindow); err != nil {
			return err
		}
	}
	return beginFaults(server.faults, connection)
}

func (server *quicServer) serveConnection(connection *quic.Conn) {
	if err := server.prepare(connection); err != nil {
		fmt.Fprintln(os.Stderr, err)
		_ = connection.CloseWithError(quic.ApplicationErrorCode(http3.ErrCodeInternalError), "")
		return
	}
	raw, err := server.http3.NewRawServerConn(connection)
	if err != nil {
		return
	}
	if server.echo != nil {
		defer server.echo.forget(connection)
	}
	go server.acceptUnidirectional(connection, raw)
	for {
		stream, err := connection.AcceptStream(context.Background())
		if err != nil {
			return
		}
		go func() {
			if server.echo == nil || !server.echo.takes(connection, stream) {
				raw.HandleRequestStream(stream)
			}
		}()
	}
}

// acceptUnidirectional reads the client's control stream, on which it changes priorities later; without priorities what comes
// there is read and forgotten: the client's settings are of things that are not used, but for messages.
func (server *quicServer) acceptUnidirectional(connection *quic.Conn, raw *http3.RawServerConn) {
	for {
		stream, err := connection.AcceptUniStream(context.Background())
		if err != nil {
			return
		}
		// Datagrams come once the client's settings are known.
		if server.priorities || server.echo != nil {
			go raw.HandleUnidirectionalStream(stream)
			continue
		}
		go func() { _, _ = io.Copy(io.Discard, stream) }()
	}
}

// streamed gives a handler a writer that sends bodies on the stream itself, in either case alike. quic-go has set the stream's
// priority by the request's field then, and nothing but the answer's head was sent: without priorities that is taken back.
func (server *quicServer) streamed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := &streamWriter{ResponseWriter: w, priorities: server.priorities}
		defer answer.end()
		// By this net/http's own reverse proxy knows that it may break off an answer that ended too soon.
		served := context.WithValue(r.Context(), http.ServerContextKey, &http.Server{})
		next.ServeHTTP(answer, r.WithContext(served))
		answer.whole = true
	})
}

type streamWriter struct {
	http.ResponseWriter
	priorities bool
	stream     *http3.Stream
	// The handler came to its end.
	whole bool
}

func (answer *streamWriter) WriteHeader(status int) {
	if answer.stream != nil {
		return
	}
	answer.ResponseWriter.WriteHeader(status)
	if status < 200 {
		return
	}
	stream, err := answer.ResponseWriter.(http3.HTTPStreamer).HTTPStream()
	if err != nil {
		// The client has gone.
		panic(http.ErrAbortHandler)
	}
	answer.stream = stream
	if !answer.priorities {
		answer.stream.SetPriority(usualUrgency, inTurn)
	}
}

func (answer *streamWriter) Write(part []byte) (int, error) {
	answer.WriteHeader(http.StatusOK)
	return answer.stream.Write(part)
}

// FlushError has nothing to do: what is written to a stream is not held back.
func (answer *streamWriter) FlushError() error {
	return nil
}

func (answer *streamWriter) end() {
	if !answer.whole {
		if answer.stream != nil {
			answer.stream.CancelRead(quic.StreamErrorCode(http3.ErrCodeInternalError))
			answer.stream.CancelWrite(quic.StreamErrorCode(http3.ErrCodeInternalError))
		}
		return
	}
	answer.WriteHeader(http.StatusOK)
	answer.stream.CancelRead(quic.StreamErrorCode(http3.ErrCodeNoError))
	answer.stream.Close()
}
