//! HotSpot inside this process: the invocation API, JNI and JVMTI behind a safe interface.
//!
//! The only crate with `unsafe`. Three rules make the rest safe:
//!
//! - an [`Executor`] never leaves the thread it was made on, and no raw reference leaves it;
//! - every JNI call that may run Java code is followed by a check for a pending exception before
//!   the next one;
//! - nothing unwinds into the JVM: callbacks catch panics and abort.
//!
//! It knows test cases ([`model::Call`]) because turning one into a JNI call must cost no more
//! than the call itself; it knows nothing of strategies, files or processes.

mod blackbox;
mod boot;
mod calls;
mod clock;
mod compare;
mod contracts;
mod coverage;
mod effects;
mod env;
mod error;
mod executor;
mod file_attributes;
mod garbage;
mod harmless;
mod hook;
mod known_files;
mod members;
mod meter;
mod mocks;
mod names;
mod natives;
mod observe;
mod order;
mod own_folder;
mod redefine;
mod service;
mod stop;
mod unknown;
mod waits;
mod watches;

pub use blackbox::{Blackbox, LINKING, Position, SETTLING};
pub use boot::{Jvm, Options};
pub use clock::{
    CLOCK_OPTION, Readings, align_shifted_clock, count_clock, dates_read, set_shifted_clock,
    shift_clock,
};
pub use compare::Compared;
pub use effects::leave_out_cleaning;
pub use error::JvmError;
pub use executor::Executor;
pub use file_attributes::{FileAttributes, change_file_attributes};
pub use garbage::collect_garbage;
pub use hook::{ClassHook, set_class_hook};
pub use known_files::set_known_class_path;
pub use members::reverse_members;
pub use meter::{Count, Meter};
pub use natives::{WatchedNative, watched_natives};
pub use order::{Walk, set_walk};
pub use own_folder::set_own_folder;
pub use redefine::LoadedClass;
pub use service::{Arg, NumberMethod, Service};
pub use stop::Stopper;
pub use unknown::{
    MAX_UNKNOWN, NativeMethod, Standing, can_be_wrapped, may_be_absent, required_natives, standing,
    taken_for, watched_classes,
};
