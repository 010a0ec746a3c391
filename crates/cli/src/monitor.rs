//! What users hear of a JDK that the effect monitor does not know, or not in full.

use std::path::Path;

use classpath::JdkImage;
use worker::{MonitorSurvey, UnknownNative};

use crate::exit::Failure;

/// Methods named in a message; there may be dozens.
const MAX_NAMED: usize = 8;

/// What the monitor knows of the JDK in a folder; a JDK whose effects would go unseen lacks a part.
pub(crate) fn survey(home: &Path) -> anyhow::Result<MonitorSurvey> {
    let survey = MonitorSurvey::of(&JdkImage::open(home)?);
    match refusal(home, &survey) {
        Some(message) => Err(Failure::missing_part(message).into()),
        None => Ok(survey),
    }
}

fn refusal(home: &Path, survey: &MonitorSurvey) -> Option<String> {
    if survey.blind.is_empty() {
        return None;
    }
    let home = home.display();
    let why = listed(&survey.blind);
    Some(format!(
        "on the JDK in {home} effects on files, processes or the network could go unseen, so it is \
         not used: {why}; choose another one with --jdk"
    ))
}

/// What to tell of a JDK that is used.
pub(crate) fn warnings(survey: &MonitorSurvey) -> Vec<String> {
    let mut warnings = Vec::new();
    if !survey.taken_for_effects.is_empty() {
        warnings.push(format!(
            "this JDK is newer than what Testhound knows: calls of these native methods are taken \
             for effects, so that what uses them gets no test: {}",
            names(&survey.taken_for_effects)
        ));
    }
    if !survey.unwatched.is_empty() {
        warnings.push(format!(
            "this JDK is newer than what Testhound knows: what these native methods do is not \
             watched: {}",
            names(&survey.unwatched)
        ));
    }
    warnings
}

fn names(natives: &[UnknownNative]) -> String {
    listed(&natives.iter().map(ToString::to_string).collect::<Vec<_>>())
}

fn listed(texts: &[String]) -> String {
    let named = texts.iter().take(MAX_NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
    match texts.len().saturating_sub(MAX_NAMED) {
        0 => named,
        more => format!("{named} and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exit::Exit;

    fn native(number: usize) -> UnknownNative {
        UnknownNative {
            class: "sun/nio/ch/Net".to_owned(),
            method: format!("beam{number}"),
            descriptor: "()V".to_owned(),
        }
    }

    #[test]
    fn a_jdk_that_is_known_is_used_without_a_word() {
        let survey = MonitorSurvey { natives: 300, ..MonitorSurvey::default() };
        assert_eq!(warnings(&survey), [] as [&str; 0]);
        assert_eq!(refusal(Path::new("/jdk"), &survey), None);
    }

    #[test]
    fn methods_nobody_has_looked_at_are_told() {
        let survey = MonitorSurvey {
            taken_for_effects: (0..10).map(native).collect(),
            unwatched: vec![native(77)],
            ..MonitorSurvey::default()
        };
        let [effects, unwatched] = &warnings(&survey)[..] else { panic!("two warnings") };
        assert!(effects.contains("sun.nio.ch.Net.beam0, ") && effects.ends_with(" and 2 more"));
        assert!(unwatched.ends_with("not watched: sun.nio.ch.Net.beam77"), "{unwatched}");
    }

    #[test]
    fn a_jdk_whose_effects_go_unseen_lacks_a_part() {
        let blind = vec!["it has no class sun.nio.ch.Net".to_owned()];
        let survey = MonitorSurvey { blind, ..MonitorSurvey::default() };
        let message = refusal(Path::new("/jdk"), &survey).expect("a refusal");
        assert!(message.contains("/jdk") && message.contains("sun.nio.ch.Net"), "{message}");
        let error = anyhow::Error::from(Failure::missing_part(message));
        assert_eq!(Exit::of(&error), Exit::MissingPart);
    }
}
