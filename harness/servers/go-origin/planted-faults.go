package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"maps"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/qlog"
	"github.com/quic-go/quic-go/qlogwriter"
)

// plantedFaultVariable of the environment plants a fault in every connection over QUIC, so that tests see whether it is found
// from outside. The version that the program tells names it. quic-go has no setting for any of them: fields of its sender are
// written where they lie, as for the initial window. Its recorder of events is told on the connection's own goroutine what happens
// there, in the midst of it.
const plantedFaultVariable = "H2H3_PLANTED_FAULT"

// Faults that act on a connection that begins.
const (
	initialWindowOf100   = "initial-window-100"
	noAmplificationLimit = "no-amplification-limit"
)

const plantedWindowPackets = 100

// eventFaults act on what a connection tells of itself.
var eventFaults = map[string]func(*senderFields, qlogwriter.Event){
	"no-loss-reaction":  ignoreLoss,
	"no-pacing":         sendAtOnce,
	"cuts-to-a-quarter": cutMore,
	"steady-timeout":    keepTimeout,
	"ignores-marks":     ignoreMarks,
	"rare-acks":         acknowledgeRarely,
}

// plantedFault says which one is asked for; empty: none.
func plantedFault() (string, error) {
	name := os.Getenv(plantedFaultVariable)
	known := append(slices.Sorted(maps.Keys(eventFaults)), initialWindowOf100, noAmplificationLimit)
	if name == "" || slices.Contains(known, name) {
		return name, nil
	}
	return "", fmt.Errorf("%s: want %s, got %q", plantedFaultVariable, strings.Join(known, ", "), name)
}

// senderFields is what of a connection faults read and write.
type senderFields struct {
	congestionWindow, slowStartThreshold, largestSentAtLastCutback *int64
	// The state that was told last: what is told again is not told.
	told                          *string
	pacerBudget, pacerPacketBytes *int64
	timeouts                      *uint32
	unacknowledged                *int
	// What faults remember.
	received                      int
	isLoss                        bool
	windowBefore, thresholdBefore int64
}

// ignoreLoss lets each loss pass for one that was answered before, until its acknowledgement is dealt with.
func ignoreLoss(fields *senderFields, event qlogwriter.Event) {
	if _, isLoss := event.(qlog.PacketLost); isLoss {
		*fields.largestSentAtLastCutback = math.MaxInt64
	} else if *fields.largestSentAtLastCutback == math.MaxInt64 {
		*fields.largestSentAtLastCutback = -1
	}
}

// sendAtOnce gives the pacer room for whatever the window allows.
func sendAtOnce(fields *senderFields, _ qlogwriter.Event) {
	*fields.pacerPacketBytes = 1 << 40
	*fields.pacerBudget = 1 << 50
}

const (
	ownShare     = 0.7
	plantedShare = 0.25
)

// cutMore acts right before quic-go multiplies the window by its own share.
func cutMore(fields *senderFields, event qlogwriter.Event) {
	if isCutback(event) {
		*fields.congestionWindow = int64(float64(*fields.congestionWindow) * plantedShare / ownShare)
		return
	}
	*fields.told = ""
}

// ignoreMarks takes a cutback back that follows no loss.
func ignoreMarks(fields *senderFields, event qlogwriter.Event) {
	if isCutback(event) {
		if !fields.isLoss {
			fields.windowBefore, fields.thresholdBefore = *fields.congestionWindow, *fields.slowStartThreshold
		}
		return
	}
	if fields.windowBefore > 0 {
		*fields.congestionWindow, *fields.slowStartThreshold = fields.windowBefore, fields.thresholdBefore
		*fields.largestSentAtLastCutback = -1
		fields.windowBefore = 0
	}
	_, fields.isLoss = event.(qlog.PacketLost)
	*fields.told = ""
}

func isCutback(event qlogwriter.Event) bool {
	update, isUpdate := event.(qlog.CongestionStateUpdated)
	return isUpdate && update.State == qlog.CongestionStateRecovery
}

// keepTimeout forgets that a timeout has passed before the next one is set.
func keepTimeout(fields *senderFields, event qlogwriter.Event) {
	if _, isTimeout := event.(qlog.PTOCountUpdated); isTimeout {
		*fields.timeouts = 0
	}
}

const plantedPacketsPerAck = 10

// acknowledgeRarely leaves all but every tenth packet to the timer; quic-go acknowledges when it has counted two.
func acknowledgeRarely(fields *senderFields, event qlogwriter.Event) {
	if _, isPacket := event.(qlog.PacketReceived); !isPacket {
		return
	}
	fields.received++
	if fields.received%plantedPacketsPerAck == 0 {
		*fields.unacknowledged = plantedPacketsPerAck - 1
	} else {
		*fields.unacknowledged = -1
	}
}

// field finds a field of a struct where it lies; it panics where there is none of this type's kind.
func field[Type any](of reflect.Value, name string) *Type {
	found := of.FieldByName(name)
	if !found.IsValid() || found.Kind() != reflect.TypeFor[Type]().Kind() {
		panic(name)
	}
	return (*Type)(unsafe.Pointer(found.UnsafeAddr()))
}

// missingField says which field the version of quic-go that was built in does not have.
func missingField(err *error) {
	if name := recover(); name != nil {
		*err = fmt.Errorf("quic-go has no such field: %v", name)
	}
}

func fieldsOf(connection *quic.Conn) (fields *senderFields, err error) {
	defer missingField(&err)
	own := reflect.ValueOf(connection).Elem()
	handler := own.FieldByName("sentPacketHandler").Elem().Elem()
	sender := handler.FieldByName("congestion").Elem().Elem()
	pacer := sender.FieldByName("pacer").Elem()
	received := own.FieldByName("receivedPacketHandler").FieldByName("appDataPackets")
	return &senderFields{
		congestionWindow:         field[int64](sender, "congestionWindow"),
		slowStartThreshold:       field[int64](sender, "slowStartThreshold"),
		largestSentAtLastCutback: field[int64](sender, "largestSentAtLastCutback"),
		told:                     field[string](sender, "lastState"),
		pacerBudget:              field[int64](pacer, "budgetAtLastSent"),
		pacerPacketBytes:         field[int64](pacer, "maxDatagramSize"),
		timeouts:                 field[uint32](handler, "ptoCount"),
		unacknowledged:           field[int](received, "ackElicitingPacketsReceivedSinceLastAck"),
	}, nil
}

type faultKey struct{}

// faultRecorder is told of its connection's events; until the connection is accepted there is nothing to write to.
type faultRecorder struct {
	fields atomic.Pointer[senderFields]
	act    func(*senderFields, qlogwriter.Event)
}

func (recorder *faultRecorder) AddProducer() qlogwriter.Recorder { return recorder }

func (recorder *faultRecorder) RecordEvent(event qlogwriter.Event) {
	if fields := recorder.fields.Load(); fields != nil {
		recorder.act(fields, event)
	}
}

func (recorder *faultRecorder) Close() error { return nil }

// plantFault lets every connection of a transport have the fault.
func plantFault(name string, transport *quic.Transport, settings *tls.Config, own *quic.Config) {
	if name == noAmplificationLimit {
		certificateOf := settings.GetCertificate
		settings.GetCertificate = func(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
			if err := validateAddresses(transport); err != nil {
				return nil, err
			}
			return certificateOf(hello)
		}
	}
	act := eventFaults[name]
	if act == nil {
		return
	}
	transport.ConnContext = func(around context.Context, _ *quic.ClientInfo) (context.Context, error) {
		return context.WithValue(around, faultKey{}, &faultRecorder{act: act}), nil
	}
	own.Tracer = func(around context.Context, _ bool, _ quic.ConnectionID) qlogwriter.Trace {
		return around.Value(faultKey{}).(*faultRecorder)
	}
}

// beginFault lets a connection that was accepted have the fault.
func beginFault(name string, connection *quic.Conn) error {
	if name == initialWindowOf100 {
		return setInitialWindow(connection, plantedWindowPackets)
	}
	recorder, isPlanted := connection.Context().Value(faultKey{}).(*faultRecorder)
	if !isPlanted {
		return nil
	}
	fields, err := fieldsOf(connection)
	if err == nil {
		recorder.fields.Store(fields)
	}
	return err
}

// validateAddresses lets a transport believe what its clients say of where they are, before they have answered.
func validateAddresses(transport *quic.Transport) (err error) {
	defer missingField(&err)
	own := reflect.ValueOf(transport).Elem()
	mutex := field[sync.Mutex](own, "mutex")
	mutex.Lock()
	defer mutex.Unlock()
	for handlers := own.FieldByName("handlers").MapRange(); handlers.Next(); {
		connection := reflect.Indirect(handlers.Value().Elem()).FieldByName("Conn")
		if !connection.IsValid() {
			// A connection that is over.
			continue
		}
		handler := connection.Elem().FieldByName("sentPacketHandler").Elem().Elem()
		*field[bool](handler, "peerAddressValidated") = true
	}
	return nil
}

// faultWords are for whoever reads the version of the program.
func faultWords() string {
	if name := os.Getenv(plantedFaultVariable); name != "" {
		return " with the planted fault " + name
	}
	return ""
}
