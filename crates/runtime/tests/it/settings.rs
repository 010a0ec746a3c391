//! Process-wide settings: every change is seen and put back.

use crate::machine::{Jvm, jdks};

#[test]
fn every_change_is_seen_and_put_back() {
    let expected = "\
locale X, time zone X, N system properties, N threads
nothing: 
locale: locale
format locale: locale
display locale: locale
time zone: time zone
hostile time zone: time zone
property set: system properties
property changed: system properties
property cleared: system properties
property swapped: system properties
hostile property: system properties
hostile value: system properties
properties replaced: system properties
in: streams
out: streams
err: streams
handler: uncaught exception handler
handler of the thread: uncaught exception handler
loader: context class loader
interrupt: interrupt
name: thread name
priority: thread name
two: locale, interrupt
of the JDK: 0
ends by itself: 0
new: 3
left: 1
changed: 0
known by now: 0
";
    for home in jdks() {
        assert_eq!(Jvm::new(&home).run("ChangeSettings", &[]), expected);
    }
}
