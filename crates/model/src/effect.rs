//! Effects outside the Java heap that a call tried to have.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What kind of effect; the numbers are what hooks in the JVM report.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[repr(u8)]
pub enum EffectKind {
    /// A file or directory was opened for writing, created, or its attributes were changed.
    FileWrite = 0,
    /// A file or directory was deleted.
    FileDelete = 1,
    /// A file or directory was moved or linked.
    FileMove = 2,
    /// A process was started or ended.
    Process = 3,
    /// A socket was made, bound or connected, or a host name looked up.
    Network = 4,
    /// The JVM was asked to exit or halt.
    Exit = 5,
    /// The default locale changed.
    Locale = 6,
    /// The default time zone changed.
    TimeZone = 7,
    /// A system property changed.
    SystemProperty = 8,
    /// `System.in`, `out` or `err` was replaced or closed.
    Stream = 9,
    /// A thread was still running when the call sequence ended.
    Thread = 10,
    /// A native library was loaded.
    NativeLibrary = 11,
    /// Another process-wide setting changed: shutdown hooks, handlers, providers, policies.
    Setting = 12,
    /// A window system or another part of the desktop was used.
    Desktop = 13,
    /// Something was written to standard output or standard error.
    Output = 14,
    /// Standard input was read.
    Input = 15,
    /// A file or folder was looked for, read or listed that not every run has.
    FileLook = 16,
}

impl EffectKind {
    /// Every kind, in the order of its number.
    pub const ALL: [Self; 17] = [
        Self::FileWrite,
        Self::FileDelete,
        Self::FileMove,
        Self::Process,
        Self::Network,
        Self::Exit,
        Self::Locale,
        Self::TimeZone,
        Self::SystemProperty,
        Self::Stream,
        Self::Thread,
        Self::NativeLibrary,
        Self::Setting,
        Self::Desktop,
        Self::Output,
        Self::Input,
        Self::FileLook,
    ];

    /// The kind of that number.
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number)).copied()
    }

    /// Whether a test with this effect may be handed to someone who runs it without a sandbox.
    pub fn may_be_emitted(self) -> bool {
        self == Self::Output
    }

    /// What the effect did, for people.
    pub fn describe(self) -> &'static str {
        match self {
            Self::FileWrite => "wrote a file",
            Self::FileDelete => "deleted a file",
            Self::FileMove => "moved or linked a file",
            Self::Process => "started or ended a process",
            Self::Network => "used the network",
            Self::Exit => "asked the JVM to exit",
            Self::Locale => "changed the default locale",
            Self::TimeZone => "changed the default time zone",
            Self::SystemProperty => "changed system properties",
            Self::Stream => "replaced or closed a standard stream",
            Self::Thread => "left a thread running",
            Self::NativeLibrary => "loaded a native library",
            Self::Setting => "changed a process-wide setting",
            Self::Desktop => "used the desktop",
            Self::Output => "wrote to standard output",
            Self::Input => "read standard input",
            Self::FileLook => "looked for a file",
        }
    }
}

/// One attempt, whether or not the sandbox let it happen.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Effect {
    /// What it was.
    pub kind: EffectKind,
    /// On what: a path, a host, a property; empty where that is not known.
    pub on: String,
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.describe())?;
        if self.on.is_empty() { Ok(()) } else { write!(f, " ({})", self.on) }
    }
}

/// A set of effect kinds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug, Serialize, Deserialize)]
pub struct EffectSet(u32);

impl EffectSet {
    /// The set whose bit `n` stands for the kind of number `n`.
    pub fn from_bits(bits: u32) -> Self {
        Self(bits & ((1 << EffectKind::ALL.len()) - 1))
    }

    /// The set of this kind alone.
    pub fn of(kind: EffectKind) -> Self {
        Self(1 << kind as u8)
    }

    /// The others.
    pub fn without(self, kind: EffectKind) -> Self {
        Self(self.0 & !Self::of(kind).0)
    }

    /// Adds a kind.
    pub fn insert(&mut self, kind: EffectKind) {
        self.0 |= 1 << kind as u8;
    }

    /// Both sets together.
    pub fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether the kind is in it.
    pub fn contains(self, kind: EffectKind) -> bool {
        self.0 & (1 << kind as u8) != 0
    }

    /// Whether nothing is in it.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The kinds in it.
    pub fn iter(self) -> impl Iterator<Item = EffectKind> {
        EffectKind::ALL.into_iter().filter(move |&k| self.contains(k))
    }

    /// Whether a test with these effects may be handed out.
    pub fn may_be_emitted(self) -> bool {
        // Asked after every run of a test case, so by bits; the test compares with the kinds.
        self.0 & !(1 << EffectKind::Output as u8) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_name_their_kinds() {
        for (number, kind) in EffectKind::ALL.into_iter().enumerate() {
            assert_eq!(kind as usize, number);
            assert_eq!(EffectKind::from_number(number as u8), Some(kind));
        }
        assert_eq!(EffectKind::from_number(200), None);
    }

    #[test]
    fn only_output_may_be_emitted() {
        let mut set = EffectSet::default();
        assert!(set.may_be_emitted());
        set.insert(EffectKind::Output);
        assert!(set.may_be_emitted());
        for kind in EffectKind::ALL {
            let mut with = set;
            with.insert(kind);
            assert_eq!(with.may_be_emitted(), kind.may_be_emitted(), "{kind:?}");
        }
    }
}
