//! Dates and times as a format of `SimpleDateFormat` or `DateTimeFormatter` writes them.

/// A point in time by its parts.
struct Moment {
    year: &'static str,
    month: usize,
    month_name: &'static str,
    day: usize,
    day_of_year: usize,
    weekday: &'static str,
    hour: usize,
    minute: usize,
    second: usize,
    fraction: &'static str,
}

/// A leap day in the afternoon, and the last second of a year of another century.
const MOMENTS: [Moment; 2] = [
    Moment {
        year: "2024",
        month: 2,
        month_name: "February",
        day: 29,
        day_of_year: 60,
        weekday: "Thursday",
        hour: 13,
        minute: 45,
        second: 30,
        fraction: "123000000",
    },
    Moment {
        year: "1999",
        month: 12,
        month_name: "December",
        day: 31,
        day_of_year: 365,
        weekday: "Friday",
        hour: 23,
        minute: 59,
        second: 59,
        fraction: "999000000",
    },
];

/// A few dates in a format; none if it has letters that are not known here.
pub fn dates_in(format: &str) -> Vec<String> {
    MOMENTS.iter().filter_map(|moment| moment.written(format)).collect()
}

impl Moment {
    fn written(&self, format: &str) -> Option<String> {
        let characters: Vec<char> = format.chars().collect();
        let mut text = String::new();
        let mut at = 0;
        while let Some(&letter) = characters.get(at) {
            let count = characters[at..].iter().take_while(|c| **c == letter).count();
            if letter == '\'' {
                at = quoted(&characters, at, &mut text)?;
            } else if letter.is_ascii_alphabetic() {
                text.push_str(&self.part(letter, count)?);
                at += count;
            } else {
                // What may be left out is there.
                if !matches!(letter, '[' | ']') {
                    text.push(letter);
                }
                at += 1;
            }
        }
        (text != format && !text.is_empty()).then_some(text)
    }

    /// What a letter stands for that is there `count` times.
    fn part(&self, letter: char, count: usize) -> Option<String> {
        let number = |value: usize| Some(format!("{value:0count$}"));
        let name = |name: &str| Some(if count > 3 { name } else { &name[..3] }.to_owned());
        match letter {
            'y' | 'u' if count == 2 => Some(self.year[2..].to_owned()),
            'y' | 'u' => Some(format!("{:0>count$}", self.year)),
            'M' | 'L' if count > 2 => name(self.month_name),
            'M' | 'L' => number(self.month),
            'd' => number(self.day),
            'D' => number(self.day_of_year),
            'E' => name(self.weekday),
            'H' | 'k' => number(self.hour),
            'h' | 'K' => number(self.hour - 12),
            'm' => number(self.minute),
            's' => number(self.second),
            'S' if count <= self.fraction.len() => Some(self.fraction[..count].to_owned()),
            'a' => Some(String::from("PM")),
            'G' => Some(String::from("AD")),
            'z' | 'V' => Some(String::from("UTC")),
            'Z' => Some(String::from("+0000")),
            'X' => Some(String::from("Z")),
            'x' => Some(["+00", "+0000", "+00:00"].get(count - 1)?.to_string()),
            _ => None,
        }
    }
}

/// Adds the text between quotes that begins at `at`, and says where it ends. Two quotes are one,
/// inside others too.
fn quoted(format: &[char], at: usize, text: &mut String) -> Option<usize> {
    if format.get(at + 1) == Some(&'\'') {
        text.push('\'');
        return Some(at + 2);
    }
    let mut at = at + 1;
    loop {
        match (format.get(at)?, format.get(at + 1)) {
            ('\'', Some('\'')) => {
                text.push('\'');
                at += 2;
            }
            ('\'', _) => return Some(at + 1),
            (letter, _) => {
                text.push(*letter);
                at += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(format: &str, expected: &str) {
        assert_eq!(dates_in(format).first().map_or("", String::as_str), expected);
    }

    #[test]
    fn letters_become_what_they_stand_for() {
        check("yyyy-MM-dd", "2024-02-29");
        check("d.M.yy", "29.2.24");
        check("EEE, dd MMM yyyy HH:mm:ss Z", "Thu, 29 Feb 2024 13:45:30 +0000");
        check("yyyy-MM-dd'T'HH:mm:ss.SSSXXX", "2024-02-29T13:45:30.123Z");
        check("hh 'o''clock' a", "01 o'clock PM");
    }

    #[test]
    fn what_is_no_format_gives_nothing() {
        check("", "");
        check("--", "");
        check("bogus", "");
        check("'open", "");
    }
}
