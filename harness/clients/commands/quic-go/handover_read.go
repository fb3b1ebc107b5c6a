package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// readWithHandover loses the address when enough has come: a QUIC connection moves to the other one, a TCP connection ends
// and the rest, or all, is asked for again from there. The client knows of the loss at once, as one is told by its system.
func (one *fetcher) readWithHandover(ctx context.Context, response *http.Response, result *transfer) error {
	wanted := one.wanted.handover
	if err := one.read(io.LimitReader(response.Body, wanted.afterBytes), &result.BodyBytes); err != nil {
		return err
	}
	if result.BodyBytes < wanted.afterBytes {
		return errors.New("the transfer had ended before the address was to be lost")
	}
	local, err := addressTowards(one.wanted.addressOf(hostAndPort(response.Request.URL)))
	if err != nil {
		return err
	}
	other, err := otherAddress(local)
	if err != nil {
		return err
	}
	result.Handover = &handover{LostMs: one.sinceBegan(time.Now())}
	if one.wanted.protocol == "h3" && wanted.rebind {
		return one.readMoved(response.Body, result, func() error { return one.last.gate.rebind(ctx) })
	}
	if one.wanted.protocol == "h3" && !wanted.reconnect && !wanted.restart {
		return one.readMoved(response.Body, result, func() error {
			return migrate(ctx, one.last.quic, one.last.gate, other)
		})
	}
	// What had come already, and nobody read yet, is lost with the connection.
	one.last.cut()
	response.Body.Close()
	wantedThere := one.wanted
	wantedThere.local = other
	wantedThere.handover = handoverRequest{}
	there, err := transportFor(wantedThere, func(string, time.Time, time.Time) {}, &dialled{})
	if err != nil {
		return err
	}
	defer there.Close()
	return one.readAgain(ctx, there, result)
}

// readMoved goes on with the body of a connection that moves. What was under way before is read meanwhile, so that the
// first read that ends after the move brings what came at the other address.
func (one *fetcher) readMoved(body io.ReadCloser, result *transfer, move func() error) error {
	moved := make(chan error, 1)
	go func() {
		err := move()
		moved <- err
		if err != nil {
			// Nothing comes any more, and nobody would wait for it in vain.
			body.Close()
		}
	}()
	buffer := make([]byte, readBufferBytes)
	sink := &counted{target: &result.BodyBytes, all: one.received}
	hasMoved := false
	for {
		count, err := body.Read(buffer)
		at := time.Now()
		sink.Write(buffer[:count])
		if !hasMoved {
			select {
			case failure := <-moved:
				if failure != nil {
					return fmt.Errorf("the address was not changed: %w", failure)
				}
				hasMoved = true
				result.Handover.RecoveredMs = one.sinceBegan(at)
			default:
			}
		}
		switch {
		case err == io.EOF && hasMoved:
			return nil
		case err == io.EOF:
			return errors.New("the transfer had ended before the address was changed")
		case err != nil:
			return err
		}
	}
}

// readAgain asks from the new address for the rest of the body, or for all of it.
func (one *fetcher) readAgain(ctx context.Context, there http.RoundTripper, result *transfer) error {
	had := result.BodyBytes
	result.Handover.BrokenBytes = had
	from := had
	if one.wanted.handover.restart {
		from = 0
	}
	result.Handover.KeptBytes = from
	result.BodyBytes = 0
	response, err := one.ask(ctx, there, from)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	result.Status = response.StatusCode
	result.Protocol = protocolNames[response.Proto]
	if from > 0 && response.StatusCode != http.StatusPartialContent {
		return fmt.Errorf("the server answered a request for the rest with status %d", response.StatusCode)
	}
	// What had come before comes first where all was asked for again.
	if err := one.read(io.LimitReader(response.Body, had-from), &result.BodyBytes); err != nil {
		return err
	}
	if err := one.firstByte(response.Body, result); err != nil {
		return err
	}
	return one.read(response.Body, &result.BodyBytes)
}

// firstByte waits for a byte that had not come before.
func (one *fetcher) firstByte(body io.Reader, result *transfer) error {
	if err := one.read(io.LimitReader(body, 1), &result.BodyBytes); err != nil {
		return err
	}
	result.Handover.RecoveredMs = one.sinceBegan(time.Now())
	return nil
}
