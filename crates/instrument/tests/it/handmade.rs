//! Code that no compiler of today writes: subroutines, and loops by exceptions alone.

use classfile::ClassFile;
use instrument::{Options, StepSite, place};

use crate::harness::jdk::jdk_homes;
use crate::harness::subject::Subject;

/// A class `Handmade` of Java 1.4 whose `main` has this code and this exception table.
fn handmade(code: &[u8], handlers: &[[u8; 3]]) -> Vec<u8> {
    let mut bytes = vec![0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 48, 0, 8];
    for text in ["Handmade", "java/lang/Object", "main", "([Ljava/lang/String;)V", "Code"] {
        bytes.push(1);
        bytes.extend((text.len() as u16).to_be_bytes());
        bytes.extend(text.as_bytes());
    }
    bytes.extend([7, 0, 1, 7, 0, 2]); // 6: Handmade, 7: Object
    bytes.extend([0, 0x21, 0, 6, 0, 7, 0, 0, 0, 0, 0, 1, 0, 9, 0, 3, 0, 4, 0, 1, 0, 5]);
    bytes.extend((12 + code.len() as u32 + 8 * handlers.len() as u32).to_be_bytes());
    bytes.extend([0, 1, 0, 2]);
    bytes.extend((code.len() as u32).to_be_bytes());
    bytes.extend(code);
    bytes.extend([0, handlers.len() as u8]);
    for [start, end, target] in handlers {
        bytes.extend([0, *start, 0, *end, 0, *target, 0, 0]);
    }
    bytes.extend([0, 0, 0, 0]);
    bytes
}

#[test]
fn subroutines_survive() {
    // 0: jsr 7, 3: jsr 7, 6: return; 7: astore_1, 8: ret 1.
    let class = handmade(&[0xA8, 0, 7, 0xA8, 0, 4, 0xB1, 0x4C, 0xA9, 1], &[]);
    for home in jdk_homes() {
        let subject = Subject::of_class(&home, "Handmade", &class);
        let plain = subject.run_plain().output;
        assert_eq!(plain, "== Handmade\neffects: \n");
        let run = subject.run_instrumented(
            Options { coverage: true, steps: true, comparisons: true },
            0,
            1_000,
        );
        assert_eq!(run.output, plain);
        let probes = run.plans[0].0.probes.len();
        assert_eq!(probes, 3, "the entry, and twice where the subroutine returns to");
        assert!(run.map[..probes].iter().all(|hit| *hit == 1), "{:?}", &run.map[..probes]);
        let run = subject.run_instrumented(
            Options { coverage: true, steps: true, comparisons: true },
            0,
            1,
        );
        assert!(run.output.contains("thrown: java.lang.ThreadDeath"), "two `ret`: two steps");
    }
}

#[test]
fn loops_by_exceptions_alone_end() {
    // 0: goto 4, 3: pop, 4: aconst_null, 5: athrow; 4 to 6 is handled at 3.
    let class = handmade(&[0xA7, 0, 4, 0x57, 0x01, 0xBF], &[[4, 6, 3]]);
    let parsed = ClassFile::parse(&class).expect("it is well-formed");
    let plan = place(&parsed, &Options { coverage: false, steps: true, comparisons: false })
        .expect("it can be placed");
    assert_eq!(plan.methods[0].steps, [StepSite::Before(1)]);
    for home in jdk_homes() {
        let subject = Subject::of_class(&home, "Handmade", &class);
        for coverage in [true, false] {
            let run = subject.run_instrumented(
                Options { coverage, steps: true, comparisons: false },
                0,
                10_000,
            );
            assert_eq!(run.output, "== Handmade\nthrown: java.lang.ThreadDeath\neffects: \n");
        }
    }
}

#[test]
fn a_handler_that_catches_itself_gets_no_step() {
    // As above, but the handler is covered as well: a step in it would never get out.
    let class = handmade(&[0xA7, 0, 4, 0x57, 0x01, 0xBF], &[[4, 6, 3], [3, 4, 3]]);
    let parsed = ClassFile::parse(&class).expect("it is well-formed");
    let plan = place(&parsed, &Options { coverage: false, steps: true, comparisons: false })
        .expect("it can be placed");
    assert_eq!(plan.methods[0].steps, []);
}
