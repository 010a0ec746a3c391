//! `testhound`: writes unit tests for Java.

mod args;
mod canon;
mod canon_args;
mod check;
mod check_args;
mod class_path;
mod compare;
mod compare_args;
mod confined;
mod console;
mod demo;
mod doctor;
mod exit;
mod finding;
mod generate;
mod jdk_study;
mod jml;
mod lost;
mod missing;
mod mockito;
mod monitor;
mod mutate;
mod mutate_args;
mod names;
mod output;
mod report;
mod residents;
mod run;
mod select;
mod space;
mod space_args;
mod strategy;
mod study;
mod study_args;
mod summary;
mod target;
mod temporary_folders;

use std::process::ExitCode;

use clap::Parser;

use crate::args::{Arguments, Command};
use crate::exit::Exit;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let result = match arguments.command {
        // A worker speaks on its standard streams; nothing else may.
        Command::Worker => return worker::worker_main(),
        Command::Canon(options) => canon::canon(&options),
        Command::Check(options) => check::check(&options),
        Command::Compare(options) => compare::compare(&options),
        Command::Enclosed(options) => check::enclosed(&options),
        Command::Generate(options) => generate::generate(&options),
        Command::Mutate(options) => mutate::mutate(&options),
        Command::Demo(options) => demo::demo(&options),
        Command::Doctor(options) => doctor::doctor(&options),
        Command::Space(options) => space::space(&options),
        Command::Study(options) => study::study(&options),
        Command::Confined(options) => confined::confined(&options),
    };
    match result {
        // Who asked for a result has none.
        Ok(Exit::Done | Exit::FailuresFound) if !console::is_heard() => Exit::CannotWrite.into(),
        Ok(exit) => exit.into(),
        Err(error) => {
            console::error(&error);
            Exit::of(&error).into()
        }
    }
}
