use std::net::{IpAddr, Ipv4Addr};

/// All of 127.0.0.0/8 is this machine's.
const OTHER_LOOPBACK: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 77);

/// Another address of the interface that has this one.
pub fn other_address(local: IpAddr) -> Result<IpAddr, String> {
    if local.is_loopback() && local.is_ipv4() {
        return Ok(OTHER_LOOPBACK.into());
    }
    let all = if_addrs::get_if_addrs().map_err(|error| error.to_string())?;
    let name = all.iter().find(|one| one.ip() == local).map(|one| one.name.clone());
    all.iter()
        .filter(|one| Some(&one.name) == name.as_ref() && one.ip() != local)
        .map(|one| one.ip())
        .find(|other| other.is_ipv4() == local.is_ipv4())
        .ok_or_else(|| format!("there is no second address beside {local} to go on from"))
}
