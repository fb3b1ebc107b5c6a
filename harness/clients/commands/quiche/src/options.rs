use std::net::SocketAddr;
use std::time::Duration;

pub struct Options {
    /// Where to connect whatever the address's host is; none: as names resolve.
    pub address: Option<SocketAddr>,
    /// Base64 SHA-256 of the public key that servers must have; none: certificates are judged as usual.
    pub spki: Option<String>,
    pub limit: Option<Duration>,
    pub urls: Vec<String>,
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
            "--limit" => options.limit = seconds(&value()?)?,
            flag if flag.starts_with('-') => return Err(format!("unknown option {flag}")),
            _ => options.urls.push(word),
        }
    }
    Ok(Asked::Fetch(options))
}

fn seconds(text: &str) -> Result<Option<Duration>, String> {
    let count: f64 = text.parse().map_err(|_| "--limit wants seconds")?;
    Ok((count > 0.0).then(|| Duration::from_secs_f64(count)))
}
