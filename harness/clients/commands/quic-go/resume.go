package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// How a connection begins that resumes an earlier one's session.
const (
	resumeSession  = "session"
	resumeZeroRTT  = "0rtt"
	firstByteRange = "bytes=0-0"
)

// A server may send its ticket a little after its first answer.
const ticketLimit = 2 * time.Second

// resumption is what became of a connection that was to resume a session.
type resumption struct {
	// Whether the server took the session up again.
	Resumed bool `json:"resumed"`
	// Whether the request itself went out and was taken before the handshake had ended.
	EarlyData bool `json:"earlyData"`
	// Body bytes of the answer on the connection before, which gave the ticket.
	TicketBytes int64 `json:"ticketBytes"`
}

// tickets is a cache of sessions that says when it has got one.
type tickets struct {
	tls.ClientSessionCache
	came chan struct{}
}

func newTickets() *tickets {
	return &tickets{tls.NewLRUClientSessionCache(16), make(chan struct{}, 1)}
}

func (of *tickets) Put(key string, state *tls.ClientSessionState) {
	of.ClientSessionCache.Put(key, state)
	if state == nil {
		return
	}
	select {
	case of.came <- struct{}{}:
	default:
	}
}

// getTicket connects once, asks for the first byte of the address, and leaves with the session's ticket.
func getTicket(ctx context.Context, wanted options, address string) (int64, error) {
	wanted.handover = handoverRequest{}
	wanted.resume = ""
	transport, err := transportFor(wanted, func(string, time.Time, time.Time) {}, &dialled{})
	if err != nil {
		return 0, err
	}
	defer transport.Close()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return 0, err
	}
	request.Header.Set("Range", firstByteRange)
	response, err := transport.RoundTrip(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	count, err := io.Copy(io.Discard, response.Body)
	if err != nil {
		return count, err
	}
	select {
	case <-wanted.tickets.came:
		return count, nil
	case <-time.After(ticketLimit):
		return count, errors.New("the server gave no ticket to resume its session with")
	case <-ctx.Done():
		return count, ctx.Err()
	}
}

// resumedBy says what the newest connection made of the ticket; the handshake has ended by then.
func (last *dialled) resumedBy(wanted options, ticketBytes int64) (*resumption, error) {
	last.mutex.Lock()
	defer last.mutex.Unlock()
	told := &resumption{TicketBytes: ticketBytes}
	switch {
	case last.quic != nil:
		state := last.quic.ConnectionState()
		told.Resumed, told.EarlyData = state.TLS.DidResume, state.Used0RTT
	case last.tls != nil:
		told.Resumed = last.tls.ConnectionState().DidResume
	}
	if !told.Resumed {
		return told, errors.New("the server did not take the session up again")
	}
	if wanted.resume == resumeZeroRTT && !told.EarlyData {
		return told, errors.New("the server resumed the session, and took no early data")
	}
	return told, nil
}

func checkResume(how string) error {
	switch how {
	case "", resumeSession, resumeZeroRTT:
		return nil
	}
	return fmt.Errorf("-resume is %s or %s, not %q", resumeSession, resumeZeroRTT, how)
}
