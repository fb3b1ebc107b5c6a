package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

const sampleEvery = 100 * time.Millisecond

// flow is one of several that share the path, and what it had received at each sample.
type flow struct {
	URL      string  `json:"url"`
	Protocol string  `json:"protocol"`
	Bytes    int64   `json:"bytes"`
	Samples  []int64 `json:"samples"`
}

// contest is printed when the measured transfers have ended: all flows, the measured one first.
type contest struct {
	SampleMs float64 `json:"sampleMs"`
	Flows    []flow  `json:"flows"`
	// What the rivals asked for, one request after the other, and how much of each came.
	Requests []rivalRequest `json:"requests"`
}

type rivalRequest struct {
	URL string `json:"url"`
	// Empty: no answer came before the end.
	Protocol string `json:"protocol"`
	Bytes    int64  `json:"bytes"`
}

// rivals are connections that load from the same server for as long as the measured transfers run.
type rivals struct {
	wanted   options
	counts   []*atomic.Int64
	measured *atomic.Int64
	samples  [][]int64
	mutex    sync.Mutex
	requests []rivalRequest
	running  sync.WaitGroup
	stop     context.CancelFunc
}

// startRivals begins with all of them at once; nil where none are wanted.
func startRivals(wanted options, address string, measured *atomic.Int64) *rivals {
	if wanted.rivals == 0 {
		return nil
	}
	ctx, cancel := context.WithCancel(context.Background())
	all := &rivals{wanted: wanted, measured: measured, stop: cancel}
	for number := 1; number <= wanted.rivals; number++ {
		count := &atomic.Int64{}
		all.counts = append(all.counts, count)
		all.running.Go(func() { all.load(ctx, rivalAddress(address, number), count) })
	}
	all.samples = make([][]int64, 1+wanted.rivals)
	all.running.Go(func() { all.sample(ctx) })
	return all
}

func rivalAddress(address string, number int) string {
	separator := "?"
	if strings.Contains(address, "?") {
		separator = "&"
	}
	return fmt.Sprintf("%s%srival=%d", address, separator, number)
}

// load asks again as soon as a body has come, until it is stopped.
func (all *rivals) load(ctx context.Context, address string, count *atomic.Int64) {
	wanted := all.wanted
	wanted.protocol = wanted.rivalsProtocol
	line := &dialled{}
	transport, err := transportFor(wanted, func(string, time.Time, time.Time) {}, line)
	if err != nil {
		return
	}
	for round := 1; ctx.Err() == nil; round++ {
		asked := rivalRequest{URL: fmt.Sprintf("%s-%d", address, round)}
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, asked.URL, nil)
		if err != nil {
			return
		}
		response, err := transport.RoundTrip(request)
		if err == nil {
			asked.Protocol = protocolNames[response.Proto]
			asked.Bytes, _ = io.CopyBuffer(struct{ io.Writer }{adder{count}}, response.Body, make([]byte, readBufferBytes))
			response.Body.Close()
		}
		all.mutex.Lock()
		all.requests = append(all.requests, asked)
		all.mutex.Unlock()
		if err != nil {
			break
		}
	}
	line.cut()
}

func (all *rivals) sample(ctx context.Context) {
	ticker := time.NewTicker(sampleEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			all.samples[0] = append(all.samples[0], all.measured.Load())
			for index, count := range all.counts {
				all.samples[index+1] = append(all.samples[index+1], count.Load())
			}
		}
	}
}

// end stops them and tells what each had.
func (all *rivals) end(measured []flow) contest {
	bytes := []int64{}
	for _, count := range all.counts {
		bytes = append(bytes, count.Load())
	}
	all.stop()
	all.running.Wait()
	told := contest{SampleMs: float64(sampleEvery.Milliseconds()), Requests: all.requests}
	for _, one := range measured {
		one.Samples = all.samples[0]
		told.Flows = append(told.Flows, one)
	}
	for index, count := range bytes {
		told.Flows = append(told.Flows, flow{URL: fmt.Sprintf("rival %d", index+1), Protocol: all.wanted.rivalsProtocol, Bytes: count, Samples: all.samples[index+1]})
	}
	return told
}

// adder counts what is written to it.
type adder struct{ to *atomic.Int64 }

func (sink adder) Write(bytes []byte) (int, error) {
	sink.to.Add(int64(len(bytes)))
	return len(bytes), nil
}
