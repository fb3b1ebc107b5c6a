package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/quic-go/quic-go"
)

// addressChange is what was asked for; no time: none.
type addressChange struct {
	after time.Duration
	to    string
}

// changes moves QUIC connections to another local address on the way, and knows whether that came about.
type changes struct {
	wanted  addressChange
	mutex   sync.Mutex
	pending int
	done    int
	failure error
}

func newChanges(wanted addressChange) *changes {
	return &changes{wanted: wanted}
}

func (all *changes) begin(ctx context.Context, connection *quic.Conn) {
	if all.wanted.after == 0 {
		return
	}
	all.mutex.Lock()
	all.pending++
	all.mutex.Unlock()
	go func() {
		select {
		case <-ctx.Done():
		case <-connection.Context().Done():
		case <-time.After(all.wanted.after):
			all.end(move(ctx, connection, all.wanted.to))
		}
	}()
}

func (all *changes) end(err error) {
	all.mutex.Lock()
	defer all.mutex.Unlock()
	all.pending--
	if err != nil {
		all.failure = fmt.Errorf("the address was not changed: %w", err)
		return
	}
	all.done++
}

// move probes the path from another local address and sends everything that way once the server has answered there.
func move(ctx context.Context, connection *quic.Conn, to string) error {
	local, err := net.ResolveUDPAddr("udp", to)
	if err != nil {
		return err
	}
	socket, err := net.ListenUDP("udp", local)
	if err != nil {
		return err
	}
	path, err := connection.AddPath(&quic.Transport{Conn: socket})
	if err != nil {
		return err
	}
	if err := path.Probe(ctx); err != nil {
		return err
	}
	return path.Switch()
}

// outcome is an error unless every change that was asked for came about.
func (all *changes) outcome() error {
	all.mutex.Lock()
	defer all.mutex.Unlock()
	if all.failure != nil {
		return all.failure
	}
	if all.wanted.after > 0 && (all.pending > 0 || all.done == 0) {
		return errors.New("the transfers had ended before the address was to change")
	}
	return nil
}
