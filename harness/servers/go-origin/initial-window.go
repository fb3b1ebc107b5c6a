package main

import (
	"fmt"
	"reflect"
	"sync/atomic"
	"unsafe"

	"github.com/quic-go/quic-go"
)

// setInitialWindow lets a connection begin with so many packets. quic-go has a constant for it and no setting, so the field of
// its sender is written where it lies, before the connection's first answer. go.mod holds the version whose fields these are;
// the link reads off each trial's first flight whether it was done.
func setInitialWindow(connection *quic.Conn, packets int) error {
	sender := reflect.ValueOf(connection).Elem()
	for _, name := range []string{"sentPacketHandler", "congestion"} {
		field := sender.FieldByName(name)
		if field.Kind() != reflect.Interface || field.Elem().Kind() != reflect.Pointer {
			return fmt.Errorf("quic-go has no field %s that leads to its sender", name)
		}
		sender = field.Elem().Elem()
	}
	size := sender.FieldByName("maxDatagramSize")
	for _, name := range []string{"initialCongestionWindow", "congestionWindow"} {
		window := sender.FieldByName(name)
		if window.Kind() != reflect.Int64 || size.Kind() != reflect.Int64 {
			return fmt.Errorf("quic-go has no field %s of its sender", name)
		}
		atomic.StoreInt64((*int64)(unsafe.Pointer(window.UnsafeAddr())), int64(packets)*size.Int())
	}
	return nil
}
