package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"maps"
	"math"
	"net/http"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/qlog"
	"github.com/quic-go/quic-go/qlogwriter"
)

// plantedFaultVariable of the environment plants faults, parted by commas, in every connection over QUIC, so that tests see whether they
// are found from outside. The version that the program tells names them. quic-go has no setting for any of them: fields of its sender
// are written where they lie, as for the initial window. Its recorder of events is told on the connection's own goroutine what
// happens there, in the midst of it.
const plantedFaultVariable = "H2H3_PLANTED_FAULT"

// Faults that act on a connection that begins, or on its answers.
const (
	initialWindowOf100   = "initial-window-100"
	noAmplificationLimit = "no-amplification-limit"
	oneAnswerAtATime     = "one-answer-at-a-time"
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
	"window-after-rest": keepWindow,
}

// plantedFaults says which are asked for.
func plantedFaults() ([]string, error) {
	asked := os.Getenv(plantedFaultVariable)
	if asked == "" {
		return nil, nil
	}
	known := append(slices.Sorted(maps.Keys(eventFaults)), initialWindowOf100, noAmplificationLimit, oneAnswerAtATime)
	names := strings.Split(asked, ",")
	for _, name := range names {
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("%s: want %s, got %q", plantedFaultVariable, strings.Join(known, ", "), name)
		}
	}
	return names, nil
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
	ownPacketBytes                int64
	lastEvent                     time.Time
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

// plantedRest is as long as no event of a connection that transfers is from the last one.
const plantedRest = 5 * time.Second

// packetsAtOnce is what quic-go's pacer lets leave at once, in packets of its size.
const packetsAtOnce = 10

// keepWindow lets what the window allowed before a rest leave at once after it, by a pacer that takes a tenth of it for a packet
// until its room is used up.
func keepWindow(fields *senderFields, _ qlogwriter.Event) {
	now := time.Now()
	isRested := !fields.lastEvent.IsZero() && now.Sub(fields.lastEvent) >= plantedRest
	fields.lastEvent = now
	switch {
	case isRested:
		fields.ownPacketBytes = *fields.pacerPacketBytes
		*fields.pacerPacketBytes = *fields.congestionWindow / packetsAtOnce
		*fields.pacerBudget = *fields.congestionWindow
	case fields.ownPacketBytes > 0 && *fields.pacerBudget < fields.ownPacketBytes:
		*fields.pacerPacketBytes = fields.ownPacketBytes
		fields.ownPacketBytes = 0
	}
}

// turnWriter writes while no other answer of its connection does.
type turnWriter struct {
	http.ResponseWriter
	turn *sync.Mutex
}

func (writer *turnWriter) Write(part []byte) (int, error) {
	writer.turn.Lock()
	defer writer.turn.Unlock()
	return writer.ResponseWriter.Write(part)
}

// Unwrap lets http.ResponseController reach what it wraps.
func (writer *turnWriter) Unwrap() http.ResponseWriter {
	return writer.ResponseWriter
}

// takingTurns lets an answer that its client does not read keep all others of the connection back: a write waits for room in the
// stream's window.
func takingTurns(faults []string, next http.Handler) http.Handler {
	if !slices.Contains(faults, oneAnswerAtATime) {
		return next
	}
	var turns sync.Map
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		turn, _ := turns.LoadOrStore(r.RemoteAddr, new(sync.Mutex))
		next.ServeHTTP(&turnWriter{ResponseWriter: w, turn: turn.(*sync.Mutex)}, r)
	})
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
	acts   []func(*senderFields, qlogwriter.Event)
}

func (recorder *faultRecorder) AddProducer() qlogwriter.Recorder { return recorder }

func (recorder *faultRecorder) RecordEvent(event qlogwriter.Event) {
	if fields := recorder.fields.Load(); fields != nil {
		for _, act := range recorder.acts {
			act(fields, event)
		}
	}
}

func (recorder *faultRecorder) Close() error { return nil }

// plantFaults lets every connection of a transport have the faults.
func plantFaults(faults []string, transport *quic.Transport, settings *tls.Config, own *quic.Config) {
	if slices.Contains(faults, noAmplificationLimit) {
		certificateOf := settings.GetCertificate
		settings.GetCertificate = func(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
			if err := validateAddresses(transport); err != nil {
				return nil, err
			}
			return certificateOf(hello)
		}
	}
	acts := []func(*senderFields, qlogwriter.Event){}
	for _, name := range faults {
		if act := eventFaults[name]; act != nil {
			acts = append(acts, act)
		}
	}
	if len(acts) == 0 {
		return
	}
	transport.ConnContext = func(around context.Context, _ *quic.ClientInfo) (context.Context, error) {
		return context.WithValue(around, faultKey{}, &faultRecorder{acts: acts}), nil
	}
	own.Tracer = func(around context.Context, _ bool, _ quic.ConnectionID) qlogwriter.Trace {
		return around.Value(faultKey{}).(*faultRecorder)
	}
}

// beginFaults lets a connection that was accepted have the faults.
func beginFaults(faults []string, connection *quic.Conn) error {
	if slices.Contains(faults, initialWindowOf100) {
		if err := setInitialWindow(connection, plantedWindowPackets); err != nil {
			return err
		}
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
