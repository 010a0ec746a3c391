//! Messages between supervisor and worker: length-prefixed, in postcard's encoding.

use std::io::{self, Read, Write};
use std::sync::Arc;
use std::time::Duration;

use instrument::Plan;
use model::{Operation, TestCase, UnitTest};
use search::{
    Components, Counts, Exceptions, Exploration, Explored, JetOptions, Kept, Noise, Reason,
    Statistics, Unexpected,
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::mutation::suite::{Batch, Judged, Observed, Observing, Place, SuiteOrder};
use crate::spent::Spent;

/// How much a worker may spend on a unit.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub enum UnitBudget {
    /// Calls: the same result every time.
    Calls(u64),
    /// Wall clock.
    Time(Duration),
}

/// How tests are looked for.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub enum Approach {
    /// Feedback-directed random search, steered by the components.
    #[default]
    Guided,
    /// Each method on its own, with objects built for it.
    Jet(JetOptions),
    /// The tests of a context, one after the other.
    Explore(Box<Exploration>),
}

/// A unit of work: a class to search tests for.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Unit {
    /// The class, by internal name.
    pub class: String,
    /// Where its random numbers start.
    pub seed: u64,
    /// How much to spend.
    pub budget: UnitBudget,
    /// Which exceptions are failures.
    pub exceptions: Exceptions,
    /// What steers the search.
    pub components: Components,
    /// How tests are looked for.
    pub approach: Approach,
    /// Whether tests may have Mockito make the object under test.
    pub injection: bool,
    /// How often the same search is made, if it ends with that: what was found is counted, not made
    /// tests of. 0 for all others.
    pub searches_only: u32,
    /// Operations never to call, because a process died in them.
    pub avoid: Vec<Operation>,
    /// Test cases from elsewhere that the search begins with.
    pub seeds: Vec<TestCase>,
    /// Tests an earlier worker kept before it died.
    pub replay: Vec<Kept>,
    /// Failures an earlier worker found before it died.
    pub replay_failures: Vec<Unexpected>,
}

/// A test with the probes it hits.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct WorkedTest {
    /// The test.
    pub test: UnitTest,
    /// Probes hit, numbered over all plans in order.
    pub hits: Vec<u32>,
}

/// What a worker found for a unit.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct UnitResult {
    /// Passing tests.
    pub tests: Vec<WorkedTest>,
    /// Failing tests.
    pub failures: Vec<UnitTest>,
    /// Failures left out as noise, by kind.
    pub noise: Vec<(Noise, u32)>,
    /// Probes that static initializers hit, which any test runs.
    pub initial: Vec<u32>,
    /// Where the probes are, class by class.
    pub plans: Vec<Plan>,
    /// Why there is no test, for members or the whole class.
    pub reasons: Vec<Reason>,
    /// Counts.
    pub statistics: Statistics,
    /// Kept tests that did not do the same again in the same JVM.
    pub flaky: u32,
    /// Classes that could not be instrumented, with the reason.
    pub uninstrumented: Vec<String>,
    /// What the search had to do without, a line each.
    pub notes: Vec<String>,
    /// What became of the attempts, if methods were tested each on its own.
    pub counts: Option<Counts>,
    /// What an exploration came to.
    pub explored: Option<Explored>,
    /// What each search took of the processor, if attempts or tests were counted.
    pub searches: Vec<Duration>,
    /// Where the time went.
    pub spent: Spent,
}

/// What the supervisor asks.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) enum Request {
    /// How to start; the first message.
    Setup(Box<crate::setup::Setup>),
    /// Work on a unit.
    Search(Box<Unit>),
    /// Run test cases of the unit's class and say what was seen of each.
    Repeat {
        unit: Box<Unit>,
        cases: Vec<TestCase>,
        /// Whether objects are asked for their texts.
        texts: bool,
    },
    /// Finish the unit with what there is.
    Stop,
    /// Compile sources into a folder.
    Compile {
        names: Vec<String>,
        sources: Vec<String>,
        class_path: String,
        output: String,
        release: Option<String>,
    },
    /// Run the tests of compiled classes, or only those of these names (`class#method`).
    Run {
        class_path: String,
        /// The part of it that is under test.
        project: String,
        classes: Vec<String>,
        only: Option<Vec<String>>,
        order: i32,
        assertions: bool,
        timeout_millis: i32,
        /// Whether to say if there is static state that they could leave changed.
        statics: bool,
        /// When the clock starts, in milliseconds since the epoch; else as the environment has it.
        moment: Option<i64>,
    },
    /// Name the tests of a class as somebody wrote it.
    TestsOf { class_path: String, class: String },
    /// Run one test of such a class, whose calls are told.
    Record {
        class_path: String,
        class: String,
        method: String,
        /// The classes whose objects are the test itself, by binary name.
        own: Vec<String>,
        timeout_millis: i32,
    },
    /// Run the tests of compiled classes and tell of each whether it leaves static state changed.
    Measure {
        class_path: String,
        /// The part of it whose static state is of interest.
        project: String,
        classes: Vec<String>,
        assertions: bool,
        timeout_millis: i32,
    },
    /// Take a suite whose tests are run by JUnit itself.
    OpenSuite(Box<SuiteOrder>),
    /// Find tests: all of these folders and jars, and those of these classes.
    FindTests { roots: Vec<String>, classes: Vec<String> },
    /// Run tests of the open suite as they are, and tell what each covers.
    Observe(Box<Observing>),
    /// Judge mutants by tests of the open suite.
    Judge(Box<Batch>),
}

/// What the worker says.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) enum Reply {
    /// The JVM is up.
    Ready,
    /// This operation is about to be linked.
    Linking(Operation),
    /// The operation last named has this number in the black box.
    Linked(u32),
    /// The operation last named cannot be linked.
    Unlinkable,
    /// A test was kept.
    Kept(Box<Kept>),
    /// A call threw what no caller could expect.
    Failure(Box<Unexpected>),
    /// Still alive; calls made, tests kept and probes covered so far.
    Alive { calls: u64, kept: u32, covered: u32, probes: u32 },
    /// The process is alive, whatever it is doing.
    Beat,
    /// A call does not end and cannot be stopped: kill me.
    Hung,
    /// The JVM is of no more use: another worker should go on.
    Broken(String),
    /// What was seen of the next test case.
    Seen(Box<search::Observed>),
    /// The unit is done.
    Done(Box<UnitResult>),
    /// Lines of a service's answer; of a run, those of one test.
    Lines(Vec<String>),
    /// This test (`class#method`) is about to start.
    Started(String),
    /// The test last started leaves static state of the project changed: which, in words.
    LeftStatics(String),
    /// The test last started asked what date it is.
    AskedForDate,
    /// The tests have initialized classes with static state that could be left changed.
    HasStatics,
    /// What tests leave in static state cannot be measured, or not to the end: why.
    Unmeasured(String),
    /// All tests asked for have been run; what finalizers and cleaners then did, if anything.
    Ran(Option<String>),
    /// What tests of the suite can cover; coverage is told by positions in this.
    Places(Vec<Place>),
    /// What came of the test last started.
    Observed(Box<Observed>),
    /// This mutant is about to be judged.
    Judging(u32),
    /// What became of it.
    Judged(u32, Judged),
    /// The worker cannot go on, through no fault of code under test: a defect of Testhound.
    Failed(String),
}

/// Larger messages are refused: whatever sent them is not one of ours.
const MAX_MESSAGE: u32 = 256 << 20;

pub(crate) fn write_message<T: Serialize>(out: &mut impl Write, message: &T) -> io::Result<()> {
    let bytes = postcard::to_stdvec(message).map_err(io::Error::other)?;
    let length = u32::try_from(bytes.len()).map_err(io::Error::other)?;
    out.write_all(&length.to_le_bytes())?;
    out.write_all(&bytes)?;
    out.flush()
}

/// Reads a message; `None` at the end of the stream.
pub(crate) fn read_message<T: DeserializeOwned>(input: &mut impl Read) -> io::Result<Option<T>> {
    let mut length = [0; 4];
    match input.read_exact(&mut length) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        other => other?,
    }
    let length = u32::from_le_bytes(length);
    if length > MAX_MESSAGE {
        return Err(io::Error::other(format!("a message of {length} bytes")));
    }
    let mut bytes = Vec::new();
    // Read through `take`, so that a wrong length does not allocate ahead of the data.
    input.take(u64::from(length)).read_to_end(&mut bytes)?;
    if bytes.len() != length as usize {
        return Ok(None);
    }
    postcard::from_bytes(&bytes).map(Some).map_err(io::Error::other)
}

/// Shared by whoever sends on a worker's side.
pub(crate) type Sender = Arc<std::sync::Mutex<std::fs::File>>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damaged_messages_are_errors_or_other_messages() {
        let mut whole = Vec::new();
        let lines = vec!["one".to_owned(), "two".to_owned()];
        write_message(&mut whole, &Reply::Lines(lines)).unwrap();
        write_message(&mut whole, &Reply::Failed("why".to_owned())).unwrap();
        for at in 0..whole.len() {
            for change in [1, 0x80, 0xff] {
                let mut bytes = whole.clone();
                bytes[at] ^= change;
                let mut input = &bytes[..];
                // Each ends: by the end of the bytes, or by an error.
                while let Ok(Some(_)) = read_message::<Reply>(&mut input) {}
                let mut input = &bytes[..];
                while let Ok(Some(_)) = read_message::<Request>(&mut input) {}
            }
        }
    }

    #[test]
    fn messages_survive_the_pipe() {
        let mut pipe = Vec::new();
        write_message(&mut pipe, &Reply::Ready).unwrap();
        write_message(&mut pipe, &Reply::Lines(vec!["a".into()])).unwrap();
        let mut input = &pipe[..];
        assert_eq!(read_message::<Reply>(&mut input).unwrap(), Some(Reply::Ready));
        assert_eq!(
            read_message::<Reply>(&mut input).unwrap(),
            Some(Reply::Lines(vec!["a".into()]))
        );
        assert_eq!(read_message::<Reply>(&mut input).unwrap(), None);
    }

    #[test]
    fn a_message_cut_short_is_the_end() {
        let mut pipe = Vec::new();
        write_message(&mut pipe, &Reply::Failed("why".into())).unwrap();
        for cut in 0..pipe.len() {
            assert_eq!(read_message::<Reply>(&mut &pipe[..cut]).unwrap(), None);
        }
    }

    #[test]
    fn an_absurd_length_is_refused() {
        assert!(read_message::<Reply>(&mut &u32::MAX.to_le_bytes()[..]).is_err());
    }
}
