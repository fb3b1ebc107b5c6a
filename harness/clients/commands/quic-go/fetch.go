package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"github.com/quic-go/quic-go/http3"
)

const readBufferBytes = 1 << 20

var errTimeLimit = errors.New("the time limit was reached")

// transfer is one answer; times in ms after the program began to fetch.
type transfer struct {
	URL             string      `json:"url"`
	Status          int         `json:"status"`
	Protocol        string      `json:"protocol"`
	BodyBytes       int64       `json:"bodyBytes"`
	SentBytes       int64       `json:"sentBytes,omitempty"`
	MimeType        string      `json:"mimeType"`
	ConnectStartMs  float64     `json:"connectStartMs"`
	ConnectEndMs    float64     `json:"connectEndMs"`
	RequestStartMs  float64     `json:"requestStartMs"`
	ResponseStartMs float64     `json:"responseStartMs"`
	EndMs           float64     `json:"endMs"`
	Handover        *handover   `json:"handover,omitempty"`
	Resumption      *resumption `json:"resumption,omitempty"`
	Error           string      `json:"error,omitempty"`
}

// handover is what became of a transfer whose address was lost.
type handover struct {
	LostMs float64 `json:"lostMs"`
	// When the first byte came that had not come before.
	RecoveredMs float64 `json:"recoveredMs"`
	// Of the request that was cut off, 0 where the connection moved: what of it is part of the body, and all that came.
	KeptBytes   int64 `json:"keptBytes"`
	BrokenBytes int64 `json:"brokenBytes"`
}

var protocolNames = map[string]string{"HTTP/1.1": "http/1.1", "HTTP/2.0": "h2", "HTTP/3.0": "h3"}

// connections remembers what it took to connect to each host, until the transfer that asked for it has taken it.
type connections struct {
	mutex  sync.Mutex
	byHost map[string][2]float64
}

func (known *connections) add(host string, startMs, endMs float64) {
	known.mutex.Lock()
	defer known.mutex.Unlock()
	known.byHost[host] = [2]float64{startMs, endMs}
}

func (known *connections) take(host string) [2]float64 {
	known.mutex.Lock()
	defer known.mutex.Unlock()
	times := known.byHost[host]
	delete(known.byHost, host)
	return times
}

// fetchAll asks for the addresses in this order, over one connection a host, and prints each transfer when it has ended.
func fetchAll(wanted options, addresses []string) error {
	ctx, cancel := context.WithCancel(context.Background())
	if wanted.limit > 0 {
		ctx, cancel = context.WithTimeout(context.Background(), wanted.limit)
	}
	defer cancel()
	if (wanted.handover.afterBytes > 0 || wanted.rivals > 0) && len(addresses) != 1 {
		return errors.New("an address can be lost, and rivals can be had, with one transfer alone")
	}
	var ticketBytes int64
	if wanted.resume != "" && len(addresses) > 0 {
		count, err := getTicket(ctx, wanted, addresses[0])
		if err != nil {
			return fmt.Errorf("the connection before: %w", err)
		}
		ticketBytes = count
	}
	began := time.Now()
	sinceBegan := func(at time.Time) float64 { return float64(at.Sub(began).Microseconds()) / 1000 }
	known := &connections{byHost: map[string][2]float64{}}
	tell := func(host string, from, to time.Time) { known.add(host, sinceBegan(from), sinceBegan(to)) }
	last := &dialled{}
	transport, err := transportFor(wanted, tell, last)
	if err != nil {
		return err
	}
	// Without it a server waits for acknowledgements that nobody sends any more.
	defer last.linger()
	defer transport.Close()
	received := &atomic.Int64{}
	var beside *rivals
	if len(addresses) > 0 {
		beside = startRivals(wanted, addresses[0], received)
	}
	transfers := make(chan transfer)
	go func() {
		defer close(transfers)
		var running sync.WaitGroup
		for index, address := range addresses {
			asked := make(chan struct{})
			fetcher := &fetcher{
				transport: transport, last: last, wanted: wanted, received: received, known: known, sinceBegan: sinceBegan,
				resumes: wanted.resume != "" && index == 0, ticketBytes: ticketBytes,
				address: address, asked: sync.OnceFunc(func() { close(asked) }),
			}
			running.Go(func() { transfers <- fetcher.fetch(ctx) })
			// The next is not asked for before this one, which may have to connect first.
			<-asked
		}
		running.Wait()
	}()
	failed := 0
	measured := []flow{}
	for ended := range transfers {
		if ended.Error != "" {
			failed++
		}
		measured = append(measured, flow{URL: ended.URL, Protocol: ended.Protocol, Bytes: ended.BodyBytes})
		if err := printLine(ended); err != nil {
			return err
		}
	}
	if beside != nil {
		if err := printLine(beside.end(measured)); err != nil {
			return err
		}
	}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return errTimeLimit
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d transfers failed", failed, len(addresses))
	}
	return nil
}

type fetcher struct {
	transport  http.RoundTripper
	last       *dialled
	wanted     options
	received   *atomic.Int64
	known      *connections
	sinceBegan func(time.Time) float64
	address    string
	// Whether it is to tell what became of the session that its connection takes up, and what the connection before brought.
	resumes     bool
	ticketBytes int64
	// Of the request's body, as far as the transport has taken it.
	sent atomic.Int64
	// To be called as soon as the request is on its way, or never will be.
	asked func()
}

func (one *fetcher) fetch(ctx context.Context) transfer {
	defer one.asked()
	result := transfer{URL: one.address}
	err := one.into(ctx, &result)
	if err == nil && one.resumes {
		result.Resumption, err = one.last.resumedBy(one.wanted, one.ticketBytes)
	}
	result.EndMs = one.sinceBegan(time.Now())
	result.SentBytes = one.sent.Load()
	if err != nil {
		result.Error = err.Error()
	}
	return result
}

func (one *fetcher) into(ctx context.Context, result *transfer) error {
	var askedAt time.Time
	trace := &httptrace.ClientTrace{WroteHeaders: func() {
		askedAt = time.Now()
		one.asked()
	}}
	response, err := one.ask(httptrace.WithClientTrace(ctx, trace), one.transport, 0)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	result.ResponseStartMs = one.sinceBegan(time.Now())
	times := one.known.take(hostAndPort(response.Request.URL))
	result.ConnectStartMs, result.ConnectEndMs = times[0], times[1]
	result.RequestStartMs = max(one.sinceBegan(askedAt), result.ConnectEndMs)
	result.Status = response.StatusCode
	result.Protocol = protocolNames[response.Proto]
	result.MimeType = response.Header.Get("Content-Type")
	if one.wanted.handover.afterBytes == 0 {
		return one.read(response.Body, &result.BodyBytes)
	}
	return one.readWithHandover(ctx, response, result)
}

func (one *fetcher) ask(ctx context.Context, through http.RoundTripper, fromByte int64) (*http.Response, error) {
	if one.wanted.bodyFile != "" {
		return one.send(ctx, through)
	}
	method := http.MethodGet
	if one.wanted.resume == resumeZeroRTT {
		// The name under which quic-go sends a GET as early data.
		method = http3.MethodGet0RTT
	}
	request, err := http.NewRequestWithContext(ctx, method, one.address, nil)
	if err != nil {
		return nil, err
	}
	if fromByte > 0 {
		request.Header.Set("Range", fmt.Sprintf("bytes=%d-", fromByte))
	}
	return through.RoundTrip(request)
}

func (one *fetcher) read(from io.Reader, into *int64) error {
	body := &counted{target: into, all: one.received}
	_, err := io.CopyBuffer(struct{ io.Writer }{body}, from, make([]byte, readBufferBytes))
	return err
}

// counted counts what it throws away, so that a transfer which breaks off has its bytes too.
type counted struct {
	target *int64
	all    *atomic.Int64
}

func (sink *counted) Write(bytes []byte) (int, error) {
	*sink.target += int64(len(bytes))
	sink.all.Add(int64(len(bytes)))
	return len(bytes), nil
}

func hostAndPort(address *url.URL) string {
	if address.Port() != "" {
		return address.Host
	}
	return address.Host + ":443"
}
