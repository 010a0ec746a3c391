//! A picture of failure densities over lengths: above the share of tests that fail, below that share
//! per call, whose top is the best length.

use std::fmt::Write;

use space::BigUint;
use space::density::Density;

use crate::space_args::DensityOptions;

const WIDTH: f64 = 640.0;
/// Left and right of the curves.
const MARGINS: (f64, f64) = (74.0, 24.0);
/// Top and height of the two panels.
const PANELS: [(f64, f64); 2] = [(52.0, 130.0), (226.0, 130.0)];
const HEIGHT: f64 = 404.0;
const POINTS: u64 = 240;
const INK: &str = "#30343b";
const PALE: &str = "#dfe3e8";
const COLOURS: [&str; 2] = ["#2b6cb0", "#c05621"];

/// The picture, as SVG.
pub(super) fn svg(
    density: &Density,
    options: &DensityOptions,
    length: &BigUint,
    best: &BigUint,
) -> String {
    let to = (best * 4u32).max(length * 5u32 / 4u32).max(BigUint::from(8u32));
    let shares = density.curve(&to, POINTS);
    let per_call: Vec<(f64, f64)> = shares.iter().map(|(n, share)| (*n, share / n)).collect();
    let longest = shares.last().map_or(1.0, |(n, _)| *n);
    let mut out = String::new();
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" \
         height=\"{HEIGHT}\" font-family=\"Helvetica, Arial, DejaVu Sans, sans-serif\" font-size=\"11\" fill=\"{INK}\">\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n\
         <text x=\"{}\" y=\"24\" font-size=\"14\" font-weight=\"bold\">{} distinct calls, a failing \
         sequence of {}</text>\n",
        MARGINS.0, options.calls, options.failing
    );
    let titles = ["tests that fail (FD)", "tests that fail, per call (FDpmc)"];
    for (((panel, points), colour), title) in
        PANELS.into_iter().zip([&shares, &per_call]).zip(COLOURS).zip(titles)
    {
        draw(&mut out, panel, points, longest, (colour, title));
    }
    mark(&mut out, best, longest, per_call.iter().map(|(_, y)| *y).fold(0.0, f64::max));
    let middle = (MARGINS.0 + WIDTH - MARGINS.1) / 2.0;
    let _ = writeln!(
        out,
        "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">calls in a test</text>\n</svg>",
        HEIGHT - 10.0
    );
    out
}

fn across(length: f64, longest: f64) -> f64 {
    MARGINS.0 + (WIDTH - MARGINS.0 - MARGINS.1) * (length / longest).min(1.0)
}

fn draw(
    out: &mut String,
    (top, height): (f64, f64),
    points: &[(f64, f64)],
    longest: f64,
    (colour, title): (&str, &str),
) {
    let highest = points.iter().map(|(_, y)| *y).fold(0.0, f64::max);
    let scale = if highest > 0.0 { round_up(highest) } else { 1.0 };
    let bottom = top + height;
    let right = WIDTH - MARGINS.1;
    let _ = writeln!(
        out,
        "<text x=\"{}\" y=\"{}\" fill=\"{colour}\">{title}</text>",
        MARGINS.0,
        top - 8.0
    );
    for part in 0..=4 {
        let share = f64::from(part) / 4.0;
        let y = bottom - height * share;
        let _ = writeln!(
            out,
            "<line x1=\"{}\" x2=\"{right}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"{PALE}\"/>\n\
             <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            MARGINS.0,
            MARGINS.0 - 6.0,
            y + 4.0,
            tick(scale * share)
        );
        let x = across(longest * share, longest);
        let _ = writeln!(
            out,
            "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            bottom + 15.0,
            tick((longest * share).round())
        );
    }
    let line: Vec<String> = points
        .iter()
        .map(|(n, y)| format!("{:.1},{:.1}", across(*n, longest), bottom - height * y / scale))
        .collect();
    let line = line.join(" ");
    let _ = writeln!(
        out,
        "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" stroke-linejoin=\"round\" points=\"{line}\"/>"
    );
}

/// Marks the best length in both panels.
fn mark(out: &mut String, best: &BigUint, longest: f64, highest: f64) {
    let text = best.to_string();
    let length: f64 = text.parse().unwrap_or(f64::INFINITY);
    let x = across(length, longest);
    let [(first, _), (second, height)] = PANELS;
    let y =
        second + height - height * if highest > 0.0 { highest / round_up(highest) } else { 0.0 };
    for (top, height) in PANELS {
        let bottom = top + height;
        let _ = writeln!(
            out,
            "<line x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{top}\" y2=\"{bottom}\" stroke=\"{INK}\" stroke-dasharray=\"3 3\"/>"
        );
    }
    let _ = writeln!(
        out,
        "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\" fill=\"{}\"/>\n\
         <text x=\"{:.1}\" y=\"{}\">best: {}</text>",
        COLOURS[1],
        x + 7.0,
        first + 12.0,
        super::short(&text)
    );
}

/// The next number with few digits, a quarter of which has few digits too.
fn round_up(value: f64) -> f64 {
    let unit = 10f64.powf(value.log10().floor());
    let digits = [1.0, 1.2, 1.6, 2.0, 2.4, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0].into_iter();
    digits.map(|digit| digit * unit).find(|rounded| *rounded >= value * 0.999_999).unwrap_or(value)
}

fn tick(value: f64) -> String {
    if value == 0.0 {
        "0".to_owned()
    } else if (0.001..100_000.0).contains(&value) {
        let text = format!("{value:.4}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        let text = format!("{value:.1e}");
        text.replace(".0e", "e")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_short() {
        let check = |value: f64, expected: &str| assert_eq!(tick(value), expected);
        check(0.25, "0.25");
        check(0.0, "0");
        check(1.0, "1");
        check(2e-7, "2e-7");
        check(1.5e20, "1.5e20");
        assert_eq!(round_up(0.37), 0.4);
        assert_eq!(round_up(1.0), 1.0);
    }
}
