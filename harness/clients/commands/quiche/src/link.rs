use std::collections::BTreeMap;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Instant;

use mio::net::UdpSocket;
use mio::{Interest, Poll, Token};
use quiche::h3::{self, Event};
use quiche::PathEvent;
use socket2::{Domain, Protocol, Socket, Type};

use crate::other_address::other_address;
use crate::transfer::Transfer;

pub const SENT_DATAGRAM_BYTES: usize = 1350;
const SOCKET_BUFFER_BYTES: usize = 4 << 20;

/// Whatever goes wrong is told as text.
pub type Outcome<T> = Result<T, String>;

pub fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

fn random_id() -> Outcome<quiche::ConnectionId<'static>> {
    let mut id = [0; quiche::MAX_CONN_ID_LEN];
    File::open("/dev/urandom")
        .and_then(|mut source| source.read_exact(&mut id))
        .map_err(text)?;
    Ok(quiche::ConnectionId::from_vec(id.to_vec()))
}

/// `local`: where it begins; none: as the system chooses.
fn watched_socket(local: Option<IpAddr>, peer: SocketAddr, poll: &Poll) -> Outcome<UdpSocket> {
    let any: IpAddr = if peer.is_ipv4() {
        Ipv4Addr::UNSPECIFIED.into()
    } else {
        Ipv6Addr::UNSPECIFIED.into()
    };
    let begin = SocketAddr::new(local.unwrap_or(any), 0);
    let socket = Socket::new(Domain::for_address(peer), Type::DGRAM, Some(Protocol::UDP)).map_err(text)?;
    socket.set_recv_buffer_size(SOCKET_BUFFER_BYTES).map_err(text)?;
    socket.set_nonblocking(true).map_err(text)?;
    socket.bind(&begin.into()).map_err(text)?;
    socket.connect(&peer.into()).map_err(text)?;
    let mut socket = UdpSocket::from_std(socket.into());
    poll.registry()
        .register(&mut socket, Token(0), Interest::READABLE)
        .map_err(text)?;
    Ok(socket)
}

/// A QUIC connection and its socket.
pub struct Link {
    pub connection: quiche::Connection,
    socket: UdpSocket,
    local: SocketAddr,
    peer: SocketAddr,
    buffer: Vec<u8>,
}

impl Link {
    /// Opens a socket towards this peer, has it watched, and begins a connection over it.
    pub fn open(name: &str, peer: SocketAddr, config: &mut quiche::Config, poll: &Poll) -> Outcome<Self> {
        let socket = watched_socket(None, peer, poll)?;
        let local = socket.local_addr().map_err(text)?;
        let connection = quiche::connect(Some(name), &random_id()?, local, peer, config).map_err(text)?;
        Ok(Link {
            connection,
            socket,
            local,
            peer,
            buffer: vec![0; 1 << 16],
        })
    }

    /// Takes every datagram that is there.
    pub fn receive(&mut self) -> Outcome<()> {
        self.connection.on_timeout();
        loop {
            let (length, from) = match self.socket.recv_from(&mut self.buffer) {
                Ok(received) => received,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(error) => return Err(text(error)),
            };
            let about = quiche::RecvInfo { from, to: self.local };
            // A datagram that means nothing is dropped; what closes the connection shows at its end.
            let _ = self.connection.recv(&mut self.buffer[..length], about);
        }
    }

    pub fn send(&mut self) -> Outcome<()> {
        let mut datagram = [0; SENT_DATAGRAM_BYTES];
        loop {
            let (length, about) = match self.connection.send(&mut datagram) {
                Ok(told) => told,
                Err(quiche::Error::Done) => return Ok(()),
                Err(error) => return Err(text(error)),
            };
            // Nothing leaves from an address that is gone.
            if about.from != self.local {
                continue;
            }
            match self.socket.send(&datagram[..length]) {
                Ok(_) => {}
                // Lost like any other datagram, and sent again.
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(error) => return Err(text(error)),
            }
        }
    }

    /// What is to be sent last has nobody behind it who would send it again.
    pub fn send_thrice(&mut self) -> Outcome<()> {
        let mut datagram = [0; SENT_DATAGRAM_BYTES];
        while let Ok((length, _)) = self.connection.send(&mut datagram) {
            for _ in 0..3 {
                let _ = self.socket.send(&datagram[..length]);
            }
        }
        Ok(())
    }

    /// Gives the server names for this connection, without which it cannot answer at another address.
    pub fn offer_ids(&mut self) -> Outcome<()> {
        while self.connection.scids_left() > 0 {
            let mut token = [0; 16];
            File::open("/dev/urandom")
                .and_then(|mut source| source.read_exact(&mut token))
                .map_err(text)?;
            let id = random_id()?;
            if self.connection.new_scid(&id, u128::from_be_bytes(token), false).is_err() {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Goes over to the other address at once; the connection itself moves when the server has answered there.
    pub fn leave_address(&mut self, poll: &Poll) -> Outcome<()> {
        let other = other_address(self.local.ip())?;
        poll.registry().deregister(&mut self.socket).map_err(text)?;
        self.socket = watched_socket(Some(other), self.peer, poll)?;
        self.local = self.socket.local_addr().map_err(text)?;
        self.connection.probe_path(self.local, self.peer).map_err(text)?;
        Ok(())
    }

    pub fn has_answered_there(&mut self) -> Outcome<bool> {
        while let Some(event) = self.connection.path_event_next() {
            match event {
                PathEvent::Validated(local, peer) if local == self.local => {
                    self.connection.migrate(local, peer).map_err(text)?;
                    // A server sends on to the old address until a packet that is no probe has come (RFC 9000, section 9.3).
                    self.connection.send_ack_eliciting().map_err(text)?;
                    return Ok(true);
                }
                PathEvent::FailedValidation(local, _) if local == self.local => {
                    return Err("the server did not answer at the other address".to_string());
                }
                _ => {}
            }
        }
        Ok(false)
    }

    pub fn answers(
        &mut self,
        http: &mut h3::Connection,
        streams: &BTreeMap<u64, usize>,
        transfers: &mut [Transfer],
        has_moved: bool,
        began: Instant,
    ) -> Outcome<()> {
        loop {
            let (stream, event) = match http.poll(&mut self.connection) {
                Ok(told) => told,
                Err(h3::Error::Done) => return Ok(()),
                Err(error) => return Err(text(error)),
            };
            let Some(transfer) = streams.get(&stream).map(|index| &mut transfers[*index]) else {
                continue;
            };
            match event {
                Event::Headers { list, .. } => transfer.headers(&list, began),
                Event::Data => {
                    while let Ok(length) = http.recv_body(&mut self.connection, stream, &mut self.buffer) {
                        transfer.body(length as u64, has_moved, began);
                    }
                }
                Event::Finished => transfer.end(began),
                Event::Reset(code) => transfer.fail(began, &format!("reset with error {code:#x}")),
                Event::PriorityUpdate | Event::GoAway => {}
            }
        }
    }
}
