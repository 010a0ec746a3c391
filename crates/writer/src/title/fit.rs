//! Names of bearable length: what of a title is left out where it is too long.
//!
//! Invariant: what is tested and what comes of it are never left out. The condition goes piece by
//! piece, then the overload; only where those two alone are too long, the outcome loses words.

/// Names are not longer, where what is tested leaves room.
const MAX_LENGTH: usize = 70;
/// What an outcome may take in any case.
const LEAST_OUTCOME: usize = 30;
/// More pieces of a condition are not told at once.
const MAX_PIECES: usize = 5;

/// What a name is made of.
#[derive(Debug, Default)]
pub(super) struct Title {
    /// What is tested.
    pub(super) subject: String,
    /// Which overload of it.
    pub(super) overload: Option<String>,
    /// When.
    pub(super) condition: Vec<Clause>,
    /// What comes of it.
    pub(super) outcome: String,
}

/// A part of a condition: `withNullAndZero`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Clause {
    /// `with`, `when`; empty if the one word says all.
    pub(super) lead: &'static str,
    /// What `And` joins.
    pub(super) words: Vec<String>,
    /// The whole in fewer words.
    brief: Option<String>,
}

impl Clause {
    /// Of words any of which may be left out.
    pub(super) fn of(lead: &'static str, words: Vec<String>) -> Self {
        Self { lead, words, brief: None }
    }

    /// Of a call, whose arguments may be left out together: `afterAddOfOneAndTwo`.
    pub(super) fn call(name: String, arguments: &[String]) -> Self {
        if arguments.is_empty() {
            return Self::of("", vec![name]);
        }
        let whole = format!("{name}Of{}", arguments.join("And"));
        Self { lead: "", words: vec![whole], brief: Some(name) }
    }
}

impl Title {
    /// The names it may have, the most telling first: one if all fits, else those with a part of
    /// the condition.
    pub(super) fn spellings(&self) -> Vec<String> {
        let pieces: Vec<(usize, &str)> = (0..)
            .zip(&self.condition)
            .flat_map(|(clause, of)| of.words.iter().map(move |word| (clause, &**word)))
            .collect();
        let most = pieces.len().min(MAX_PIECES);
        let beginnings = (1..=most).rev().map(|count| &pieces[..count]);
        let alone = pieces.chunks(1).skip(1).rev();
        let briefs: Vec<(usize, &str)> = (0..)
            .zip(&self.condition)
            .filter_map(|(clause, of)| Some((clause, &**of.brief.as_ref()?)))
            .collect();
        let overloads = match &self.overload {
            Some(overload) => vec![Some(&**overload), None],
            None => vec![None],
        };
        let mut names = Vec::new();
        for overload in overloads {
            let parts = beginnings.clone().chain(alone.clone()).chain(briefs.chunks(1));
            for told in parts.chain([&[][..]]) {
                let name = self.spelling(overload, told);
                if name.len() > MAX_LENGTH || names.contains(&name) {
                    continue;
                }
                names.push(name);
                if told == pieces {
                    return names;
                }
            }
        }
        if names.is_empty() {
            names.push(self.shortest());
        }
        names
    }

    fn spelling(&self, overload: Option<&str>, told: &[(usize, &str)]) -> String {
        let mut name = self.subject.clone();
        if let Some(part) = overload {
            name = name + "_" + part;
        }
        let mut last = None;
        for (clause, word) in told {
            if last == Some(clause) {
                name.push_str("And");
            } else {
                name = name + "_" + self.condition[*clause].lead;
            }
            name.push_str(word);
            last = Some(clause);
        }
        name + "_" + &self.outcome
    }

    /// What is tested and what comes of it, in as few words as it takes.
    fn shortest(&self) -> String {
        let subject = first_words(&self.subject, MAX_LENGTH);
        let room = MAX_LENGTH.saturating_sub(subject.len() + 1).max(LEAST_OUTCOME);
        let outcome = match self.outcome.strip_suffix("Exception") {
            Some(outcome) if self.outcome.len() > room => outcome,
            _ => &self.outcome,
        };
        format!("{subject}_{}", first_words(outcome, room))
    }
}

/// As many whole words as there is room for, cut within the first if even that has none.
fn first_words(text: &str, room: usize) -> &str {
    if text.len() <= room {
        return text;
    }
    let starts = text.char_indices().filter(|(_, c)| c.is_uppercase() || *c == '_');
    let end = starts.map(|(at, _)| at).rfind(|&at| at > 0 && at <= room);
    let end = end.or_else(|| (0..=room).rev().find(|&at| text.is_char_boundary(at)));
    &text[..end.unwrap_or(0)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn title(subject: &str, words: &[&str], outcome: &str) -> Title {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        let clause = Clause::of("with", words);
        let condition = if clause.words.is_empty() { Vec::new() } else { vec![clause] };
        let outcome = outcome.to_owned();
        Title { subject: subject.to_owned(), overload: None, condition, outcome }
    }

    #[test]
    fn what_fits_is_told_as_a_whole() {
        let title = title("add", &["Null", "Zero"], "throwsNullPointerException");
        assert_eq!(title.spellings(), ["add_withNullAndZero_throwsNullPointerException"]);
    }

    #[test]
    fn the_outcome_stays_and_the_condition_goes() {
        let words = ["ImmediateCancelledFuture"];
        let title = title("getUninterruptibly", &words, "throwsCancellationException");
        assert_eq!(title.spellings(), ["getUninterruptibly_throwsCancellationException"]);
    }

    #[test]
    fn a_part_of_the_condition_is_told_before_none() {
        let words = ["NegativeDuration", "Microseconds"];
        let title = title("expireAfterWrite", &words, "throwsIllegalArgumentException");
        assert_eq!(
            title.spellings(),
            [
                "expireAfterWrite_withNegativeDuration_throwsIllegalArgumentException",
                "expireAfterWrite_withMicroseconds_throwsIllegalArgumentException",
                "expireAfterWrite_throwsIllegalArgumentException",
            ]
        );
    }

    #[test]
    fn arguments_of_a_call_before_go_together() {
        let arguments = ["Zero", "Milliseconds"].map(str::to_owned);
        let title = Title {
            condition: vec![Clause::call("afterExpireAfterWrite".to_owned(), &arguments)],
            ..title("getMaximumWeight", &[], "returnsZero")
        };
        assert_eq!(
            title.spellings(),
            ["getMaximumWeight_afterExpireAfterWrite_returnsZero", "getMaximumWeight_returnsZero"]
        );
    }

    #[test]
    fn the_overload_goes_where_it_leaves_no_room() {
        let words = ["ZeroPermitsPerSecond"];
        let title = Title {
            overload: Some("ofDoubleAndDuration".to_owned()),
            ..title("create", &words, "throwsIllegalArgumentException")
        };
        assert_eq!(
            title.spellings(),
            [
                "create_ofDoubleAndDuration_throwsIllegalArgumentException",
                "create_withZeroPermitsPerSecond_throwsIllegalArgumentException",
            ]
        );
    }

    #[test]
    fn an_outcome_is_shortened_last_and_never_left_out() {
        let subject = "awaitTerminationUninterruptiblyOrUntilShutDown";
        let long = title(subject, &["Null"], "throwsUninterruptibleTimeoutException");
        assert_eq!(long.spellings(), [format!("{subject}_throwsUninterruptibleTimeout")]);
        let endless = title(&"endlessName".repeat(20), &[], "throwsNullPointerException");
        assert!(endless.spellings()[0].ends_with("_throwsNullPointerException"));
        assert!(endless.spellings()[0].len() <= MAX_LENGTH + 1 + LEAST_OUTCOME);
    }

    #[test]
    fn words_are_cut_between_letters_only() {
        assert_eq!(first_words("äöü", 3), "ä");
        assert_eq!(first_words("returnsNothingAtAll", 14), "returnsNothing");
    }
}
