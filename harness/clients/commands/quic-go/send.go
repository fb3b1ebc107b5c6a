package main

import (
	"context"
	"net/http"
	"os"
	"sync/atomic"
)

// send asks with the file as the request's body.
func (one *fetcher) send(ctx context.Context, through http.RoundTripper) (*http.Response, error) {
	file, err := os.Open(one.wanted.bodyFile)
	if err != nil {
		return nil, err
	}
	about, err := file.Stat()
	if err != nil {
		file.Close()
		return nil, err
	}
	// The transport closes it.
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, one.address, &countedFile{file, &one.sent})
	if err != nil {
		file.Close()
		return nil, err
	}
	request.ContentLength = about.Size()
	if one.wanted.bodyType != "" {
		request.Header.Set("Content-Type", one.wanted.bodyType)
	}
	return through.RoundTrip(request)
}

// countedFile counts what is read from it.
type countedFile struct {
	file *os.File
	read *atomic.Int64
}

func (counted *countedFile) Read(into []byte) (int, error) {
	count, err := counted.file.Read(into)
	counted.read.Add(int64(count))
	return count, err
}

func (counted *countedFile) Close() error {
	return counted.file.Close()
}
