//! Hands out files over HTTP/3 with the congestion control that it is told, and logs each answer as a line of JSON.
//!
//! `tquic-origin CONFIG.json`, or `tquic-origin --version`.

mod answers;
mod socket;

use std::collections::HashMap;
use std::error::Error;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::Instant;

use mio::{Events, Interest, Poll, Token};
use serde::Deserialize;
use tquic::h3::connection::Http3Connection;
use tquic::h3::Http3Config;
use tquic::{Config, Connection, Endpoint, PacketInfo, TlsConfig, TransportHandler};

use answers::{Answers, Files, Served};
use socket::Socket;

/// Longest UDP payload.
const MOST_DATAGRAM_BYTES: usize = 65_535;
const EVENTS_AT_ONCE: usize = 64;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Settings {
    address: SocketAddr,
    certificate_file: String,
    key_file: String,
    access_log: String,
    /// One of tquic's names: cubic, bbr, bbr3, copa.
    congestion_control: String,
    /// Packets; absent: as many as tquic has.
    initial_window_packets: Option<u64>,
    idle_ms: u64,
    /// Folder of each host.
    hosts: HashMap<String, String>,
    /// By the ending of a file, without its dot.
    content_types: HashMap<String, String>,
}

struct Handler {
    files: Files,
    log: File,
    /// By tquic's index of a connection.
    connections: HashMap<u64, Answers>,
}

impl Handler {
    fn write(&mut self, served: &[Served]) {
        for one in served {
            // A line that a full disk takes no more is missed by whoever reads the log.
            let _ = writeln!(self.log, "{}", one.line());
        }
    }

    fn answers_of(&mut self, connection: &mut Connection) -> Option<&mut Answers> {
        let index = connection.index()?;
        if !self.connections.contains_key(&index) {
            let http = Http3Connection::new_with_quic_conn(connection, &Http3Config::new().ok()?).ok()?;
            let port = connection.paths_iter().next().map_or(0, |path| path.remote.port());
            self.connections.insert(index, Answers::new(http, port));
        }
        self.connections.get_mut(&index)
    }
}

impl TransportHandler for Handler {
    fn on_conn_created(&mut self, _: &mut Connection) {}

    fn on_conn_established(&mut self, connection: &mut Connection) {
        let _ = self.answers_of(connection);
    }

    fn on_conn_closed(&mut self, connection: &mut Connection) {
        let answers = connection.index().and_then(|index| self.connections.remove(&index));
        let served = answers.map(Answers::cut).unwrap_or_default();
        self.write(&served);
    }

    fn on_stream_created(&mut self, connection: &mut Connection, _: u64) {
        let _ = self.answers_of(connection);
    }

    fn on_stream_readable(&mut self, connection: &mut Connection, _: u64) {
        let mut files = std::mem::take(&mut self.files);
        let served = self
            .answers_of(connection)
            .map(|answers| answers.read(connection, &mut files))
            .unwrap_or_default();
        self.files = files;
        self.write(&served);
    }

    fn on_stream_writable(&mut self, connection: &mut Connection, stream: u64) {
        let _ = connection.stream_want_write(stream, false);
        let served = self
            .answers_of(connection)
            .and_then(|answers| answers.go_on(connection, stream));
        self.write(served.as_slice());
    }

    fn on_stream_closed(&mut self, connection: &mut Connection, stream: u64) {
        let served = self.answers_of(connection).and_then(|answers| answers.closed(stream));
        self.write(served.as_slice());
    }

    fn on_new_token(&mut self, _: &mut Connection, _: Vec<u8>) {}
}

fn configured(settings: &Settings) -> Result<Config, Box<dyn Error>> {
    let mut config = Config::new()?;
    config.set_max_idle_timeout(settings.idle_ms);
    config.set_congestion_control_algorithm(settings.congestion_control.parse()?);
    if let Some(packets) = settings.initial_window_packets {
        config.set_initial_congestion_window(packets);
    }
    let protocols = vec![b"h3".to_vec()];
    let (certificate, key) = (&settings.certificate_file, &settings.key_file);
    config.set_tls_config(TlsConfig::new_server_config(certificate, key, protocols, false)?);
    Ok(config)
}

fn serve(settings: Settings) -> Result<(), Box<dyn Error>> {
    let mut poll = Poll::new()?;
    let config = configured(&settings)?;
    let mut socket = Socket::bind(settings.address)?;
    poll.registry().register(socket.source(), Token(0), Interest::READABLE)?;
    let socket = Rc::new(socket);
    let handler = Handler {
        log: OpenOptions::new().create(true).append(true).open(&settings.access_log)?,
        files: Files::new(settings.hosts, settings.content_types),
        connections: HashMap::new(),
    };
    let mut endpoint = Endpoint::new(Box::new(config), true, Box::new(handler), socket.clone());
    let mut events = Events::with_capacity(EVENTS_AT_ONCE);
    let mut datagram = vec![0; MOST_DATAGRAM_BYTES];
    loop {
        let _ = endpoint.process_connections();
        poll.poll(&mut events, endpoint.timeout())?;
        while let Some((bytes, from)) = socket.receive(&mut datagram)? {
            let time = Instant::now();
            let packet = PacketInfo { src: from, dst: settings.address, time };
            // One that is no packet of QUIC is nobody's.
            let _ = endpoint.recv(&mut datagram[..bytes], &packet);
        }
        endpoint.on_timeout(Instant::now());
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let word = std::env::args().nth(1).ok_or("it wants the file of its settings")?;
    if word == "--version" {
        println!("tquic-origin {}", env!("CARGO_PKG_VERSION"));
        return Ok(());
    }
    serve(serde_json::from_str(&std::fs::read_to_string(word)?)?)
}
