//! `space`: which tests of a length there are for a class, how they are numbered, and what one of
//! them looks like.

mod density;
mod plot;

use std::path::Path;
use std::sync::Arc;

use classpath::{JdkImage, World};
use model::{Class, ClassSource, Literal};
use serde::Serialize;
use space::{BigUint, Context, ContextFile, digits_of, java_text, size};

use crate::class_path::{entries, refuse_broken_entries};
use crate::console;
use crate::exit::{Exit, Failure};
use crate::names::{did_you_mean, resolve, simple};
use crate::space_args::{SpaceCommand, SpaceOptions};

/// Numbers with more digits are shown by their first ones; JSON has them in full.
const SHOWN_DIGITS: usize = 60;

/// What `--json` prints.
#[derive(Serialize)]
struct Description {
    /// Distinct calls.
    j: u64,
    length: u32,
    /// Tests of that length, in decimal.
    z: String,
    pools: Vec<PoolEntry>,
    methods: Vec<MethodEntry>,
    #[serde(skip_serializing_if = "Option::is_none")]
    test: Option<TestEntry>,
}

#[derive(Serialize)]
struct PoolEntry {
    #[serde(rename = "type")]
    ty: String,
    size: u32,
    values: Vec<String>,
}

#[derive(Serialize)]
struct MethodEntry {
    method: String,
    /// Choices of each parameter: arguments, target, result.
    choices: Vec<usize>,
    /// `nc(m)`.
    calls: u64,
    /// The number of its first call.
    first: u64,
}

#[derive(Serialize)]
struct TestEntry {
    index: String,
    /// The numbers of its calls.
    calls: Vec<u64>,
    text: String,
}

pub(crate) fn space(options: &SpaceOptions) -> anyhow::Result<Exit> {
    if let Some(SpaceCommand::Density(options)) = &options.command {
        return density::density(options);
    }
    let path = options.classpath.as_deref().map_or(Ok(Vec::new()), entries)?;
    let jdk = crate::target::select_jdk(options.jdk.as_deref())?;
    let world = World::new(&path, &[], Arc::new(JdkImage::open(&jdk.home)?));
    refuse_broken_entries(&world, &path)?;
    let class = options.class.as_deref().map(|name| find(&world, name)).transpose()?;
    let context = context(&world, class.as_deref(), options.context.as_deref())?;
    let described = describe(&context, options)?;
    if options.json {
        console::json(&described)?;
    } else {
        show(&context, &described);
    }
    Ok(Exit::Done)
}

/// The class of a name that somebody typed.
fn find(world: &World, wanted: &str) -> Result<Arc<Class>, Failure> {
    let found = resolve(wanted, |name| world.contains(name)).and_then(|name| world.class(&name));
    found.ok_or_else(|| {
        let names = world.project_classes().iter();
        let names = names.map(|class| (simple(class.as_internal()).to_owned(), class.to_string()));
        let hint = did_you_mean(simple(wanted), names);
        Failure::bad_input(format!("there is no class `{wanted}` on the class path{hint}"))
    })
}

/// The context of a file, of a class, or of both; whatever is wrong with it is told.
pub(crate) fn context(
    world: &dyn ClassSource,
    class: Option<&Class>,
    file: Option<&Path>,
) -> Result<Context, Failure> {
    if let Some(file) = file {
        let read = read_file(file)?;
        let context = read.resolve(class, world);
        return context.map_err(|error| Failure::bad_input(format!("{}:{error}", file.display())));
    }
    let class = class.ok_or_else(|| Failure::bad_input("give --class or --context"))?;
    Context::of_class(class, world)
        .map_err(|error| Failure::bad_input(format!("{}: {error}", class.name)))
}

/// The file of a context.
pub(crate) fn read_file(file: &Path) -> Result<ContextFile, Failure> {
    let shown = file.display();
    let text = std::fs::read_to_string(file)
        .map_err(|error| Failure::bad_input(format!("{shown} cannot be read: {error}")))?;
    ContextFile::read(&text).map_err(|error| Failure::bad_input(format!("{shown}:{error}")))
}

fn describe(context: &Context, options: &SpaceOptions) -> Result<Description, Failure> {
    let length = options.length as usize;
    let z = size(context.calls(), length);
    let test = options.index.as_ref().map(|index| {
        let calls = digits_of(index, context.calls(), length).ok_or_else(|| {
            let last = short(&(&z - 1u32).to_string());
            let message = format!("--index {index}: tests of length {length} have 0 to {last}");
            Failure::bad_input(message)
        })?;
        let text = java_text(context, &calls);
        Ok(TestEntry { index: index.to_string(), calls, text })
    });
    let pools = context.pools().iter().map(|pool| PoolEntry {
        ty: pool.ty.to_string(),
        size: pool.size,
        values: pool.values.iter().map(shown).collect(),
    });
    let methods = context.methods().iter().enumerate().map(|(at, op)| MethodEntry {
        method: op.to_string(),
        choices: context.choices_of(at).collect(),
        calls: context.calls_of(at),
        first: context.first_call_of(at),
    });
    Ok(Description {
        j: context.calls(),
        length: options.length,
        z: z.to_string(),
        pools: pools.collect(),
        methods: methods.collect(),
        test: test.transpose()?,
    })
}

fn shown(value: &Literal) -> String {
    space::java_literal(value)
}

/// A number as people read it: in full, or its first digits and how many there are.
fn short(digits: &str) -> String {
    if digits.len() <= SHOWN_DIGITS {
        return digits.to_owned();
    }
    format!("{}.{}e{}", &digits[..1], &digits[1..6], digits.len() - 1)
}

fn show(context: &Context, described: &Description) {
    if let Some(test) = &described.test {
        console::line(test.text.trim_end());
        return;
    }
    console::line(&format!("Pools: {}", described.pools.len()));
    for pool in &described.pools {
        let rest = pool.size as usize - pool.values.len();
        let mut values = pool.values.clone();
        if rest > 0 {
            let is_primitive = context
                .pools()
                .iter()
                .any(|known| known.ty.to_string() == pool.ty && known.ty.as_primitive().is_some());
            values.push(if is_primitive { "zero".to_owned() } else { "null".to_owned() });
        }
        let line = format!("  {} [{}]: {}", pool.ty, pool.size, values.join(", "));
        console::line(&line);
    }
    let guard = if context.is_guarded() {
        "exceptions are caught"
    } else {
        "the first exception ends a test"
    };
    console::line(&format!("Methods: {} ({guard})", described.methods.len()));
    console::line(&format!("  {:>10} {:>8}  method", "from", "calls"));
    for method in &described.methods {
        let choices: Vec<String> = method.choices.iter().map(ToString::to_string).collect();
        let product =
            if choices.is_empty() { String::new() } else { format!("  ({})", choices.join(" x ")) };
        let line =
            format!("  {:>10} {:>8}  {}{product}", method.first, method.calls, method.method);
        console::line(&line);
    }
    console::line(&format!("Distinct calls: j = {}", described.j));
    console::line(&format!(
        "Tests of length {0}: z = j^{0} = {1}",
        described.length,
        short(&described.z)
    ));
    console::line(
        "The number of a test: its calls' numbers as digits in base j, the first call least significant.",
    );
}

/// A number as a `u64`, or in decimal where that does not hold it.
pub(crate) fn number(value: &BigUint) -> serde_json::Value {
    match u64::try_from(value) {
        Ok(value) => value.into(),
        Err(_) => value.to_string().into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_numbers_are_shown_by_their_first_digits() {
        assert_eq!(short("123"), "123");
        assert_eq!(short(&format!("123456{}", "0".repeat(94))), "1.23456e99");
        assert_eq!(number(&BigUint::from(7u32)), 7);
        assert_eq!(number(&(BigUint::from(u64::MAX) + 1u32)), "18446744073709551616");
    }
}
