//! What mocks are told, in words: it sets a test apart from others that call the same.

use model::{Answer, Call, UnitTest};

use super::fit::Clause;
use super::literal_word;
use crate::identifier::upper_camel;

/// More is not told.
const MAX_TOLD: usize = 2;

/// `whenStockIs6AndPlaceAnswers`, if a mock of the test was told anything.
pub(super) fn told(test: &UnitTest) -> Option<Clause> {
    let mocks = test.case.calls.iter().filter(|call| call.op.as_mock().is_some());
    let words: Vec<String> = mocks.flat_map(|call| answers(test, call)).take(MAX_TOLD).collect();
    (!words.is_empty()).then(|| Clause::of("when", words))
}

fn answers(test: &UnitTest, call: &Call) -> Vec<String> {
    let mut seen: Vec<&Answer> = Vec::new();
    let mut words = Vec::new();
    for method in call.op.as_mock().iter().flat_map(|mock| &mock.methods) {
        // Erasures of one method have one answer.
        if seen.contains(&&method.answer) {
            continue;
        }
        let answer = match &method.answer {
            Answer::Captured(place) | Answer::First(place) => {
                let slot = call.args.get(usize::from(*place));
                let value = slot.and_then(|slot| test.case.slots[slot.index()].init.as_ref());
                let word = value.and_then(|value| literal_word(value, true));
                word.map_or_else(|| "Answers".to_owned(), |word| format!("Is{word}"))
            }
            Answer::Throws(_) => "Throws".to_owned(),
            Answer::Default | Answer::Nothing | Answer::Argument(_) => continue,
        };
        seen.push(&method.answer);
        words.push(upper_camel(&method.name) + &answer);
    }
    words
}
