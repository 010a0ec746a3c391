//! Why no test enters a method that no test can call by itself: a private one, one of a nested
//! class, the body of a lambda.
//!
//! Who calls it is told by names alone, as far as the measured classes go: a call of another class's
//! method of that name and descriptor counts too, for it may be overridden.
//!
//! A method that tests can call, and that no test which is left enters, is told here only if nothing else
//! is known of it: calls of it returned, and none of the tests with them was kept.
//!
//! A static initializer runs once, often before the first test or in one that was not chosen; it runs all
//! the same with the tests that are left, and so does what it calls.

use instrument::ProbeKind;
use model::{ClassName, MethodDescriptor};

use super::{Reason, ReasonCode};
use crate::guided::{Knowledge, MethodKey};

/// Reasons for the measured methods that were not entered and of which nothing is told yet; `hits`
/// are those of the tests that are left, `ever` those of the whole search, by probe; `open` are the
/// methods that tests can call.
pub(crate) fn unentered(
    knowledge: &Knowledge,
    open: &[MethodKey],
    (hits, ever): (&[u8], &[u8]),
    told: &[Reason],
) -> Vec<Reason> {
    let initialized = initialized(knowledge, ever);
    // Each with whether it was entered, and whether that is to be told.
    let mut methods: Vec<(MethodKey, bool, bool)> = Vec::new();
    let mut start = 0;
    for plan in &knowledge.plans {
        for (probe, at) in plan.probes.iter().zip(start..) {
            let method = &plan.methods[probe.method as usize];
            if probe.kind == ProbeKind::Entry {
                let key = (plan.class.clone(), method.name.clone(), method.descriptor.clone());
                let is_hit = |hits: &[u8]| hits.get(at).is_some_and(|hit| *hit != 0);
                let entered = is_hit(hits) || is_hit(ever) && initialized.contains(&key);
                methods.push((key, entered, method.counted && method.name != "<clinit>"));
            }
        }
        start += plan.probes.len();
    }
    let is_entered =
        |key: &MethodKey| methods.iter().any(|(known, entered, _)| known == key && *entered);
    let mut reasons = Vec::new();
    for (key, _, _) in methods.iter().filter(|(_, entered, told)| !entered && *told) {
        let member = shown(key);
        if told.iter().any(|reason| reason.member == member) {
            continue;
        }
        let is_this = |called: &MethodKey| {
            called.1 == key.1 && called.2 == key.2 && (called.0 == key.0 || key.1 != "<init>")
        };
        let callers = knowledge.calls.iter().filter(|(_, called)| called.iter().any(is_this));
        let mut callers: Vec<&MethodKey> = callers.map(|(caller, _)| caller).collect();
        callers.retain(|caller| *caller != key);
        let (code, detail) = match callers.iter().find(|caller| is_entered(caller)) {
            _ if open.contains(key) => (
                ReasonCode::NotEntered,
                "calls of it returned, but no test with one was kept".to_owned(),
            ),
            Some(caller) => (
                ReasonCode::NotEntered,
                format!("{} calls it, but no test got that far", shown(caller)),
            ),
            None => match callers.first() {
                Some(caller) => (
                    ReasonCode::NotEntered,
                    format!("{} calls it, which no test entered either", shown(caller)),
                ),
                None => (ReasonCode::NotCalled, "no measured class calls it".to_owned()),
            },
        };
        reasons.push(Reason { code, member, detail });
    }
    reasons
}

/// Static initializers that ran, and the methods that they call, directly or not.
fn initialized(knowledge: &Knowledge, ever: &[u8]) -> Vec<MethodKey> {
    let mut found: Vec<MethodKey> = Vec::new();
    let mut start = 0;
    for plan in &knowledge.plans {
        for (probe, at) in plan.probes.iter().zip(start..) {
            let method = &plan.methods[probe.method as usize];
            let is_hit = ever.get(at).is_some_and(|hit| *hit != 0);
            if probe.kind == ProbeKind::Entry && method.name == "<clinit>" && is_hit {
                found.push((plan.class.clone(), method.name.clone(), method.descriptor.clone()));
            }
        }
        start += plan.probes.len();
    }
    let mut next = 0;
    while next < found.len() {
        let calls = knowledge.calls.iter().filter(|(caller, _)| *caller == found[next]);
        let called: Vec<&MethodKey> = calls.flat_map(|(_, called)| called).collect();
        for key in called {
            if !found.contains(key) {
                found.push(key.clone());
            }
        }
        next += 1;
    }
    found
}

/// A method as an operation of it is shown.
fn shown((class, name, descriptor): &MethodKey) -> String {
    let class = ClassName::internal(class);
    let parameters = MethodDescriptor::parse(descriptor).map_or_else(
        |_| descriptor.clone(),
        |parsed| {
            let params: Vec<String> = parsed.params.iter().map(ToString::to_string).collect();
            params.join(", ")
        },
    );
    match &**name {
        "<init>" => format!("new {class}({parameters})"),
        _ => format!("{class}.{name}({parameters})"),
    }
}

#[cfg(test)]
mod tests {
    use instrument::{MethodPlan, Options, Plan, Probe, Site};

    use super::*;

    fn key(name: &str) -> MethodKey {
        ("a/B".to_owned(), name.to_owned(), "(I)V".to_owned())
    }

    /// A plan of methods of `a.B`, each with the probe of its number where it is entered.
    fn plan(names: &[&str]) -> Plan {
        let methods = (0..).zip(names).map(|(at, name)| MethodPlan {
            index: at as u16,
            name: (*name).to_owned(),
            descriptor: "(I)V".to_owned(),
            access: 0,
            counted: true,
            probes: at..at + 1,
            steps: Vec::new(),
            comparisons: 0..0,
        });
        let probe = |method| Probe { method, kind: ProbeKind::Entry, site: Site::Entry };
        Plan {
            class: "a/B".to_owned(),
            options: Options { coverage: true, steps: true, comparisons: false },
            methods: methods.collect(),
            probes: (0..names.len() as u32).map(probe).collect(),
            branches: Vec::new(),
            segments: Vec::new(),
            comparisons: Vec::new(),
            skipped: Vec::new(),
        }
    }

    #[test]
    fn what_a_static_initializer_calls_runs_with_any_test() {
        let calls = vec![
            (key("<clinit>"), vec![key("table")]),
            (key("table"), vec![key("row"), key("rare")]),
        ];
        let plans = vec![plan(&["<clinit>", "table", "row", "rare", "other"])];
        let knowledge = Knowledge { plans, calls, ..Knowledge::default() };
        let found = |ever: &[u8]| -> Vec<(String, String)> {
            let found = unentered(&knowledge, &[], (&[0; 5], ever), &[]);
            found.into_iter().map(|reason| (reason.member, reason.detail)).collect()
        };
        let rare = "a.B.table(int) calls it, but no test got that far";
        let other = "no measured class calls it";
        let told = |member: &str, detail: &str| (member.to_owned(), detail.to_owned());
        let expected = [told("a.B.rare(int)", rare), told("a.B.other(int)", other)];
        assert_eq!(found(&[1, 1, 1, 0, 1]), expected);
        // The initializer did not run, so what was hit came of tests that are not left.
        assert_eq!(found(&[0, 1, 1, 0, 0]).len(), 4);
    }

    #[test]
    fn methods_that_no_test_entered_are_told_with_who_calls_them() {
        let plan = plan(&["open", "behind", "lonely", "further", "told", "lost"]);
        let knowledge = Knowledge {
            plans: vec![plan],
            calls: vec![
                (key("open"), vec![key("behind")]),
                (key("behind"), vec![key("further")]),
                (key("lonely"), vec![key("lonely")]),
            ],
            ..Knowledge::default()
        };
        let told = Reason {
            code: ReasonCode::AlwaysThrows,
            member: "a.B.told(int)".to_owned(),
            detail: String::new(),
        };
        let hits = [1, 0, 0, 0, 0, 0];
        let open = [key("open"), key("lost")];
        let found = unentered(&knowledge, &open, (&hits, &hits), &[told]);
        let found: Vec<_> = found
            .iter()
            .map(|reason| (&*reason.member, reason.code.code(), &*reason.detail))
            .collect();
        let expected = [
            ("a.B.behind(int)", "not-entered", "a.B.open(int) calls it, but no test got that far"),
            ("a.B.lonely(int)", "not-called", "no measured class calls it"),
            (
                "a.B.further(int)",
                "not-entered",
                "a.B.behind(int) calls it, which no test entered either",
            ),
            ("a.B.lost(int)", "not-entered", "calls of it returned, but no test with one was kept"),
        ];
        assert_eq!(found, expected);
    }
}
