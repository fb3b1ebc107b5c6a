package main

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/http3"
	"github.com/quic-go/quic-go/quicvarint"
)

// WebTransport over HTTP/3 (draft-ietf-webtrans-http3), as far as an echo needs it: webtransport-go wants an older quic-go, and
// hides which stream a message came by.
const (
	// Settings of the draft that Chromium and Firefox speak.
	settingWebTransport = 0x2b603742
	// What a stream of a session begins with, before the session's number: a varint of two bytes.
	streamOfSession = 0x41
	// A stream each and nothing read yet: more than any workload sends within a round trip of seconds.
	maxStreams = 10_000
)

// webTransport echoes the messages of sessions.
type webTransport struct {
	wanted *config
	log    *accessLog
	mutex  sync.Mutex
	// Counts of the sessions by connection and number: streams may come before the request that they belong to.
	sessions map[*quic.Conn]map[uint64]*tally
}

func newWebTransport(wanted *config, log *accessLog) *webTransport {
	return &webTransport{wanted: wanted, log: log, sessions: map[*quic.Conn]map[uint64]*tally{}}
}

func (echo *webTransport) configure(settings *quic.Config, server *http3.Server) {
	settings.EnableDatagrams = true
	settings.EnableStreamResetPartialDelivery = true
	settings.MaxIncomingStreams = maxStreams
	server.EnableDatagrams = true
	server.ConnContext = func(ctx context.Context, connection *quic.Conn) context.Context {
		return context.WithValue(ctx, connectionKey{}, connection)
	}
	server.AdditionalSettings = map[uint64]uint64{settingWebTransport: 1}
}

func (echo *webTransport) of(connection *quic.Conn, session uint64) *tally {
	echo.mutex.Lock()
	defer echo.mutex.Unlock()
	sessions := echo.sessions[connection]
	if sessions == nil {
		sessions = map[uint64]*tally{}
		echo.sessions[connection] = sessions
	}
	if sessions[session] == nil {
		sessions[session] = new(tally)
	}
	return sessions[session]
}

func (echo *webTransport) forget(connection *quic.Conn) {
	echo.mutex.Lock()
	defer echo.mutex.Unlock()
	delete(echo.sessions, connection)
}

// takes echoes a stream that belongs to a session, and says whether it did.
func (echo *webTransport) takes(connection *quic.Conn, stream *quic.Stream) bool {
	var begin [2]byte
	if _, err := stream.Peek(begin[:]); err != nil {
		return false
	}
	if kind, _, err := quicvarint.Parse(begin[:]); err != nil || kind != streamOfSession {
		return false
	}
	reader := quicvarint.NewReader(stream)
	if _, err := quicvarint.Read(reader); err != nil {
		return true
	}
	session, err := quicvarint.Read(reader)
	if err != nil {
		return true
	}
	counted := echo.of(connection, session)
	counted.streams.Add(1)
	defer stream.Close()
	echoLengths(bufio.NewReader(stream), stream, counted)
	return true
}

type connectionKey struct{}

// around answers the request that opens a session; the next handler answers all others.
func (echo *webTransport) around(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodConnect || r.URL.Path != echo.wanted.MessagesPath || !echo.wanted.echoes(hostOf(r)) {
			next.ServeHTTP(w, r)
			return
		}
		start := time.Now()
		w.Header().Set("Sec-Webtransport-Http3-Draft", "draft02")
		w.WriteHeader(http.StatusOK)
		stream, err := w.(http3.HTTPStreamer).HTTPStream()
		if err != nil {
			return
		}
		connection, _ := r.Context().Value(connectionKey{}).(*quic.Conn)
		counted := echo.of(connection, uint64(stream.StreamID()))
		go echoDatagrams(stream, counted, r)
		// The page closes the session, or is gone.
		_, _ = io.Copy(io.Discard, stream)
		_ = stream.Close()
		echo.log.session(r, &counter{ResponseWriter: w, status: http.StatusOK}, start, counted.over("webtransport"))
	})
}

func echoDatagrams(stream *http3.Stream, counted *tally, r *http.Request) {
	for {
		datagram, err := stream.ReceiveDatagram(r.Context())
		if err != nil {
			return
		}
		counted.datagrams.Add(1)
		counted.came(len(datagram))
		if stream.SendDatagram(datagram) == nil {
			counted.returned.Add(1)
		}
	}
}
