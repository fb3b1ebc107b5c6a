use std::collections::HashMap;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::net::{SocketAddr, ToSocketAddrs};
use std::time::{Duration, Instant};

use base64::prelude::{Engine, BASE64_STANDARD};
use mio::net::UdpSocket;
use mio::{Events, Interest, Poll, Token};
use quiche::h3::{self, Event};
use sha2::{Digest, Sha256};
use socket2::{Domain, Protocol, Socket, Type};

use crate::options::Options;
use crate::transfer::{ms_since, Transfer};

const SENT_DATAGRAM_BYTES: usize = 1350;
const RECEIVED_DATAGRAM_BYTES: usize = 65_527;
/// Windows that no path on one machine fills: the server is to be the limit.
const STREAM_WINDOW_BYTES: u64 = 64 << 20;
const CONNECTION_WINDOW_BYTES: u64 = 96 << 20;
const SOCKET_BUFFER_BYTES: usize = 4 << 20;
const IDLE_MS: u64 = 60_000;

/// Whatever goes wrong is told as text.
type Outcome<T> = Result<T, String>;

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// Asks one host for all of these over one connection and waits for their ends.
pub fn fetch_host(options: &Options, host: &str, transfers: &mut [Transfer], began: Instant) -> Outcome<()> {
    let peer = address_of(options, host)?;
    let mut socket = open_socket(peer)?;
    let mut poll = Poll::new().map_err(text)?;
    poll.registry()
        .register(&mut socket, Token(0), Interest::READABLE)
        .map_err(text)?;
    let local = socket.local_addr().map_err(text)?;
    let mut config = configuration(options)?;
    let mut id = [0; quiche::MAX_CONN_ID_LEN];
    File::open("/dev/urandom")
        .and_then(|mut source| source.read_exact(&mut id))
        .map_err(text)?;
    let name = host.split(':').next().unwrap_or(host);
    let id = quiche::ConnectionId::from_ref(&id);
    let connection = quiche::connect(Some(name), &id, local, peer, &mut config).map_err(text)?;
    transfers[0].connect_start_ms = ms_since(began);
    let mut link = Link {
        connection,
        socket,
        local,
        buffer: vec![0; 1 << 16],
    };
    let mut events = Events::with_capacity(16);
    let mut http: Option<h3::Connection> = None;
    let mut streams = HashMap::new();
    link.send()?;
    loop {
        let left = options.limit.map(|limit| limit.saturating_sub(began.elapsed()));
        if left == Some(Duration::ZERO) {
            return Err("the time limit was reached".to_string());
        }
        let wait = [link.connection.timeout(), left].into_iter().flatten().min();
        if let Err(error) = poll.poll(&mut events, wait) {
            if error.kind() != ErrorKind::Interrupted {
                return Err(text(error));
            }
        }
        link.receive()?;
        if link.connection.is_established() && http.is_none() {
            transfers[0].connect_end_ms = ms_since(began);
            require_key(options, &link.connection)?;
            let config = h3::Config::new().map_err(text)?;
            let mut opened = h3::Connection::with_transport(&mut link.connection, &config).map_err(text)?;
            for (index, transfer) in transfers.iter_mut().enumerate() {
                let request = transfer.request(began);
                let stream = opened
                    .send_request(&mut link.connection, &request, true)
                    .map_err(text)?;
                streams.insert(stream, index);
            }
            http = Some(opened);
        }
        if let Some(http) = &mut http {
            link.answers(http, &streams, transfers, began)?;
        }
        if transfers.iter().all(|transfer| transfer.has_ended) {
            let _ = link.connection.close(true, 0x100, b"");
            return link.send();
        }
        link.send()?;
        if link.connection.is_closed() {
            return Err(why_closed(&link.connection));
        }
    }
}

fn address_of(options: &Options, host: &str) -> Outcome<SocketAddr> {
    if let Some(address) = options.address {
        return Ok(address);
    }
    let place = if host.contains(':') {
        host.to_string()
    } else {
        format!("{host}:443")
    };
    place
        .to_socket_addrs()
        .map_err(text)?
        .next()
        .ok_or_else(|| format!("{host} has no address"))
}

fn open_socket(peer: SocketAddr) -> Outcome<UdpSocket> {
    let any: SocketAddr = if peer.is_ipv4() {
        ([0, 0, 0, 0], 0).into()
    } else {
        ([0u16; 8], 0).into()
    };
    let socket = Socket::new(Domain::for_address(peer), Type::DGRAM, Some(Protocol::UDP)).map_err(text)?;
    socket.set_recv_buffer_size(SOCKET_BUFFER_BYTES).map_err(text)?;
    socket.set_nonblocking(true).map_err(text)?;
    socket.bind(&any.into()).map_err(text)?;
    socket.connect(&peer.into()).map_err(text)?;
    Ok(UdpSocket::from_std(socket.into()))
}

fn configuration(options: &Options) -> Outcome<quiche::Config> {
    let mut config = quiche::Config::new(quiche::PROTOCOL_VERSION).map_err(text)?;
    // The certificate is the project's own: what must be right is its key.
    config.verify_peer(options.spki.is_none());
    config.set_application_protos(h3::APPLICATION_PROTOCOL).map_err(text)?;
    config.set_max_idle_timeout(IDLE_MS);
    config.set_max_recv_udp_payload_size(RECEIVED_DATAGRAM_BYTES);
    config.set_max_send_udp_payload_size(SENT_DATAGRAM_BYTES);
    config.set_initial_max_data(CONNECTION_WINDOW_BYTES);
    config.set_max_connection_window(CONNECTION_WINDOW_BYTES);
    config.set_initial_max_stream_data_bidi_local(STREAM_WINDOW_BYTES);
    config.set_max_stream_window(STREAM_WINDOW_BYTES);
    config.set_initial_max_stream_data_uni(1 << 20);
    config.set_initial_max_streams_uni(100);
    Ok(config)
}

fn require_key(options: &Options, connection: &quiche::Connection) -> Outcome<()> {
    let Some(wanted) = &options.spki else { return Ok(()) };
    let der = connection.peer_cert().ok_or("the server has no certificate")?;
    let (_, certificate) = x509_parser::parse_x509_certificate(der).map_err(text)?;
    let got = BASE64_STANDARD.encode(Sha256::digest(certificate.public_key().raw));
    if got == *wanted {
        return Ok(());
    }
    Err(format!("the server's key is {got}, not {wanted}"))
}

fn why_closed(connection: &quiche::Connection) -> String {
    let told = connection.peer_error().or_else(|| connection.local_error());
    match told {
        Some(error) => format!(
            "closed with error {:#x} {}",
            error.error_code,
            String::from_utf8_lossy(&error.reason)
        ),
        None if connection.is_timed_out() => "the connection timed out".to_string(),
        None => "the connection was closed".to_string(),
    }
}

/// A QUIC connection and its socket.
struct Link {
    connection: quiche::Connection,
    socket: UdpSocket,
    local: SocketAddr,
    buffer: Vec<u8>,
}

impl Link {
    /// Takes every datagram that is there.
    fn receive(&mut self) -> Outcome<()> {
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

    fn send(&mut self) -> Outcome<()> {
        let mut datagram = [0; SENT_DATAGRAM_BYTES];
        loop {
            let length = match self.connection.send(&mut datagram) {
                Ok((length, _)) => length,
                Err(quiche::Error::Done) => return Ok(()),
                Err(error) => return Err(text(error)),
            };
            match self.socket.send(&datagram[..length]) {
                Ok(_) => {}
                // Lost like any other datagram, and sent again.
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(error) => return Err(text(error)),
            }
        }
    }

    fn answers(
        &mut self,
        http: &mut h3::Connection,
        streams: &HashMap<u64, usize>,
        transfers: &mut [Transfer],
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
                        transfer.body_bytes += length as u64;
                    }
                }
                Event::Finished => transfer.end(began),
                Event::Reset(code) => transfer.fail(began, &format!("reset with error {code:#x}")),
                Event::PriorityUpdate | Event::GoAway => {}
            }
        }
    }
}
