package main

import (
	"bufio"
	"crypto/sha1"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"
)

// RFC 6455, 1.3: what the accepted key is hashed with.
const acceptSuffix = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

// RFC 6455, 5.2.
const (
	finalBit  = 0x80
	maskedBit = 0x80
	opClose   = 0x8
	opPing    = 0x9
	opPong    = 0xa
)

// withWebSockets sends back each message of a WebSocket, over HTTP/1.1 (RFC 6455) or on a stream of HTTP/2 (RFC 8441), which
// net/http takes where GODEBUG has http2xconnect=1.
func withWebSockets(wanted *config, log *accessLog, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != wanted.MessagesPath || !wanted.echoes(hostOf(r)) {
			next.ServeHTTP(w, r)
			return
		}
		start := time.Now()
		counted := new(tally)
		status, err := echoSocket(w, r, counted)
		if err != nil {
			http.Error(w, err.Error(), status)
		}
		log.session(r, &counter{ResponseWriter: w, status: status}, start, counted.over("websocket"))
	})
}

// echoSocket ends with the socket. An error is said before the socket is there.
func echoSocket(w http.ResponseWriter, r *http.Request, counted *tally) (int, error) {
	control := http.NewResponseController(w)
	if r.Method == http.MethodConnect {
		if err := control.EnableFullDuplex(); err != nil {
			return http.StatusInternalServerError, err
		}
		w.WriteHeader(http.StatusOK)
		if err := control.Flush(); err != nil {
			return http.StatusOK, nil
		}
		echoFrames(bufio.NewReader(r.Body), w, control.Flush, counted)
		return http.StatusOK, nil
	}
	key := r.Header.Get("Sec-WebSocket-Key")
	if key == "" || !strings.EqualFold(r.Header.Get("Upgrade"), "websocket") {
		return http.StatusUpgradeRequired, errors.New("messages are exchanged over a WebSocket here")
	}
	connection, buffered, err := control.Hijack()
	if err != nil {
		return http.StatusInternalServerError, err
	}
	defer connection.Close()
	hash := sha1.Sum([]byte(key + acceptSuffix))
	_, _ = buffered.WriteString("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: " +
		base64.StdEncoding.EncodeToString(hash[:]) + "\r\n\r\n")
	if err := buffered.Flush(); err != nil {
		return http.StatusSwitchingProtocols, nil
	}
	echoFrames(buffered.Reader, buffered, buffered.Flush, counted)
	return http.StatusSwitchingProtocols, nil
}

// echoFrames sends frames back as they come, each at once, until the socket is closed.
func echoFrames(reader *bufio.Reader, writer io.Writer, flush func() error, counted *tally) {
	begunBytes := 0
	for {
		first, body, err := readFrame(reader)
		if err != nil {
			return
		}
		opcode := first & 0x0f
		if opcode == opPing {
			first = finalBit | opPong
		}
		isMessage := opcode < opClose
		if isMessage {
			begunBytes += len(body)
		}
		isWhole := isMessage && first&finalBit != 0
		if isWhole {
			counted.came(begunBytes)
			begunBytes = 0
		}
		if opcode == opPong {
			continue
		}
		if _, err := writer.Write(frameOf(first, body)); err != nil {
			return
		}
		if flush() != nil || opcode == opClose {
			return
		}
		if isWhole {
			counted.returned.Add(1)
		}
	}
}

// readFrame gives a frame's first byte and its unmasked body.
func readFrame(reader *bufio.Reader) (byte, []byte, error) {
	var head [2]byte
	if _, err := io.ReadFull(reader, head[:]); err != nil {
		return 0, nil, err
	}
	length, err := lengthOf(reader, head[1]&^maskedBit)
	if err != nil {
		return 0, nil, err
	}
	var mask [4]byte
	if head[1]&maskedBit != 0 {
		if _, err := io.ReadFull(reader, mask[:]); err != nil {
			return 0, nil, err
		}
	}
	body := make([]byte, length)
	if _, err := io.ReadFull(reader, body); err != nil {
		return 0, nil, err
	}
	for i := range body {
		body[i] ^= mask[i%len(mask)]
	}
	return head[0], body, nil
}

// Values of a frame's short length that say how many bytes of the length follow.
const (
	lengthIn2 = 126
	lengthIn8 = 127
)

func lengthOf(reader io.Reader, short byte) (uint64, error) {
	var more [8]byte
	switch short {
	case lengthIn2:
		if _, err := io.ReadFull(reader, more[6:]); err != nil {
			return 0, err
		}
	case lengthIn8:
		if _, err := io.ReadFull(reader, more[:]); err != nil {
			return 0, err
		}
	default:
		return uint64(short), nil
	}
	length := binary.BigEndian.Uint64(more[:])
	if length > maxMessageBytes {
		return 0, errors.New("the frame is too long")
	}
	return length, nil
}

// frameOf makes a frame of a server, which masks nothing.
func frameOf(first byte, body []byte) []byte {
	frame := []byte{first}
	switch {
	case len(body) < lengthIn2:
		frame = append(frame, byte(len(body)))
	case len(body) <= 0xffff:
		frame = binary.BigEndian.AppendUint16(append(frame, lengthIn2), uint16(len(body)))
	default:
		frame = binary.BigEndian.AppendUint64(append(frame, lengthIn8), uint64(len(body)))
	}
	return append(frame, body...)
}
