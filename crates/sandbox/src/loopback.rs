//! Switches the loopback device of a fresh network namespace on.
//!
//! By a message of the kernel's routing protocol (rtnetlink), since the ioctl that does the same
//! has no safe wrapper. The kernel then gives the device its addresses itself.

use std::os::fd::AsRawFd;

use nix::errno::Errno;
use nix::libc;
use nix::sys::socket::{
    AddressFamily, MsgFlags, NetlinkAddr, SockFlag, SockProtocol, SockType, recv, sendto, socket,
};

/// The loopback device is the first device of every network namespace.
const LOOPBACK_INDEX: i32 = 1;
/// Length of `nlmsghdr` and of `ifinfomsg`.
const HEADER: usize = 16;

/// Switches the loopback device on.
pub(crate) fn bring_up() -> Result<(), Errno> {
    let netlink = socket(
        AddressFamily::Netlink,
        SockType::Raw,
        SockFlag::SOCK_CLOEXEC,
        SockProtocol::NetlinkRoute,
    )?;
    let kernel = NetlinkAddr::new(0, 0);
    sendto(netlink.as_raw_fd(), &request(), &kernel, MsgFlags::empty())?;
    let mut answer = [0; 1024];
    let length = recv(netlink.as_raw_fd(), &mut answer, MsgFlags::empty())?;
    acknowledged(&answer[..length])
}

/// `RTM_NEWLINK` with the flag "up" set for the loopback device.
fn request() -> Vec<u8> {
    let up = libc::IFF_UP.cast_unsigned();
    let flags = libc::NLM_F_REQUEST | libc::NLM_F_ACK;
    let mut message = Vec::with_capacity(2 * HEADER);
    // nlmsghdr: length, type, flags, sequence number, port.
    message.extend((2 * HEADER as u32).to_ne_bytes());
    message.extend(libc::RTM_NEWLINK.to_ne_bytes());
    message.extend((flags as u16).to_ne_bytes());
    message.extend(1u32.to_ne_bytes());
    message.extend(0u32.to_ne_bytes());
    // ifinfomsg: family and padding, device type, index, flags, mask of flags to change.
    message.extend([0, 0]);
    message.extend(0u16.to_ne_bytes());
    message.extend(LOOPBACK_INDEX.to_ne_bytes());
    message.extend(up.to_ne_bytes());
    message.extend(up.to_ne_bytes());
    message
}

/// The answer is `NLMSG_ERROR` with a negated error number, 0 for success.
fn acknowledged(answer: &[u8]) -> Result<(), Errno> {
    let kind = answer.get(4..6).and_then(|bytes| bytes.try_into().ok()).map(u16::from_ne_bytes);
    let code = answer
        .get(HEADER..HEADER + 4)
        .and_then(|bytes| bytes.try_into().ok())
        .map(i32::from_ne_bytes);
    match (kind, code) {
        (Some(kind), Some(0)) if i32::from(kind) == libc::NLMSG_ERROR => Ok(()),
        (Some(kind), Some(code)) if i32::from(kind) == libc::NLMSG_ERROR => {
            Err(Errno::from_raw(-code))
        }
        _ => Err(Errno::EBADMSG),
    }
}
