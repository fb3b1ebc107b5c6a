//! The one UDP socket of the server.

use std::io::{ErrorKind, Result};
use std::net::SocketAddr;

use mio::net::UdpSocket;
use tquic::{Error, PacketInfo, PacketSendHandler};

pub struct Socket(UdpSocket);

impl Socket {
    pub fn bind(address: SocketAddr) -> Result<Self> {
        UdpSocket::bind(address).map(Self)
    }

    /// What is waited for.
    pub fn source(&mut self) -> &mut UdpSocket {
        &mut self.0
    }

    /// The next datagram and who sent it; nothing where none waits.
    pub fn receive(&self, into: &mut [u8]) -> Result<Option<(usize, SocketAddr)>> {
        match self.0.recv_from(into) {
            Ok(received) => Ok(Some(received)),
            Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(None),
            // A datagram of ours came to nobody: its connection ends by its own timer.
            Err(error) if error.kind() == ErrorKind::ConnectionRefused => Ok(None),
            Err(error) => Err(error),
        }
    }
}

impl PacketSendHandler for Socket {
    fn on_packets_send(&self, packets: &[(Vec<u8>, PacketInfo)]) -> tquic::Result<usize> {
        for (count, (packet, info)) in packets.iter().enumerate() {
            match self.0.send_to(packet, info.dst) {
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(count),
                Err(error) => return Err(Error::InvalidOperation(error.to_string())),
            }
        }
        Ok(packets.len())
    }
}
