package main

import (
	"crypto/tls"
	"encoding/json"
	"net"
	"net/http"
	"os"
	"sync"
	"time"
)

// entry is one answer that has ended; times are milliseconds.
type entry struct {
	StartEpochMs float64 `json:"startEpochMs"`
	DurationMs   float64 `json:"durationMs"`
	Protocol     string  `json:"protocol"`
	Method       string  `json:"method"`
	Host         string  `json:"host"`
	Path         string  `json:"path"`
	Status       int     `json:"status"`
	Bytes        int64   `json:"bytes"`
	Announced    string  `json:"announced"`
	Client       string  `json:"client"`
	Port         string  `json:"port"`
	Resumed      bool    `json:"resumed"`
	Cipher       string  `json:"cipher"`
	// The field Priority of the request (RFC 9218), as it came; null: there was none.
	Priority *string `json:"priority"`
	// Of a session of messages.
	Messages *messageCounts `json:"messages,omitempty"`
}

// accessLog is a file with a line for each answer.
type accessLog struct {
	mutex sync.Mutex
	file  *os.File
}

func openAccessLog(place string) (*accessLog, error) {
	file, err := os.OpenFile(place, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	return &accessLog{file: file}, err
}

func (log *accessLog) write(ended entry) {
	line, err := json.Marshal(ended)
	if err != nil {
		return
	}
	log.mutex.Lock()
	defer log.mutex.Unlock()
	// A full disk costs the entry, and with it the trial that awaits it.
	_, _ = log.file.Write(append(line, '\n'))
}

// around logs each answer when the last of it was handed to its transport.
func (log *accessLog) around(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		counted := &counter{ResponseWriter: w}
		// A program behind that breaks off ends the answer by a panic.
		defer func() {
			log.write(entryOf(r, counted, start))
		}()
		next.ServeHTTP(counted, r)
	})
}

func entryOf(r *http.Request, counted *counter, start time.Time) entry {
	client, port, _ := net.SplitHostPort(r.RemoteAddr)
	ended := entry{
		StartEpochMs: float64(start.UnixMicro()) / 1000,
		DurationMs:   float64(time.Since(start).Microseconds()) / 1000,
		Protocol:     r.Proto,
		Method:       r.Method,
		Host:         r.Host,
		Path:         r.RequestURI,
		Status:       counted.status,
		Bytes:        counted.bytes,
		Announced:    counted.Header().Get("Content-Length"),
		Client:       client,
		Port:         port,
		Resumed:      r.TLS.DidResume,
		Cipher:       tls.CipherSuiteName(r.TLS.CipherSuite),
	}
	if ended.Status == 0 {
		ended.Status = http.StatusOK
	}
	if values := r.Header.Values("Priority"); len(values) > 0 {
		ended.Priority = &values[0]
	}
	return ended
}

// counter knows what an answer was.
type counter struct {
	http.ResponseWriter
	status int
	bytes  int64
}

func (counted *counter) WriteHeader(status int) {
	if status >= 200 {
		counted.status = status
	}
	counted.ResponseWriter.WriteHeader(status)
}

func (counted *counter) Write(part []byte) (int, error) {
	written, err := counted.ResponseWriter.Write(part)
	counted.bytes += int64(written)
	return written, err
}

// Unwrap lets http.ResponseController reach what it wraps.
func (counted *counter) Unwrap() http.ResponseWriter {
	return counted.ResponseWriter
}
