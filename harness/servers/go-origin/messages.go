package main

import (
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/binary"
	"io"
	"math"
	"net/http"
	"sync/atomic"
	"time"
)

// messageCounts is what came in one session of messages, each of which is sent back.
type messageCounts struct {
	// websocket or webtransport.
	Over          string `json:"over"`
	Received      int64  `json:"received"`
	Returned      int64  `json:"returned"`
	ReceivedBytes int64  `json:"receivedBytes"`
	Streams       int64  `json:"streams"`
	Datagrams     int64  `json:"datagrams"`
}

// tally counts while several streams of a session are read.
type tally struct {
	received, returned, receivedBytes, streams, datagrams atomic.Int64
}

func (counted *tally) came(bytes int) {
	counted.received.Add(1)
	counted.receivedBytes.Add(int64(bytes))
}

func (counted *tally) over(name string) *messageCounts {
	return &messageCounts{
		Over:          name,
		Received:      counted.received.Load(),
		Returned:      counted.returned.Load(),
		ReceivedBytes: counted.receivedBytes.Load(),
		Streams:       counted.streams.Load(),
		Datagrams:     counted.datagrams.Load(),
	}
}

// A longer message is none of ours: what announces one is broken.
const maxMessageBytes = 1 << 16

// Bytes of the length before each message on a stream.
const lengthBytes = 4

// echoLengths sends back each message of a stream: its length and itself.
func echoLengths(reader io.Reader, writer io.Writer, counted *tally) {
	for {
		var head [lengthBytes]byte
		if _, err := io.ReadFull(reader, head[:]); err != nil {
			return
		}
		length := binary.BigEndian.Uint32(head[:])
		if length > maxMessageBytes {
			return
		}
		message := make([]byte, lengthBytes+int(length))
		copy(message, head[:])
		if _, err := io.ReadFull(reader, message[lengthBytes:]); err != nil {
			return
		}
		counted.came(int(length))
		// Before it is sent: the page may close, and the log be written, before this goroutine runs on.
		counted.returned.Add(1)
		if _, err := writer.Write(message); err != nil {
			return
		}
	}
}

// session logs a session of messages when it has ended.
func (log *accessLog) session(r *http.Request, answer *counter, start time.Time, counts *messageCounts) {
	answer.bytes = counts.ReceivedBytes
	ended := entryOf(r, answer, start)
	if counts.Over == "webtransport" {
		// An extended CONNECT has its own protocol there.
		ended.Protocol = "HTTP/3.0"
	}
	ended.Messages = counts
	log.write(ended)
}

// pinned is what a page must know of a certificate to accept it by its hash (serverCertificateHashes of WebTransport).
type pinned struct {
	SHA256    string  `json:"sha256"`
	Days      float64 `json:"days"`
	Algorithm string  `json:"algorithm"`
}

func pinnedOf(leaf *x509.Certificate) pinned {
	hash := sha256.Sum256(leaf.Raw)
	return pinned{
		SHA256:    base64.StdEncoding.EncodeToString(hash[:]),
		Days:      math.Ceil(leaf.NotAfter.Sub(leaf.NotBefore).Hours() / 24),
		Algorithm: leaf.PublicKeyAlgorithm.String(),
	}
}

// withPinned tells pages the certificate of their host, before they open a session.
func withPinned(wanted *config, certificates certificates, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := hostOf(r)
		leaf := certificates.byHost[name]
		if leaf == nil || !wanted.echoes(name) || r.URL.Path != wanted.MessagesPath+"/certificate" {
			next.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-store")
		_, _ = io.WriteString(w, asJSON(pinnedOf(leaf.Leaf)))
	})
}
