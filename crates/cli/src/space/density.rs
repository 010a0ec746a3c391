//! `space density`: how many tests of a length fail, and which length is best (requirement E13).

use serde::Serialize;
use serde_json::Value;
use space::density::{Density, nearest};
use space::{BigRational, BigUint};

use super::{number, plot, short};
use crate::console;
use crate::exit::{Exit, Failure};
use crate::space_args::DensityOptions;

/// What `--json` prints.
#[derive(Serialize)]
struct Answer {
    calls: u64,
    failing: u64,
    /// A number, or text where no machine word holds it; so is `best_length`.
    length: Value,
    /// In decimal; `null` if tests are too long to be counted.
    phi: Option<String>,
    /// The nearest number of double precision.
    fd: f64,
    fdpmc: f64,
    best_length: Value,
    /// As fractions in lowest terms.
    fd_exact: Option<String>,
    fdpmc_exact: Option<String>,
}

pub(super) fn density(options: &DensityOptions) -> anyhow::Result<Exit> {
    let refuse = |error: space::density::DensityError| Failure::bad_input(error.to_string());
    let density = Density::new(options.calls, options.failing).map_err(refuse)?;
    let best = density.best_length();
    let length = options.length.map_or_else(|| best.clone(), BigUint::from);
    let exact = u64::try_from(&length).ok().filter(|length| density.is_exact_at(*length));
    let answer = match (exact, options.length) {
        (Some(length), _) => exactly(options, &density, length, &best).map_err(refuse)?,
        (None, Some(length)) => {
            // Refused with the library's own words.
            density.phi(length).map_err(refuse)?;
            unreachable!("what cannot be counted is refused")
        }
        (None, None) => approximately(options, &density, &best),
    };
    if let Some(file) = &options.svg {
        let picture = plot::svg(&density, options, &length, &best);
        std::fs::write(file, picture).map_err(|error| {
            Failure::cannot_write(format!("{} cannot be written: {error}", file.display()))
        })?;
    }
    if options.json {
        console::json(&answer)?;
    } else {
        show(&answer, &length, &best);
    }
    Ok(Exit::Done)
}

fn exactly(
    options: &DensityOptions,
    density: &Density,
    length: u64,
    best: &BigUint,
) -> Result<Answer, space::density::DensityError> {
    let (fd, fdpmc) = (density.fd(length)?, density.fdpmc(length)?);
    let fraction = |exact: &BigRational| format!("{}/{}", exact.numer(), exact.denom());
    Ok(Answer {
        calls: options.calls,
        failing: options.failing,
        length: length.into(),
        phi: Some(density.phi(length)?.to_string()),
        fd: nearest(&fd),
        fdpmc: nearest(&fdpmc),
        best_length: number(best),
        fd_exact: Some(fraction(&fd)),
        fdpmc_exact: Some(fraction(&fdpmc)),
    })
}

/// For a best length that is known exactly and too long for its tests to be counted.
fn approximately(options: &DensityOptions, density: &Density, best: &BigUint) -> Answer {
    let fd = density.approximate(best);
    // Beyond all doubles, nothing is left per call.
    let length: f64 = best.to_string().parse().unwrap_or(f64::INFINITY);
    Answer {
        calls: options.calls,
        failing: options.failing,
        length: number(best),
        phi: None,
        fd,
        fdpmc: fd / length,
        best_length: number(best),
        fd_exact: None,
        fdpmc_exact: None,
    }
}

/// A share that is not zero may be too small for a double.
fn share(answer: &Answer, share: f64) -> String {
    let is_none = answer.phi.as_deref() == Some("0");
    match share {
        0.0 if !is_none => "below 1e-307".to_owned(),
        0.0 | 0.001.. => format!("{share:.7}"),
        _ => format!("{share:.6e}"),
    }
}

fn show(answer: &Answer, length: &BigUint, best: &BigUint) {
    let Answer { calls, failing, .. } = answer;
    let length = short(&length.to_string());
    let phi = answer.phi.as_deref().map_or("too many to be counted".to_owned(), short);
    console::line(&format!("Of {calls} distinct calls, a sequence of {failing} fails."));
    console::line(&format!("Tests of length          {length}"));
    console::line(&format!("Failing (phi)            {phi}"));
    console::line(&format!("Failure density (fd)     {}", share(answer, answer.fd)));
    console::line(&format!("Per call (fdpmc)         {}", share(answer, answer.fdpmc)));
    console::line(&format!("Best length              {}", short(&best.to_string())));
}
