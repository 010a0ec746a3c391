//! A few texts that a regular expression matches.
//!
//! The usual constructs are read: literals, classes, quantifiers, groups, alternatives, anchors. What
//! is not known here gives no text, and a text that does not match costs a run, so there is no need to
//! be exact: assertions other than anchors are passed over.

/// Texts made of one expression at most.
const MAX_VARIANTS: usize = 6;
/// Longer texts are not made.
const MAX_LENGTH: usize = 120;
/// Deeper groups are not read.
const MAX_DEPTH: usize = 40;
/// Characters for what any character will do.
const ANY: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ1234567890_-. ,:;/@#+*=!?";
const LETTERS: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const DIGITS: &str = "1234567890";

/// Texts that match, the shortest first; none where the expression is not understood.
pub fn matching(expression: &str) -> Vec<String> {
    let characters: Vec<char> = expression.chars().collect();
    let mut reader = Reader { characters: &characters, at: 0, groups: 0, most: 2 };
    let Some(node) = reader.alternatives(0).filter(|_| reader.at == characters.len()) else {
        return Vec::new();
    };
    let mut texts: Vec<String> = Vec::new();
    for variant in 0..reader.most.min(MAX_VARIANTS) {
        let mut writing = Writing { variant, text: String::new(), groups: Vec::new() };
        if writing.write(&node).is_some() && !texts.contains(&writing.text) {
            texts.push(writing.text);
        }
    }
    // A text that is its own expression is a constant of the class already.
    texts.retain(|text| !text.is_empty() && text != expression);
    texts
}

enum Node {
    /// One of these characters.
    One(Vec<char>),
    Sequence(Vec<Node>),
    Alternatives(Vec<Node>),
    Repeated {
        node: Box<Node>,
        least: usize,
        most: Option<usize>,
    },
    Group {
        number: usize,
        node: Box<Node>,
    },
    /// What a group matched, again.
    Again(usize),
}

struct Reader<'c> {
    characters: &'c [char],
    at: usize,
    groups: usize,
    /// How many texts it takes to have each alternative once.
    most: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.characters.get(self.at).copied()
    }

    fn next(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += 1;
        Some(next)
    }

    fn takes(&mut self, text: &str) -> bool {
        let rest = &self.characters[self.at..];
        let is_next = text.chars().count() <= rest.len()
            && text.chars().eq(rest[..text.len()].iter().copied());
        if is_next {
            self.at += text.len();
        }
        is_next
    }

    fn alternatives(&mut self, depth: usize) -> Option<Node> {
        if depth > MAX_DEPTH {
            return None;
        }
        let mut all = vec![self.sequence(depth)?];
        while self.takes("|") {
            all.push(self.sequence(depth)?);
        }
        self.most = self.most.max(all.len());
        Some(if all.len() == 1 { all.remove(0) } else { Node::Alternatives(all) })
    }

    fn sequence(&mut self, depth: usize) -> Option<Node> {
        let mut all = Vec::new();
        while !matches!(self.peek(), None | Some('|' | ')')) {
            let Some(node) = self.atom(depth)? else { continue };
            all.push(self.repeated(node)?);
        }
        Some(Node::Sequence(all))
    }

    /// What quantifiers are for; `Some(None)` for what matches no character.
    fn atom(&mut self, depth: usize) -> Option<Option<Node>> {
        Some(match self.next()? {
            '^' | '$' => None,
            '.' => Some(Node::One(ANY.chars().collect())),
            '[' => Some(Node::One(self.class()?)),
            '(' => self.group(depth)?,
            '\\' => return self.escaped(),
            '*' | '+' | '?' | '{' => return None,
            literal => Some(Node::One(vec![literal])),
        })
    }

    fn group(&mut self, depth: usize) -> Option<Option<Node>> {
        let is_assertion = ["?=", "?!", "?<=", "?<!"].iter().any(|start| self.takes(start));
        let is_plain = is_assertion || self.takes("?:") || self.takes("?>");
        let mut number = None;
        if !is_plain {
            if self.takes("?<") {
                while self.next()? != '>' {}
            } else if self.takes("?") {
                return self.flags(depth);
            }
            self.groups += 1;
            number = Some(self.groups);
        }
        let node = self.closed(depth)?;
        Some(match number {
            _ if is_assertion => None,
            Some(number) => Some(Node::Group { number, node: Box::new(node) }),
            None => Some(node),
        })
    }

    /// Flags, for what follows or for a group: they let more match, but for comments.
    fn flags(&mut self, depth: usize) -> Option<Option<Node>> {
        loop {
            match self.next()? {
                ')' => return Some(None),
                ':' => return Some(Some(self.closed(depth)?)),
                'i' | 'd' | 'm' | 's' | 'u' | 'U' | '-' => {}
                _ => return None,
            }
        }
    }

    fn closed(&mut self, depth: usize) -> Option<Node> {
        let node = self.alternatives(depth + 1)?;
        self.takes(")").then_some(node)
    }

    fn repeated(&mut self, node: Node) -> Option<Node> {
        let (least, most) = match self.peek() {
            Some('*') => (0, None),
            Some('+') => (1, None),
            Some('?') => (0, Some(1)),
            Some('{') => {
                self.at += 1;
                let least = self.number()?;
                let most = match self.peek()? {
                    ',' => {
                        self.at += 1;
                        if self.peek()? == '}' { None } else { Some(self.number()?) }
                    }
                    _ => Some(least),
                };
                (least, most)
            }
            _ => return Some(node),
        };
        if least > MAX_LENGTH {
            return None;
        }
        // The closing brace, or the quantifier itself.
        self.at += 1;
        if matches!(self.peek(), Some('?' | '+')) {
            self.at += 1;
        }
        Some(Node::Repeated { node: Box::new(node), least, most })
    }

    fn number(&mut self) -> Option<usize> {
        let digits = self.characters[self.at..].iter().take_while(|c| c.is_ascii_digit()).count();
        let text: String = self.characters[self.at..self.at + digits].iter().collect();
        self.at += digits;
        text.parse().ok()
    }

    fn escaped(&mut self) -> Option<Option<Node>> {
        let letter = self.next()?;
        Some(match letter {
            'b' | 'B' | 'A' | 'z' | 'Z' | 'G' => None,
            'Q' => {
                let mut literal = Vec::new();
                while self.peek().is_some() && !self.takes("\\E") {
                    literal.push(Node::One(vec![self.next()?]));
                }
                Some(Node::Sequence(literal))
            }
            '1'..='9' => Some(Node::Again(letter as usize - '0' as usize)),
            _ => Some(Node::One(self.characters_of(letter)?)),
        })
    }

    /// The characters that a backslash with this letter stands for.
    fn characters_of(&mut self, letter: char) -> Option<Vec<char>> {
        let all = match letter {
            'd' => DIGITS.to_owned(),
            'D' | 'S' => LETTERS.to_owned(),
            'w' => format!("{LETTERS}{DIGITS}_"),
            'W' => String::from("-. ,:;"),
            's' | 'h' => String::from(" "),
            'n' | 'R' => String::from("\n"),
            't' => String::from("\t"),
            'r' => String::from("\r"),
            'f' => String::from("\u{c}"),
            'x' => return Some(vec![self.hexadecimal(2)?]),
            'u' => return Some(vec![self.hexadecimal(4)?]),
            'p' => return self.property(),
            _ if letter.is_ascii_alphanumeric() => return None,
            _ => letter.to_string(),
        };
        Some(all.chars().collect())
    }

    fn hexadecimal(&mut self, digits: usize) -> Option<char> {
        let text: String = (0..digits).map_while(|_| self.next()).collect();
        char::from_u32(u32::from_str_radix(&text, 16).ok()?)
    }

    /// `\p{Upper}` and the like.
    fn property(&mut self) -> Option<Vec<char>> {
        let mut name = String::new();
        match self.next()? {
            '{' => loop {
                match self.next()? {
                    '}' => break,
                    letter => name.push(letter),
                }
            },
            letter => name.push(letter),
        }
        let all = match name.trim_start_matches("Is") {
            "L" | "Alpha" | "Alphabetic" | "Letter" => LETTERS.to_owned(),
            "Lu" | "Upper" | "Uppercase" => LETTERS.to_uppercase()[26..].to_owned(),
            "Ll" | "Lower" | "Lowercase" => LETTERS[..26].to_owned(),
            "N" | "Nd" | "Digit" => DIGITS.to_owned(),
            "Alnum" => format!("{LETTERS}{DIGITS}"),
            "XDigit" => format!("{DIGITS}abcdef"),
            "P" | "Punct" | "Punctuation" => String::from(".,;:-!?"),
            "Space" | "Blank" | "Z" | "Zs" | "White_Space" => String::from(" "),
            "ASCII" | "Graph" | "Print" => ANY.to_owned(),
            _ => return None,
        };
        Some(all.chars().collect())
    }

    /// The characters of a class, after its opening bracket.
    fn class(&mut self) -> Option<Vec<char>> {
        let is_negated = self.takes("^");
        let mut all: Vec<char> = Vec::new();
        let mut is_first = true;
        loop {
            let from = match self.next()? {
                ']' if !is_first => break,
                // Unions and intersections are rare.
                '[' => return None,
                '&' if self.peek() == Some('&') => return None,
                '\\' => {
                    let letter = self.next()?;
                    let some = self.characters_of(letter)?;
                    let [only] = some[..] else {
                        all.extend(some);
                        is_first = false;
                        continue;
                    };
                    only
                }
                literal => literal,
            };
            is_first = false;
            let is_range = self.peek() == Some('-')
                && self.characters.get(self.at + 1).is_some_and(|end| !matches!(end, ']' | '['));
            if !is_range {
                all.push(from);
                continue;
            }
            self.at += 1;
            let to = match self.next()? {
                '\\' => {
                    let letter = self.next()?;
                    *self.characters_of(letter)?.first()?
                }
                literal => literal,
            };
            if (from, to) == ('0', '9') {
                all.extend(DIGITS.chars());
            } else {
                all.extend((from..=to).take(LETTERS.len()));
            }
        }
        if is_negated {
            let others = ANY.chars().filter(|c| !all.contains(c));
            all = others.collect();
        }
        (!all.is_empty()).then_some(all)
    }
}

/// A text that is being made.
struct Writing {
    /// Which of the texts: the first has as little as possible, the others more, and each takes
    /// other alternatives.
    variant: usize,
    text: String,
    groups: Vec<(usize, String)>,
}

impl Writing {
    fn write(&mut self, node: &Node) -> Option<()> {
        self.write_nth(node, 0)
    }

    /// Writes what stands where `before` others of the same stood, so that `\d{3}` is `123`.
    fn write_nth(&mut self, node: &Node, before: usize) -> Option<()> {
        if self.text.len() > MAX_LENGTH {
            return None;
        }
        match node {
            Node::One(characters) => self.text.push(characters[before % characters.len()]),
            Node::Sequence(nodes) => {
                for node in nodes {
                    self.write_nth(node, before)?;
                }
            }
            Node::Alternatives(nodes) => {
                self.write_nth(&nodes[(self.variant + before) % nodes.len()], before)?;
            }
            Node::Repeated { node, least, most } => {
                let more = if self.variant == 0 { *least } else { (*least + 2).max(3) };
                let times = most.map_or(more, |most| more.min(most));
                for nth in 0..times {
                    self.write_nth(node, before + nth)?;
                }
            }
            Node::Group { number, node } => {
                let start = self.text.len();
                self.write_nth(node, before)?;
                self.groups.push((*number, self.text[start..].to_owned()));
            }
            Node::Again(number) => {
                let group = self.groups.iter().rev().find(|(of, _)| of == number);
                self.text.push_str(&group.map(|(_, text)| text.clone())?);
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(expression: &str, expected: &[&str]) {
        assert_eq!(matching(expression), expected, "{expression}");
    }

    #[test]
    fn texts_look_like_what_they_match() {
        check(r"[A-Z]{3}-\d{4}", &["ABC-1234"]);
        check(r"^(\d{4})-(\d{2})-(\d{2})$", &["1234-12-12"]);
        check(r"[a-z]+@[a-z]+\.(com|org)", &["a@a.com", "abc@abc.org"]);
        check(r"#[0-9a-fA-F]{6}", &["#123456"]);
        check(r"(?i)\s*key\s*=\s*(?<value>.*)", &["key=", "   key   =   abc"]);
    }

    #[test]
    fn every_alternative_has_its_text() {
        check("red|green|blue", &["red", "green", "blue"]);
        check("(a|b)?c", &["c", "bc"]);
        check(r"([ab])x\1", &["axa"]);
    }

    #[test]
    fn classes_are_read() {
        check(r"[^a-c]", &["d"]);
        check(r"[-x]", &["-"]);
        check(r"[\w.]{2}", &["ab"]);
        check(r"\p{Upper}\Q.*\E", &["A.*"]);
        check(r"\u0041+?", &["A", "AAA"]);
    }

    #[test]
    fn what_is_not_understood_gives_nothing() {
        for expression in [
            "",
            "(",
            "[a",
            "a{",
            "a{2",
            "*",
            r"\",
            r"\k<a>",
            "[a-z&&[^b]]",
            "a)",
            "a{99999}",
            "(?x)a",
            "plain",
            r"\2",
        ] {
            check(expression, &[]);
        }
    }
}
