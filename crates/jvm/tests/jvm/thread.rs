//! The thread that code under test runs on.

use crate::Case;
use crate::child::{Child, call, static_method, text};

pub const CASES: &[Case] =
    &[("a_new_thread_is_made_like_one_that_runs_tests", &[], thread_of_an_executor)];

fn thread_of_an_executor(child: &Child) {
    let seen = std::thread::scope(|scope| {
        let ask = || {
            call(
                &mut child.executor(),
                &static_method("Machine", "thread", "()Ljava/lang/String;"),
                &[],
            )
        };
        scope.spawn(ask).join().expect("it does not panic")
    });
    assert_eq!(seen, text("sees the class path, is no daemon"));
}
