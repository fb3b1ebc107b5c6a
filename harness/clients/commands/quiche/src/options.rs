use std::net::SocketAddr;
use std::time::Duration;

pub struct Options {
    /// Where to connect whatever the address's host is; none: as names resolve.
    pub address: Option<SocketAddr>,
    /// Base64 SHA-256 of the public key that servers must have; none: certificates are judged as usual.
    pub spki: Option<String>,
    pub limit: Option<Duration>,
    /// Bytes of the body after which the local address is lost; none: it is kept.
    pub handover_after: Option<u64>,
    /// How the measured connection takes up the session of one before it; none: there is none before it.
    pub resume: Option<Resume>,
    /// What is sent with each request, by POST; none: nothing is.
    pub body_file: Option<String>,
    /// What it holds; empty: no type is named.
    pub body_type: String,
    pub urls: Vec<String>,
}

#[derive(Clone, Copy, PartialEq)]
pub enum Resume {
    Session,
    /// And the request goes out with the first packet.
    ZeroRtt,
}

pub enum Asked {
    Version,
    Fetch(Options),
}

pub fn read(mut words: impl Iterator<Item = String>) -> Result<Asked, String> {
    let mut options = Options {
        address: None,
        spki: None,
        limit: None,
        handover_after: None,
        resume: None,
        body_file: None,
        body_type: String::new(),
        urls: Vec::new(),
    };
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or_else(|| format!("{word} wants a value"));
        match word.as_str() {
            "--version" => return Ok(Asked::Version),
            "--protocol" => match value()?.as_str() {
                "h3" => {}
                other => return Err(format!("this client speaks h3, not {other}")),
            },
            "--address" => options.address = Some(value()?.parse().map_err(|_| "--address wants IP:PORT")?),
            "--spki" => options.spki = Some(value()?),
            "--handover-after" => {
                let bytes = value()?.parse().map_err(|_| "--handover-after wants bytes")?;
                options.handover_after = Some(bytes);
            }
            "--resume" => match value()?.as_str() {
                "session" => options.resume = Some(Resume::Session),
                "0rtt" => options.resume = Some(Resume::ZeroRtt),
                other => return Err(format!("--resume is session or 0rtt, not {other}")),
            },
            "--body" => options.body_file = Some(value()?),
            "--body-type" => options.body_type = value()?,
            "--limit" => options.limit = seconds(&value()?)?,
            flag if flag.starts_with('-') => return Err(format!("unknown option {flag}")),
            _ => options.urls.push(word),
        }
    }
    if options.handover_after.is_some() && options.urls.len() != 1 {
        return Err("an address can be lost with one transfer alone".to_string());
    }
    Ok(Asked::Fetch(options))
}

fn seconds(text: &str) -> Result<Option<Duration>, String> {
    let count: f64 = text.parse().map_err(|_| "--limit wants seconds")?;
    Ok((count > 0.0).then(|| Duration::from_secs_f64(count)))
}
