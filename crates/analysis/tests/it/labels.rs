//! How often the purity analysis agrees with labels given by hand (`tests/labels.txt`).

use std::fmt::Write as _;

use analysis::{MethodEffects, Purity, Summaries};
use classpath::World;
use model::ClassName;

use crate::fixture::{jdk, library};

const LIBRARIES: &[&str] = &[
    "org.apache.commons:commons-lang3:3.17.0",
    "org.apache.commons:commons-collections4:4.4",
    "com.google.guava:guava:33.4.8-jre",
    "com.google.guava:failureaccess:1.0.3",
    "joda-time:joda-time:2.12.7",
    "org.jsoup:jsoup:1.18.1",
];

/// How often a kind of effect was found and there.
#[derive(Default)]
struct Score {
    both: u32,
    found_only: u32,
    there_only: u32,
    neither: u32,
}

impl Score {
    fn add(&mut self, there: bool, found: bool) {
        *match (there, found) {
            (true, true) => &mut self.both,
            (false, true) => &mut self.found_only,
            (true, false) => &mut self.there_only,
            (false, false) => &mut self.neither,
        } += 1;
    }

    fn precision(&self) -> f64 {
        f64::from(self.both) / f64::from((self.both + self.found_only).max(1))
    }

    fn recall(&self) -> f64 {
        f64::from(self.both) / f64::from((self.both + self.there_only).max(1))
    }
}

/// A label: class, method, descriptor, effects.
fn labels() -> Vec<(ClassName, &'static str, &'static str, MethodEffects)> {
    let lines = include_str!("../labels.txt").lines().filter(|line| !line.starts_with('#'));
    let parse = |line: &'static str| {
        let mut words = line.splitn(4, ' ');
        let mut word = || words.next().expect("four columns");
        let (class, name, descriptor) = (ClassName::binary(word()), word(), word());
        let mut effects = MethodEffects::default();
        for label in word().split(", ") {
            match label.split_once(' ') {
                Some(("arg", index)) => effects.args |= 1 << index.parse::<u32>().unwrap(),
                _ if label == "receiver" => effects.receiver = true,
                _ if label == "static" => effects.statics = true,
                _ => assert_eq!(label, "pure"),
            }
        }
        (class, name, descriptor, effects)
    };
    lines.map(parse).collect()
}

#[test]
fn effects_agree_with_labels_given_by_hand() {
    let jdk = jdk();
    let scratch = tempfile::tempdir().unwrap();
    let summaries = Summaries::for_jdk(&jdk, &scratch.path().join("summaries")).unwrap();
    let jars: Vec<_> = LIBRARIES.iter().map(|coordinates| library(coordinates)).collect();
    let world = World::new(&jars, &[], jdk);
    let names: Vec<ClassName> = world.class_path().names().cloned().collect();
    let purity = Purity::of(&world, &summaries, &names);
    let [mut impure, mut receiver, mut args, mut statics, mut unknown] =
        std::array::from_fn(|_| Score::default());
    let mut text = String::new();
    let (mut methods, mut missing) = (0, 0);
    for (class, name, descriptor, label) in labels() {
        let Some(found) = purity.effects(&class, name, descriptor) else {
            missing += 1;
            continue;
        };
        methods += 1;
        impure.add(!label.is_pure(), !found.is_pure());
        receiver.add(label.receiver, found.receiver);
        statics.add(label.statics, found.statics);
        unknown.add(false, found.unknown);
        let count = model::MethodDescriptor::parse(descriptor).unwrap().params;
        for (index, ty) in count.iter().enumerate().filter(|(_, ty)| ty.is_reference()) {
            let _ = ty;
            args.add(label.changes_arg(index), found.changes_arg(index));
        }
        if label != found {
            writeln!(text, "{class}.{name}{descriptor}: {label:?}, found {found:?}").unwrap();
        }
    }
    writeln!(text, "{methods} methods, {missing} not there").unwrap();
    writeln!(text, "| effect | there | precision | recall |\n|---|---|---|---|").unwrap();
    for (name, score) in [
        ("any", &impure),
        ("receiver", &receiver),
        ("argument", &args),
        ("static", &statics),
        ("unknown", &unknown),
    ] {
        let there = score.both + score.there_only;
        let (precision, recall) = (score.precision() * 100.0, score.recall() * 100.0);
        writeln!(text, "| {name} | {there} | {precision:.1} % | {recall:.1} % |").unwrap();
    }
    #[expect(clippy::print_stdout, reason = "the table is for docs/results.md")]
    {
        println!("{text}");
    }
    assert!(methods >= 220, "{missing} labelled methods are not there");
}
