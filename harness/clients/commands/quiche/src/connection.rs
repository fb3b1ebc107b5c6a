use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::net::{SocketAddr, ToSocketAddrs};
use std::time::{Duration, Instant};

use base64::prelude::{Engine, BASE64_STANDARD};
use mio::{Events, Poll};
use quiche::h3;
use sha2::{Digest, Sha256};

use crate::link::{text, Link, Outcome, SENT_DATAGRAM_BYTES};
use crate::options::{Options, Resume};
use crate::transfer::{ms_since, Handover, Resumption, Transfer};

const RECEIVED_DATAGRAM_BYTES: usize = 65_527;
/// Windows that no path on one machine fills: the server is to be the limit.
const STREAM_WINDOW_BYTES: u64 = 64 << 20;
const CONNECTION_WINDOW_BYTES: u64 = 96 << 20;
const IDLE_MS: u64 = 60_000;
/// Names of one connection at a time: for the path that it has, and one that it may go over to.
const ACTIVE_IDS: u64 = 4;

/// A session that a connection before has left, and what of a body that one brought.
pub struct Ticket {
    session: Vec<u8>,
    body_bytes: u64,
}

/// A server may send its ticket a little after its first answer.
const TICKET_LIMIT: Duration = Duration::from_secs(2);
/// Of `ssl_early_data_reason_t` of BoringSSL.
const EARLY_DATA_ACCEPTED: u32 = 2;

/// Connects once, asks for the first byte of the address, and leaves with the session's ticket.
pub fn get_ticket(options: &Options, url: &str) -> Outcome<Ticket> {
    let mut first = [Transfer::new(url)];
    first[0].first_byte_alone = true;
    let host = first[0].authority.clone();
    let mut visit = Visit::begin(options, &host, None, Instant::now())?;
    visit.handover_after = None;
    visit.run(&mut first)?;
    if let Some(error) = &first[0].error {
        return Err(error.clone());
    }
    let asked = Instant::now();
    while visit.link.connection.session().is_none() {
        if asked.elapsed() >= TICKET_LIMIT || visit.link.connection.is_closed() {
            return Err("the server gave no ticket to resume its session with".to_string());
        }
        visit.wait(Some(TICKET_LIMIT.saturating_sub(asked.elapsed())))?;
        visit.link.send()?;
    }
    let session = visit.link.connection.session().map(<[u8]>::to_vec).unwrap_or_default();
    visit.end()?;
    Ok(Ticket {
        session,
        body_bytes: first[0].body_bytes,
    })
}

/// Asks one host for all of these over one connection and waits for their ends.
pub fn fetch_host(
    options: &Options,
    host: &str,
    transfers: &mut [Transfer],
    ticket: Option<&Ticket>,
    began: Instant,
) -> Outcome<()> {
    let mut visit = Visit::begin(options, host, ticket, began)?;
    transfers[0].connect_start_ms = ms_since(began);
    let outcome = visit.run(transfers);
    if let (Some(ticket), Ok(())) = (ticket, &outcome) {
        transfers[0].resumption = Some(visit.resumption(ticket)?);
    }
    visit.end()?;
    outcome
}

/// One connection, and the requests over it.
struct Visit<'a> {
    options: &'a Options,
    link: Link,
    poll: Poll,
    events: Events,
    http: Option<h3::Connection>,
    /// By the numbers of their streams, which transfers they are.
    streams: BTreeMap<u64, usize>,
    /// Bytes of the body after which the address is lost; none: it is kept.
    handover_after: Option<u64>,
    moving: Moving,
    began: Instant,
}

impl<'a> Visit<'a> {
    fn begin(options: &'a Options, host: &str, ticket: Option<&Ticket>, began: Instant) -> Outcome<Self> {
        let peer = address_of(options, host)?;
        let poll = Poll::new().map_err(text)?;
        let mut config = configuration(options)?;
        let name = host.split(':').next().unwrap_or(host);
        let mut link = Link::open(name, peer, &mut config, &poll)?;
        if let Some(ticket) = ticket {
            link.connection.set_session(&ticket.session).map_err(text)?;
        }
        Ok(Visit {
            options,
            link,
            poll,
            events: Events::with_capacity(16),
            http: None,
            streams: BTreeMap::new(),
            handover_after: options.handover_after,
            moving: Moving::Not,
            began,
        })
    }

    fn run(&mut self, transfers: &mut [Transfer]) -> Outcome<()> {
        self.link.send()?;
        loop {
            if self.link.connection.is_in_early_data() && self.http.is_none() {
                self.ask(transfers)?;
                self.link.send()?;
            }
            let left = self.options.limit.map(|limit| limit.saturating_sub(self.began.elapsed()));
            if left == Some(Duration::ZERO) {
                return Err("the time limit was reached".to_string());
            }
            self.wait(left)?;
            if self.link.connection.is_established() && transfers[0].connect_end_ms == 0.0 {
                transfers[0].connect_end_ms = ms_since(self.began);
                require_key(self.options, &self.link.connection)?;
                if self.http.is_none() {
                    self.ask(transfers)?;
                }
                self.link.offer_ids()?;
            }
            self.send_bodies(transfers)?;
            let has_moved = matches!(self.moving, Moving::Moved);
            if let Some(http) = &mut self.http {
                self.link.answers(http, &self.streams, transfers, has_moved, self.began)?;
            }
            self.hand_over(&mut transfers[0])?;
            if transfers.iter().all(|transfer| transfer.has_ended) {
                return self.require_moved();
            }
            self.link.send()?;
            if self.link.connection.is_closed() {
                return Err(why_closed(&self.link.connection));
            }
        }
    }

    /// Until something comes, a timer of the connection is due, or this time is over.
    fn wait(&mut self, left: Option<Duration>) -> Outcome<()> {
        let wait = [self.link.connection.timeout(), left].into_iter().flatten().min();
        if let Err(error) = self.poll.poll(&mut self.events, wait) {
            if error.kind() != ErrorKind::Interrupted {
                return Err(text(error));
            }
        }
        self.link.receive()
    }

    fn ask(&mut self, transfers: &mut [Transfer]) -> Outcome<()> {
        let config = h3::Config::new().map_err(text)?;
        let connection = &mut self.link.connection;
        let mut http = h3::Connection::with_transport(connection, &config).map_err(text)?;
        for (index, transfer) in transfers.iter_mut().enumerate() {
            let request = transfer.request(self.began);
            let stream = http
                .send_request(connection, &request, transfer.upload.is_none())
                .map_err(text)?;
            self.streams.insert(stream, index);
        }
        self.http = Some(http);
        Ok(())
    }

    /// Hands over of each request's body what the transport has room for.
    fn send_bodies(&mut self, transfers: &mut [Transfer]) -> Outcome<()> {
        let Some(http) = &mut self.http else { return Ok(()) };
        for (&stream, &index) in &self.streams {
            let Some(upload) = &mut transfers[index].upload else { continue };
            if upload.is_over {
                continue;
            }
            let rest = &upload.bytes[upload.sent_bytes..];
            match http.send_body(&mut self.link.connection, stream, rest, true) {
                Ok(count) => upload.sent_bytes += count,
                Err(h3::Error::Done) => {}
                // The server has answered, and reads no further.
                Err(h3::Error::TransportError(quiche::Error::StreamStopped(_))) => upload.is_over = true,
                Err(error) => return Err(text(error)),
            }
            upload.is_over |= upload.sent_bytes == upload.bytes.len();
        }
        Ok(())
    }

    /// Loses the address when so much has come, and moves the connection when the server has answered at the other one.
    fn hand_over(&mut self, transfer: &mut Transfer) -> Outcome<()> {
        let Some(after_bytes) = self.handover_after else { return Ok(()) };
        match self.moving {
            Moving::Not if transfer.body_bytes >= after_bytes && !transfer.has_ended => {
                transfer.handover = Some(Handover {
                    lost_ms: ms_since(self.began),
                    recovered_ms: None,
                });
                self.link.leave_address(&self.poll)?;
                self.moving = Moving::Probing;
            }
            Moving::Probing if self.link.has_answered_there()? => self.moving = Moving::Moved,
            _ => {}
        }
        Ok(())
    }

    fn require_moved(&self) -> Outcome<()> {
        match (self.handover_after, &self.moving) {
            (Some(_), Moving::Not) => Err("the transfer had ended before the address was to be lost".to_string()),
            (Some(_), Moving::Probing) => Err("the transfer had ended before the address was changed".to_string()),
            _ => Ok(()),
        }
    }

    fn resumption(&self, ticket: &Ticket) -> Outcome<Resumption> {
        let connection = &self.link.connection;
        let wants_early_data = self.options.resume == Some(Resume::ZeroRtt);
        let told = Resumption {
            resumed: connection.is_resumed(),
            early_data: wants_early_data && connection.early_data_reason() == EARLY_DATA_ACCEPTED,
            ticket_bytes: ticket.body_bytes,
        };
        if !told.resumed {
            return Err("the server did not take the session up again".to_string());
        }
        if wants_early_data && !told.early_data {
            return Err("the server resumed the session, and took no early data".to_string());
        }
        Ok(told)
    }

    fn end(&mut self) -> Outcome<()> {
        let _ = self.link.connection.close(true, 0x100, b"");
        self.link.send_thrice()
    }
}

/// Where a connection is whose address is lost on the way.
enum Moving {
    Not,
    Probing,
    Moved,
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
    config.set_active_connection_id_limit(ACTIVE_IDS);
    if options.resume == Some(Resume::ZeroRtt) {
        config.enable_early_data();
    }
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

