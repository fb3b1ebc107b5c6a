package main

import (
	"context"
	"net"
	"net/http"
	"net/http/httputil"
)

// Connections to the program behind that are kept for the next request.
const idleConnections = 256

// behind hands requests on to the program at a Unix socket. What that answers goes out as it is: nothing is added, coded or
// waited for.
func behind(wanted *config, socket string) http.Handler {
	return &httputil.ReverseProxy{
		Rewrite: func(request *httputil.ProxyRequest) {
			request.Out.URL.Scheme = "http"
			request.Out.URL.Host = "behind"
			request.Out.Host = request.In.Host
		},
		Transport: &http.Transport{
			DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
				return new(net.Dialer).DialContext(ctx, "unix", socket)
			},
			DisableCompression:  true,
			MaxIdleConnsPerHost: idleConnections,
		},
		// Each part is sent as it comes.
		FlushInterval: -1,
		ModifyResponse: func(response *http.Response) error {
			header := response.Header
			if header.Get(wanted.HandedAbort) != "" {
				panic(http.ErrAbortHandler)
			}
			header.Del("Via")
			if via := header.Get(wanted.HandedVia); via != "" {
				header.Set("Via", via)
			}
			header.Del(wanted.HandedVia)
			return nil
		},
	}
}
