//! How often the purity analysis agrees with labels given by hand (`tests/labels.txt`).

use std::fmt::Write as _;

use analysis::{MethodEffects, Purity, Summaries};
use classpath::World;
use model::ClassName;

use crate::fixture::jdk;
use testkit::library;

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
fn labels(text: &'static str) -> Vec<(ClassName, &'static str, &'static str, MethodEffects)> {
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
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

/// The scores over some labels, with a line for each disagreement.
struct Agreement {
    methods: usize,
    missing: usize,
    /// Any effect, receiver, arguments, statics.
    scores: [Score; 4],
    unknown: usize,
    text: String,
}

fn compare(purity: &Purity<'_>, labels: &'static str) -> Agreement {
    let mut agreement = Agreement {
        methods: 0,
        missing: 0,
        scores: std::array::from_fn(|_| Score::default()),
        unknown: 0,
        text: String::new(),
    };
    let [any, receiver, args, statics] = &mut agreement.scores;
    for (class, name, descriptor, label) in self::labels(labels) {
        let Some(found) = purity.effects(&class, name, descriptor) else {
            agreement.missing += 1;
            continue;
        };
        agreement.methods += 1;
        agreement.unknown += usize::from(found.unknown);
        any.add(!label.is_pure(), !found.is_pure());
        receiver.add(label.receiver, found.receiver);
        statics.add(label.statics, found.statics);
        let params = model::MethodDescriptor::parse(descriptor).unwrap().params;
        for (index, _) in params.iter().enumerate().filter(|(_, ty)| ty.is_reference()) {
            args.add(label.changes_arg(index), found.changes_arg(index));
        }
        if label != found {
            writeln!(agreement.text, "{class}.{name}{descriptor}: {label:?}, found {found:?}")
                .unwrap();
        }
    }
    let Agreement { methods, missing, unknown, .. } = agreement;
    let text = &mut agreement.text;
    writeln!(text, "{methods} methods, {missing} not there, {unknown} unknown").unwrap();
    writeln!(text, "| effect | there | precision | recall |\n|---|---|---|---|").unwrap();
    for (name, score) in ["any", "receiver", "argument", "static"].iter().zip(&agreement.scores) {
        let there = score.both + score.there_only;
        let (precision, recall) = (score.precision() * 100.0, score.recall() * 100.0);
        writeln!(text, "| {name} | {there} | {precision:.1} % | {recall:.1} % |").unwrap();
    }
    agreement
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
    let (seen, held_out) = include_str!("../labels.txt").split_once("# held out\n").unwrap();
    // Floors a little under what was measured (docs/results.md): precision and recall of any effect,
    // of effects on the receiver, on arguments.
    for (what, labels, floors) in [
        ("seen", seen, [0.73, 0.97, 0.80, 0.96, 0.45, 0.94]),
        ("held out", held_out, [0.72, 0.96, 0.79, 0.95, 0.50, 0.83]),
    ] {
        let agreement = compare(&purity, labels);
        #[expect(clippy::print_stdout, reason = "the tables are for docs/results.md")]
        {
            println!("{what}\n{}", agreement.text);
        }
        let Agreement { methods, missing, .. } = agreement;
        assert!(methods >= 9 * missing, "{missing} labelled methods are not there");
        let measured = agreement.scores[..3].iter().flat_map(|s| [s.precision(), s.recall()]);
        for (place, (measured, floor)) in measured.zip(floors).enumerate() {
            assert!(measured >= floor, "{what}: figure {place} fell to {measured}");
        }
    }
}
