module h2h3/quic-go-client

go 1.26.0

require (
	github.com/quic-go/quic-go v0.65.0
	golang.org/x/net v0.60.0
)

require (
	github.com/quic-go/qpack v0.6.0 // indirect
	golang.org/x/crypto v0.57.0 // indirect
	golang.org/x/sys v0.48.0 // indirect
	golang.org/x/text v0.42.0 // indirect
)
