//! Whether a test ended as it should: a passing one passes, a failing one fails for the reason that
//! its comment gives, and not for another of the same kind.

use model::{CheckKind, Contract, Expectation, FailureKind, Frame, Restated, UnitTest};

use crate::answer::{Failed, TestEnd};
use crate::statements::Statements;

/// Whether the test, written as these statements, ended as it should.
pub(crate) fn is_as_expected(test: &UnitTest, statements: &Statements, end: &TestEnd) -> bool {
    match (&test.failure, end) {
        (None, TestEnd::Passed) => true,
        (Some(failure), TestEnd::Failed(failed)) => match &failure.kind {
            FailureKind::UnexpectedException { class, place } => {
                failed.exception == class.to_binary()
                    && place.as_ref().is_none_or(|place| comes_from(failed, place))
            }
            FailureKind::Breach { restated, .. } => {
                shows_breach(restated.as_deref(), statements, failed)
            }
            FailureKind::Contract { contract, .. } => breaks(*contract, statements, failed),
        },
        _ => false,
    }
}

/// Whether the exception comes from there, as the search tells it: from the top of the stack, or
/// from where code of the JDK was called that threw it.
fn comes_from(failed: &Failed, place: &Frame) -> bool {
    let own = failed.frames.iter().find(|frame| !frame.is_of_jdk());
    failed.frames.first() == Some(place) || own == Some(place)
}

/// Whether the failure shows the broken clause: one of its assertions, which stand last, is what
/// fails, or the last call throws what the clause forbids.
fn shows_breach(restated: Option<&Restated>, statements: &Statements, failed: &Failed) -> bool {
    let Some(line) = failed.line else { return false };
    match restated {
        Some(restated) if restated.is_exception() => {
            !is_assertion(failed) && statements.is_in_last(line)
        }
        Some(restated) => {
            let is_claim = statements.is_in_last_of(line, restated.claims.len());
            is_claim && (is_assertion(failed) || is_overflow(failed))
        }
        None => is_assertion(failed) && statements.is_in_last(line),
    }
}

/// Whether a number that an assertion calculates has no place in `long`: clauses speak of numbers
/// without end, so what the code came to is another one.
fn is_overflow(failed: &Failed) -> bool {
    let is_exact = |frame: &Frame| {
        frame.class.as_internal() == "java/lang/Math" && frame.method.ends_with("Exact")
    };
    failed.called.ends_with("Exact") && failed.frames.first().is_some_and(is_exact)
}

/// Whether the failure shows the broken law: its conclusion, which stands last, is what fails.
fn breaks(contract: Contract, statements: &Statements, failed: &Failed) -> bool {
    let is_in_last = failed.line.is_some_and(|line| statements.is_in_last(line));
    if is_assertion(failed) {
        return is_in_last;
    }
    let method = match contract {
        Contract::EqualsNull | Contract::EqualsReturns => "equals",
        Contract::HashCodeReturns => "hashCode",
        Contract::ToStringReturns => "toString",
        _ => return false,
    };
    match failed.line {
        Some(_) => is_in_last && failed.called == method,
        // Of an endless recursion only the top is left.
        None => failed.frames.iter().any(|frame| &*frame.method == method),
    }
}

/// Whether an assertion of the test failed, and not one of the code under test.
fn is_assertion(failed: &Failed) -> bool {
    let is_junit = |frame: &Frame| {
        let class = frame.class.as_internal();
        ["org/junit/", "junit/framework/", "org/opentest4j/"].iter().any(|p| class.starts_with(p))
    };
    failed.frames.first().is_some_and(is_junit)
}

/// The assertion that the test failed in, by its place among the checks, if the test still says
/// something of its subject without it.
pub(crate) fn spare_check(
    test: &UnitTest,
    statements: &Statements,
    end: &TestEnd,
) -> Option<usize> {
    let TestEnd::Failed(failed) = end else { return None };
    // That a call throws is an assertion before the checks.
    let throws = matches!(test.expectation, Expectation::Throws(_));
    let asserted = statements.assertions().checked_sub(test.checks.len())?;
    if test.failure.is_some() || asserted > usize::from(throws) {
        return None;
    }
    let at = statements.assertion_at(failed.line?)?.checked_sub(asserted)?;
    let subject = test.case.calls.get(test.subject)?;
    let tells = |kind: &CheckKind| match kind {
        CheckKind::Holds(slot, _) | CheckKind::Same(slot, _) | CheckKind::View(slot, ..) => {
            subject.result == Some(*slot) || subject.args.contains(slot)
        }
        CheckKind::Verified(_) => true,
        CheckKind::NotNull(_) => false,
    };
    let mut others = test.checks.iter().enumerate().filter(|(other, _)| *other != at);
    (throws || others.any(|(_, check)| tells(&check.kind))).then_some(at)
}

#[cfg(test)]
mod tests;
