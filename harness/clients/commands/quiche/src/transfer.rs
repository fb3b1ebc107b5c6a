use std::sync::Arc;
use std::time::Instant;

use quiche::h3::{Header, NameValue};
use serde_json::{json, Value};

/// One answer; times in ms after the program began to fetch.
pub struct Transfer {
    pub url: String,
    pub authority: String,
    pub target: String,
    pub error: Option<String>,
    pub has_ended: bool,
    pub body_bytes: u64,
    pub connect_start_ms: f64,
    pub connect_end_ms: f64,
    request_start_ms: f64,
    response_start_ms: f64,
    end_ms: f64,
    status: u16,
    mime_type: String,
    pub handover: Option<Handover>,
    pub resumption: Option<Resumption>,
    /// Of its body, all or the first byte alone.
    pub first_byte_alone: bool,
    pub upload: Option<Upload>,
}

/// What is sent with a request.
pub struct Upload {
    pub bytes: Arc<Vec<u8>>,
    /// Empty: none is named.
    pub content_type: String,
    /// As far as the transport has taken it.
    pub sent_bytes: usize,
    /// Whether the transport has all of it, or the server wants no more.
    pub is_over: bool,
}

/// What became of a transfer whose address was lost; its connection moves, so that nothing of it is broken off.
pub struct Handover {
    pub lost_ms: f64,
    /// When the first byte came that had not come before.
    pub recovered_ms: Option<f64>,
}

/// What became of a connection that was to take up a session.
pub struct Resumption {
    pub resumed: bool,
    /// Whether the request was taken before the handshake had ended.
    pub early_data: bool,
    /// Body bytes of the answer on the connection before, which gave the ticket.
    pub ticket_bytes: u64,
}

pub fn ms_since(began: Instant) -> f64 {
    began.elapsed().as_micros() as f64 / 1000.0
}

impl Transfer {
    pub fn new(url: &str) -> Self {
        let place = url.strip_prefix("https://").unwrap_or(url);
        let (authority, target) = place.split_at(place.find('/').unwrap_or(place.len()));
        Transfer {
            url: url.to_string(),
            authority: authority.to_string(),
            target: if target.is_empty() {
                "/".to_string()
            } else {
                target.to_string()
            },
            error: None,
            has_ended: false,
            body_bytes: 0,
            connect_start_ms: 0.0,
            connect_end_ms: 0.0,
            request_start_ms: 0.0,
            response_start_ms: 0.0,
            end_ms: 0.0,
            status: 0,
            mime_type: String::new(),
            handover: None,
            resumption: None,
            first_byte_alone: false,
            upload: None,
        }
    }

    pub fn request(&mut self, began: Instant) -> Vec<Header> {
        self.request_start_ms = ms_since(began);
        let mut list = vec![
            Header::new(b":method", if self.upload.is_some() { b"POST" } else { b"GET" }),
            Header::new(b":scheme", b"https"),
            Header::new(b":authority", self.authority.as_bytes()),
            Header::new(b":path", self.target.as_bytes()),
        ];
        if self.first_byte_alone {
            list.push(Header::new(b"range", b"bytes=0-0"));
        }
        if let Some(upload) = &self.upload {
            list.push(Header::new(b"content-length", upload.bytes.len().to_string().as_bytes()));
            if !upload.content_type.is_empty() {
                list.push(Header::new(b"content-type", upload.content_type.as_bytes()));
            }
        }
        list
    }

    /// Bytes of the body that have just come.
    pub fn body(&mut self, bytes: u64, has_moved: bool, began: Instant) {
        self.body_bytes += bytes;
        if let (Some(handover), true) = (&mut self.handover, has_moved) {
            handover.recovered_ms.get_or_insert_with(|| ms_since(began));
        }
    }

    pub fn headers(&mut self, list: &[Header], began: Instant) {
        if self.status != 0 {
            return;
        }
        let value = |name: &[u8]| {
            let found = list.iter().find(|header| header.name() == name);
            found
                .map(|header| String::from_utf8_lossy(header.value()).into_owned())
                .unwrap_or_default()
        };
        self.response_start_ms = ms_since(began);
        self.status = value(b":status").parse().unwrap_or(0);
        self.mime_type = value(b"content-type");
    }

    pub fn end(&mut self, began: Instant) {
        self.has_ended = true;
        self.end_ms = ms_since(began);
    }

    pub fn fail(&mut self, began: Instant, message: &str) {
        if self.has_ended {
            return;
        }
        self.error = Some(message.to_string());
        self.end(began);
    }

    pub fn told(&self) -> Value {
        let mut told = json!({
            "url": self.url,
            "status": self.status,
            "protocol": if self.status == 0 { "" } else { "h3" },
            "bodyBytes": self.body_bytes,
            "mimeType": self.mime_type,
            "connectStartMs": self.connect_start_ms,
            "connectEndMs": self.connect_end_ms,
            // Early data is asked for before the handshake has ended.
            "requestStartMs": self.request_start_ms.max(self.connect_end_ms),
            "responseStartMs": self.response_start_ms,
            "endMs": self.end_ms,
        });
        if let Some(upload) = &self.upload {
            told["sentBytes"] = json!(upload.sent_bytes);
        }
        if let Some(Handover { lost_ms, recovered_ms }) = &self.handover {
            let recovered_ms = recovered_ms.unwrap_or(*lost_ms);
            told["handover"] =
                json!({ "lostMs": lost_ms, "recoveredMs": recovered_ms, "keptBytes": 0, "brokenBytes": 0 });
        }
        if let Some(Resumption { resumed, early_data, ticket_bytes }) = &self.resumption {
            told["resumption"] =
                json!({ "resumed": resumed, "earlyData": early_data, "ticketBytes": ticket_bytes });
        }
        if let Some(error) = &self.error {
            told["error"] = json!(error);
        }
        told
    }
}
