//! The result of the study of regressions for people.

use super::result::{PairResult, RegressionResult};
use crate::columns::aligned;

const HEADINGS: [&str; 9] =
    ["issue", "library", "releases", "role", "tests", "not green", "other API", "red", "detected"];

const NOTE: &str = "\
tests: made on the fixed, newer release; not green: those that Maven's run there did not pass (must be
0); other API: left out, since they do not compile against the older release or call another overload
there; red: fail on the older release. Whether they fail because of the bug is for a reader to judge:";

/// Characters of what a red test said.
const TOLD: usize = 160;

/// The result for people.
pub fn regression_table(result: &RegressionResult) -> String {
    let mut rows = vec![HEADINGS.map(str::to_owned)];
    rows.extend(result.pairs.iter().map(row));
    let mut text = aligned(&rows);
    let share = |detected: u32, judged: u32| format!("{detected} of {judged}");
    text.push_str(&format!(
        "detected: {}; tuning {}, held out {}\n\n{NOTE}\n",
        share(result.detected, result.judged),
        share(result.detected - result.held_out_detected, result.judged - result.held_out_judged),
        share(result.held_out_detected, result.held_out_judged),
    ));
    for pair in &result.pairs {
        details(pair, &mut text);
    }
    for failed in &result.failed {
        text.push_str(&format!("{} has no result: {}\n", failed.piece, failed.why));
    }
    text
}

fn row(pair: &PairResult) -> [String; 9] {
    let verdict = match (&pair.rejected, pair.detected()) {
        (Some(_), _) => "rejected",
        (None, true) => "yes",
        (None, false) => "no",
    };
    [
        pair.issue.clone(),
        pair.library.clone(),
        format!("{} < {}", pair.buggy, pair.fixed),
        pair.role.name().to_owned(),
        pair.tests.to_string(),
        pair.tests.saturating_sub(pair.green_on_fixed).to_string(),
        (pair.uncompilable.len() + pair.other_overload.len()).to_string(),
        pair.red_on_buggy.len().to_string(),
        verdict.to_owned(),
    ]
}

fn details(pair: &PairResult, text: &mut String) {
    let mut line = |what: String| {
        text.push_str(&what);
        text.push('\n');
    };
    line(format!("{}: {}", pair.issue, pair.wrong));
    if let Some(why) = &pair.rejected {
        line(format!("  no verdict: {why}"));
    }
    for red in &pair.red_on_fixed {
        line(format!("  not green on the fixed release: {}: {}", red.name, short(&red.message)));
    }
    for red in &pair.red_on_buggy {
        line(format!("  {}: {}", red.name, short(&red.message)));
    }
}

/// One line, cut.
fn short(message: &str) -> String {
    let line: String = message.lines().next().unwrap_or_default().chars().take(TOLD).collect();
    line
}
