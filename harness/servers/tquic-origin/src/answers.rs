//! Requests of one connection and what is handed out for them.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use serde_json::json;
use tquic::h3::connection::Http3Connection;
use tquic::h3::{Header, Http3Error, Http3Event, NameValue};
use tquic::{Connection, Shutdown};

/// Files of all hosts, each read once.
#[derive(Default)]
pub struct Files {
    folders: HashMap<String, String>,
    content_types: HashMap<String, String>,
    read: HashMap<PathBuf, Bytes>,
}

struct Found {
    status: u16,
    content_type: String,
    body: Bytes,
}

impl Files {
    pub fn new(folders: HashMap<String, String>, content_types: HashMap<String, String>) -> Self {
        Self { folders, content_types, read: HashMap::new() }
    }

    fn find(&mut self, host: &str, path: &str) -> Found {
        let nothing = || Found { status: 404, content_type: "text/plain".into(), body: Bytes::new() };
        let Some(file) = self.file_of(host, path) else { return nothing() };
        if !self.read.contains_key(&file) {
            match std::fs::read(&file) {
                Ok(content) => self.read.insert(file.clone(), content.into()),
                Err(_) => return nothing(),
            };
        }
        let ending = file.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        let content_type = self.content_types.get(ending).cloned();
        Found {
            status: 200,
            content_type: content_type.unwrap_or_else(|| "application/octet-stream".into()),
            body: self.read[&file].clone(),
        }
    }

    /// A file below the host's folder, by the plain names of the path; nothing for a path that leads out of it.
    fn file_of(&self, host: &str, path: &str) -> Option<PathBuf> {
        let mut file = PathBuf::from(self.folders.get(host)?);
        let path = path.split(['?', '#']).next().unwrap_or_default();
        for part in Path::new(path).components() {
            match part {
                Component::Normal(name) => file.push(name),
                Component::RootDir | Component::CurDir => {}
                _ => return None,
            }
        }
        Some(file)
    }
}

/// One answer that has ended, for the log.
pub struct Served {
    request: Request,
    port: u16,
    bytes: usize,
}

impl Served {
    pub fn line(&self) -> String {
        let Request { method, host, path, status, announced, began_epoch_ms, began, .. } = &self.request;
        json!({
            "startEpochMs": began_epoch_ms,
            "durationMs": began.elapsed().as_secs_f64() * 1000.0,
            "method": method,
            "host": host,
            "path": path,
            "status": status,
            "bytes": self.bytes,
            "announced": announced,
            "port": self.port.to_string(),
        })
        .to_string()
    }
}

struct Request {
    method: String,
    host: String,
    path: String,
    status: u16,
    announced: usize,
    began: Instant,
    began_epoch_ms: f64,
    body: Bytes,
    /// Of the body, taken over by QUIC.
    written: usize,
}

pub struct Answers {
    http: Http3Connection,
    port: u16,
    open: HashMap<u64, Request>,
}

impl Answers {
    pub fn new(http: Http3Connection, port: u16) -> Self {
        Self { http, port, open: HashMap::new() }
    }

    /// Takes the requests that have come, and begins their answers. Gives those that ended at once.
    pub fn read(&mut self, connection: &mut Connection, files: &mut Files) -> Vec<Served> {
        let mut served = Vec::new();
        loop {
            match self.http.poll(connection) {
                Ok((stream, Http3Event::Headers { headers, .. })) => {
                    served.extend(self.answer(connection, stream, &headers, files))
                }
                Ok(_) => {}
                Err(_) => return served,
            }
        }
    }

    fn answer(
        &mut self,
        connection: &mut Connection,
        stream: u64,
        headers: &[Header],
        files: &mut Files,
    ) -> Option<Served> {
        let value = |name: &[u8]| {
            let found = headers.iter().find(|header| header.name() == name);
            found.map_or(String::new(), |header| String::from_utf8_lossy(header.value()).into_owned())
        };
        let (method, host, path) = (value(b":method"), host_of(&value(b":authority")), value(b":path"));
        let Found { status, content_type, body } = files.find(&host, &path);
        let announced = body.len();
        let body = if method == "HEAD" { Bytes::new() } else { body };
        // A body that came with the request is nobody's.
        let _ = connection.stream_shutdown(stream, Shutdown::Read, 0);
        let head = [
            Header::new(b":status", status.to_string().as_bytes()),
            Header::new(b"content-type", content_type.as_bytes()),
            Header::new(b"content-length", announced.to_string().as_bytes()),
            Header::new(b"timing-allow-origin", b"*"),
            Header::new(b"access-control-allow-origin", b"*"),
        ];
        let began_epoch_ms = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0.0, |since| since.as_secs_f64() * 1000.0);
        let began = Instant::now();
        let request =
            Request { method, host, path, status, announced, began, began_epoch_ms, body, written: 0 };
        let sent = self.http.send_headers(connection, stream, &head, request.body.is_empty());
        let is_empty = request.body.is_empty();
        self.open.insert(stream, request);
        match sent {
            Ok(()) if is_empty => self.closed(stream),
            Ok(()) => self.go_on(connection, stream),
            // tquic keeps the head, and sends it when the stream can be written to.
            Err(Http3Error::StreamBlocked) => None,
            Err(_) => self.closed(stream),
        }
    }

    /// Hands on as much of a body as is taken. Gives the answer where that was its end.
    pub fn go_on(&mut self, connection: &mut Connection, stream: u64) -> Option<Served> {
        loop {
            let request = self.open.get_mut(&stream)?;
            let rest = request.body.slice(request.written..);
            match self.http.send_body(connection, stream, rest, true) {
                Ok(written) => request.written += written,
                // The head has gone, which had waited.
                Err(Http3Error::NoError) if !request.body.is_empty() => continue,
                Err(Http3Error::Done) => {
                    let _ = connection.stream_want_write(stream, true);
                    return None;
                }
                Err(_) => return self.closed(stream),
            }
            if request.written == request.body.len() {
                return self.closed(stream);
            }
        }
    }

    /// The answer of a stream that has ended, whole or not; nothing where it was given before.
    pub fn closed(&mut self, stream: u64) -> Option<Served> {
        let port = self.port;
        self.open.remove(&stream).map(|request| Served { port, bytes: request.written, request })
    }

    /// The answers that the end of the connection cut off.
    pub fn cut(self) -> Vec<Served> {
        let port = self.port;
        let open = self.open.into_values();
        open.map(|request| Served { port, bytes: request.written, request }).collect()
    }
}

/// A name without its port.
fn host_of(authority: &str) -> String {
    authority.rsplit_once(':').map_or(authority, |(host, _)| host).to_lowercase()
}
