package main

import (
	"crypto/tls"
	"encoding/json"
	"fmt"
	"os"
	"slices"
)

// host is one name that the origin answers for.
type host struct {
	Name            string `json:"name"`
	CertificateFile string `json:"certificateFile"`
	KeyFile         string `json:"keyFile"`
	// Folder of its files.
	Directory string `json:"directory"`
	// Unix socket of the program that answers instead, over HTTP/1.1; empty: the files do.
	Socket string `json:"socket"`
	// Whether messages are echoed for it.
	Messages bool `json:"messages"`
}

// config is what go-origin.ts writes.
type config struct {
	Address string `json:"address"`
	Port    int    `json:"port"`
	// Number of a listening TCP socket that was opened for it; 0: it opens its own.
	InheritedSocket int    `json:"inheritedSocket"`
	AccessLog       string `json:"accessLog"`
	Hosts           []host `json:"hosts"`
	// Whether what clients say of priorities decides what is sent first, on both protocols.
	Priorities bool `json:"priorities"`
	// The newest TLS over TCP, such as 1.2; empty: what it has.
	NewestTLS string `json:"newestTLS"`
	// With how many packets a connection over QUIC begins; 0: as many as quic-go has.
	InitialWindowPackets int    `json:"initialWindowPackets"`
	AltSvc               string `json:"altSvc"`
	CacheControl         string `json:"cacheControl"`
	DocumentCacheControl string `json:"documentCacheControl"`
	// Of files with this ending.
	Unkept struct {
		Ending       string `json:"ending"`
		CacheControl string `json:"cacheControl"`
	} `json:"unkept"`
	ContentTypes map[string]string `json:"contentTypes"`
	// Names of headers by which a program behind it hands over a Via and asks for the exchange to be broken off.
	HandedVia   string `json:"handedVia"`
	HandedAbort string `json:"handedAbort"`
	// Where sessions of messages are taken.
	MessagesPath string `json:"messagesPath"`
}

// echoes says whether messages are echoed for a host.
func (wanted *config) echoes(name string) bool {
	return slices.ContainsFunc(wanted.Hosts, func(host host) bool { return host.Messages && host.Name == name })
}

// echoesAny says whether they are for any.
func (wanted *config) echoesAny() bool {
	return slices.ContainsFunc(wanted.Hosts, func(host host) bool { return host.Messages })
}

func readConfig(file string) (*config, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	wanted := new(config)
	if err := json.Unmarshal(text, wanted); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return wanted, nil
}

func (wanted *config) newestTLS() uint16 {
	if wanted.NewestTLS == "1.2" {
		return tls.VersionTLS12
	}
	return tls.VersionTLS13
}

// certificates are the leaves by host; the first is for names that are none of ours.
type certificates struct {
	first  *tls.Certificate
	byHost map[string]*tls.Certificate
}

func loadCertificates(hosts []host) (certificates, error) {
	loaded := certificates{byHost: map[string]*tls.Certificate{}}
	for _, host := range hosts {
		pair, err := tls.LoadX509KeyPair(host.CertificateFile, host.KeyFile)
		if err != nil {
			return loaded, err
		}
		loaded.byHost[host.Name] = &pair
		if loaded.first == nil {
			loaded.first = &pair
		}
	}
	return loaded, nil
}

func (loaded certificates) settings() *tls.Config {
	return &tls.Config{
		MinVersion: tls.VersionTLS12,
		GetCertificate: func(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
			if own := loaded.byHost[hello.ServerName]; own != nil {
				return own, nil
			}
			return loaded.first, nil
		},
	}
}
