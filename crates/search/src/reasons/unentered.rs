//! Why no test enters a method that no test can call by itself: a private one, one of a nested
//! class, the body of a lambda.
//!
//! Who calls it is told by names alone, as far as the measured classes go: a call of another class's
//! method of that name and descriptor counts too, for it may be overridden.

use instrument::ProbeKind;
use model::{ClassName, MethodDescriptor};

use super::{Reason, ReasonCode};
use crate::guided::{Knowledge, MethodKey};

/// Reasons for the measured methods that were not entered and of which nothing is told yet; `hits`
/// are by probe.
pub(crate) fn unentered(knowledge: &Knowledge, hits: &[u8], told: &[Reason]) -> Vec<Reason> {
    // Each with whether it was entered, and whether that is to be told.
    let mut methods: Vec<(MethodKey, bool, bool)> = Vec::new();
    let mut start = 0;
    for plan in &knowledge.plans {
        for (probe, at) in plan.probes.iter().zip(start..) {
            let method = &plan.methods[probe.method as usize];
            if probe.kind == ProbeKind::Entry {
                let key = (plan.class.clone(), method.name.clone(), method.descriptor.clone());
                let entered = hits.get(at).is_some_and(|hit| *hit != 0);
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

    #[test]
    fn methods_that_no_test_entered_are_told_with_who_calls_them() {
        let names = ["open", "behind", "lonely", "further", "told"];
        let methods = (0..).zip(names).map(|(at, name)| MethodPlan {
            index: at as u16,
            name: name.to_owned(),
            descriptor: "(I)V".to_owned(),
            access: 0,
            counted: true,
            probes: at..at + 1,
            steps: Vec::new(),
            comparisons: 0..0,
        });
        let probe = |method| Probe { method, kind: ProbeKind::Entry, site: Site::Entry };
        let plan = Plan {
            class: "a/B".to_owned(),
            options: Options { coverage: true, steps: true, comparisons: false },
            methods: methods.collect(),
            probes: (0..5).map(probe).collect(),
            branches: Vec::new(),
            segments: Vec::new(),
            comparisons: Vec::new(),
            skipped: Vec::new(),
        };
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
        let found = unentered(&knowledge, &[1, 0, 0, 0, 0], &[told]);
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
        ];
        assert_eq!(found, expected);
    }
}
