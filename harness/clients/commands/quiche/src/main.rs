//! Fetches addresses over HTTP/3 with quiche, or sends a file to them, throws the answers' bodies away and prints a line of JSON for each.

mod connection;
mod link;
mod options;
mod other_address;
mod transfer;

use std::process::exit;
use std::sync::Arc;
use std::time::Instant;

use connection::{fetch_host, get_ticket, Ticket};
use options::{Asked, Options};
use transfer::{Transfer, Upload};

const TIME_LIMIT_EXIT_CODE: i32 = 28;

fn main() {
    let options = match options::read(std::env::args().skip(1)) {
        Ok(Asked::Version) => {
            println!("quiche {}\nprotocols: h3", env!("CARGO_PKG_VERSION"));
            return;
        }
        Ok(Asked::Fetch(options)) => options,
        Err(message) => {
            eprintln!("{message}");
            exit(2);
        }
    };
    exit(fetch_all(&options));
}

/// Asks each host for its addresses in this order over one connection, all hosts at a time.
fn fetch_all(options: &Options) -> i32 {
    let ticket: Option<Ticket> = match (&options.resume, options.urls.first()) {
        (Some(_), Some(url)) => match get_ticket(options, url) {
            Ok(ticket) => Some(ticket),
            Err(message) => {
                eprintln!("the connection before: {message}");
                return 1;
            }
        },
        _ => None,
    };
    let body = match options.body_file.as_ref().map(std::fs::read).transpose() {
        Ok(bytes) => bytes.map(Arc::new),
        Err(error) => {
            eprintln!("the body: {error}");
            return 1;
        }
    };
    let began = Instant::now();
    let mut by_host: Vec<(String, Vec<Transfer>)> = Vec::new();
    for url in &options.urls {
        let mut transfer = Transfer::new(url);
        transfer.upload = body.as_ref().map(|bytes| Upload {
            bytes: Arc::clone(bytes),
            content_type: options.body_type.clone(),
            sent_bytes: 0,
            is_over: false,
        });
        match by_host.iter_mut().find(|(host, _)| *host == transfer.authority) {
            Some((_, transfers)) => transfers.push(transfer),
            None => by_host.push((transfer.authority.clone(), vec![transfer])),
        }
    }
    let failed = std::thread::scope(|scope| {
        let running: Vec<_> = by_host
            .iter_mut()
            .enumerate()
            .map(|(index, (host, transfers))| {
                // The ticket is of the host of the first address.
                let ticket = ticket.as_ref().filter(|_| index == 0);
                scope.spawn(move || {
                    let outcome = fetch_host(options, host, transfers, ticket, began);
                    for transfer in transfers.iter_mut() {
                        if let Err(message) = &outcome {
                            transfer.fail(began, message);
                        }
                        println!("{}", transfer.told());
                    }
                    transfers.iter().any(|transfer| transfer.error.is_some())
                })
            })
            .collect();
        running
            .into_iter()
            .map(|thread| thread.join().unwrap_or(true))
            .filter(|failed| *failed)
            .count()
    });
    match options.limit {
        Some(limit) if failed > 0 && began.elapsed() >= limit => TIME_LIMIT_EXIT_CODE,
        _ => i32::from(failed > 0),
    }
}
