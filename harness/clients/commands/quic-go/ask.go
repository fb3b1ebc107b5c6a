package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"strings"
	"time"
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

// askAll sends one request after the other; redirects are answers, and no coding is undone.
func askAll(wanted options) error {
	transport, err := transportFor(wanted, func(string, time.Time, time.Time) {}, &dialled{})
	if err != nil {
		return err
	}
	requests := json.NewDecoder(os.Stdin)
	for requests.More() {
		var asked request
		if err := requests.Decode(&asked); err != nil {
			return err
		}
		outgoing, err := http.NewRequest(asked.Method, asked.URL, strings.NewReader(asked.Body))
		if err != nil {
			return err
		}
		for name, value := range asked.Headers {
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
		if err := printLine(answer{response.Proto, response.StatusCode, response.Header, sum}); err != nil {
			return err
		}
	}
	return nil
}
