//! The file of a test context (requirement E4): TOML, read with the places of all its keys, so that
//! whatever is wrong is told with its line and its key. The manual has the format.
//!
//! Reading a file and finding what it names are two steps: the first needs no classes.

use std::ops::Range;

use model::{JavaString, Literal, Primitive, Type};
use serde::{Deserialize, Serialize};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

mod resolve;

/// What is wrong with a file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{line}: {key}{}{what}", if key.is_empty() { "" } else { ": " })]
pub struct FileError {
    /// The line, from 1.
    pub line: usize,
    /// The key, such as `methods[2].name`; empty if the file is no TOML there.
    pub key: String,
    /// What is wrong with it.
    pub what: String,
}

/// A context as a file says it: names, not classes.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ContextFile {
    guarded: Option<bool>,
    methods: Vec<MethodEntry>,
    types: Vec<TypeEntry>,
}

/// Where something stands.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
struct Place {
    line: usize,
    key: String,
}

impl Place {
    fn error(&self, what: impl Into<String>) -> FileError {
        FileError { line: self.line, key: self.key.clone(), what: what.into() }
    }
}

/// An entry of `methods`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct MethodEntry {
    at: Place,
    class: (Place, String),
    name: Option<(Place, String)>,
    parameters: Option<(Place, Vec<String>)>,
}

/// An entry of `types`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct TypeEntry {
    at: Place,
    ty: Type,
    pool: Option<(Place, u32)>,
    values: Option<(Place, Vec<Literal>)>,
}

/// A value of the file with its key.
struct Item<'t> {
    text: &'t str,
    key: String,
    span: Range<usize>,
    value: &'t DeValue<'t>,
}

type Table<'t> = Vec<(String, Item<'t>)>;

impl<'t> Item<'t> {
    fn of(text: &'t str, key: String, value: &'t Spanned<DeValue<'t>>) -> Self {
        Self { text, key, span: value.span(), value: value.get_ref() }
    }

    fn place(&self) -> Place {
        Place { line: line_of(self.text, self.span.start), key: self.key.clone() }
    }

    fn wrong(&self, wanted: &str) -> FileError {
        let given = self.value.type_str();
        self.place().error(format!("must be {wanted}, and is of type {given}"))
    }

    fn text(&self) -> Result<(Place, String), FileError> {
        let text = self.value.as_str().ok_or_else(|| self.wrong("a string"))?;
        Ok((self.place(), text.to_owned()))
    }

    fn array(&self) -> Result<Vec<Item<'t>>, FileError> {
        let array = self.value.as_array().ok_or_else(|| self.wrong("an array"))?;
        let key = &self.key;
        let item = |(at, value)| Item::of(self.text, format!("{key}[{at}]"), value);
        Ok(array.iter().enumerate().map(item).collect())
    }

    fn table(&self) -> Result<Table<'t>, FileError> {
        let table = self.value.as_table().ok_or_else(|| self.wrong("a table"))?;
        Ok(entries(self.text, &self.key, table))
    }

    fn integer(&self) -> Option<i128> {
        let integer = self.value.as_integer()?;
        i128::from_str_radix(&integer.as_str().replace('_', ""), integer.radix()).ok()
    }
}

fn entries<'t>(text: &'t str, prefix: &str, table: &'t DeTable<'t>) -> Table<'t> {
    let entry = |(key, value): (&'t Spanned<std::borrow::Cow<'t, str>>, _)| {
        let name = key.get_ref().to_string();
        let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
        let shown = if plain && !name.is_empty() { name.clone() } else { format!("{name:?}") };
        let full = if prefix.is_empty() { shown } else { format!("{prefix}.{shown}") };
        (name, Item::of(text, full, value))
    };
    let mut entries: Table<'t> = table.iter().map(entry).collect();
    // As they stand in the file, so that the first mistake is told first.
    entries.sort_by_key(|(_, item)| item.span.start);
    entries
}

/// The line of a byte, from 1.
fn line_of(text: &str, at: usize) -> usize {
    1 + text.as_bytes().iter().take(at).filter(|byte| **byte == b'\n').count()
}

impl ContextFile {
    /// Reads a file's text.
    pub fn read(text: &str) -> Result<Self, FileError> {
        let table = DeTable::parse(text).map_err(|error| {
            let line = line_of(text, error.span().map_or(0, |span| span.start));
            // The crate's messages may span lines; a message of ours is one.
            let what = error.message().lines().collect::<Vec<_>>().join("; ");
            FileError { line, key: String::new(), what }
        })?;
        let mut file = Self::default();
        for (name, item) in entries(text, "", table.get_ref()) {
            match &*name {
                "guarded" => {
                    let guarded = item.value.as_bool();
                    file.guarded = Some(guarded.ok_or_else(|| item.wrong("true or false"))?);
                }
                "methods" => {
                    file.methods =
                        item.array()?.iter().map(method_entry).collect::<Result<_, _>>()?;
                }
                "types" => {
                    for (ty, entry) in item.table()? {
                        file.types.push(type_entry(&ty, &entry)?);
                    }
                }
                _ => return Err(unknown(&item, "guarded, methods, types")),
            }
        }
        Ok(file)
    }
}

fn unknown(item: &Item<'_>, known: &str) -> FileError {
    item.place().error(format!("there is no such key; known are {known}"))
}

fn method_entry(item: &Item<'_>) -> Result<MethodEntry, FileError> {
    let (mut class, mut name, mut parameters) = (None, None, None);
    for (key, value) in item.table()? {
        match &*key {
            "class" => class = Some(value.text()?),
            "name" => name = Some(value.text()?),
            "parameters" => {
                let mut types = Vec::new();
                for item in value.array()? {
                    let (at, text) = item.text()?;
                    types.push(
                        parse_type(&text)
                            .ok_or_else(|| at.error(format!("`{text}` is no type")))?,
                    );
                }
                let shown = types.iter().map(Type::to_string).collect();
                parameters = Some((value.place(), shown));
            }
            _ => return Err(unknown(&value, "class, name, parameters")),
        }
    }
    let class = class.ok_or_else(|| item.place().error("`class` is missing"))?;
    if parameters.is_some() && name.is_none() {
        return Err(item.place().error("`parameters` without `name`"));
    }
    Ok(MethodEntry { at: item.place(), class, name, parameters })
}

fn type_entry(name: &str, item: &Item<'_>) -> Result<TypeEntry, FileError> {
    let ty = parse_type(name).ok_or_else(|| item.place().error(format!("`{name}` is no type")))?;
    let mut entry = TypeEntry { at: item.place(), ty, pool: None, values: None };
    for (key, value) in item.table()? {
        match &*key {
            "pool" => {
                let size = value.integer().ok_or_else(|| value.wrong("a number"))?;
                let size = u32::try_from(size).ok().filter(|size| (1..=1_000_000).contains(size));
                let size = size.ok_or_else(|| value.place().error("must be 1 to 1000000"))?;
                entry.pool = Some((value.place(), size));
            }
            "values" => {
                let values = value.array()?;
                let values = values.iter().map(|value| literal(value, &entry.ty));
                entry.values = Some((value.place(), values.collect::<Result<_, _>>()?));
            }
            _ => return Err(unknown(&value, "pool, values")),
        }
    }
    Ok(entry)
}

/// `int`, `java.util.Map$Entry`, `long[][]`.
fn parse_type(text: &str) -> Option<Type> {
    if let Some(element) = text.strip_suffix("[]") {
        return (text.matches("[]").count() <= 255)
            .then(|| parse_type(element))?
            .map(Type::array_of);
    }
    if let Some(primitive) = Primitive::ALL.into_iter().find(|p| p.keyword() == text) {
        return Some(Type::Primitive(primitive));
    }
    let is_part = |part: &str| {
        !part.is_empty() && !part.contains(|c: char| c.is_whitespace() || "/;[]()<>,".contains(c))
    };
    (text != "void" && text.split('.').all(is_part)).then(|| Type::class(&text.replace('.', "/")))
}

/// A value as the file has it, of a type.
fn literal(item: &Item<'_>, ty: &Type) -> Result<Literal, FileError> {
    let primitive = match ty {
        Type::Primitive(primitive) => Some(*primitive),
        Type::Class(name) => Primitive::unboxed(name.as_internal()),
        Type::Array(_) => None,
    };
    let text = item.value.as_str();
    let wrong = || item.place().error(format!("is no value of {ty}"));
    let found = match primitive {
        None if *ty == Type::string() => text.map(|text| Literal::String(JavaString::from(text))),
        None => {
            let what = format!("objects of {ty} have no initial values; calls make them");
            return Err(item.place().error(what));
        }
        Some(Primitive::Boolean) => item.value.as_bool().map(Literal::Boolean),
        Some(Primitive::Char) if text.is_some() => {
            let units: Vec<u16> = text.unwrap_or_default().encode_utf16().collect();
            <[u16; 1]>::try_from(units).ok().map(|[unit]| Literal::Char(unit))
        }
        Some(Primitive::Float) => number(item).map(|value| Literal::Float(value as f32)),
        Some(Primitive::Double) => number(item).map(Literal::Double),
        Some(primitive) => item
            .integer()
            .and_then(|number| i64::try_from(number).ok())
            .and_then(|number| Literal::zero(primitive).with_number(number)),
    };
    found.ok_or_else(wrong)
}

fn number(item: &Item<'_>) -> Option<f64> {
    if let Some(integer) = item.integer() {
        return Some(integer as f64);
    }
    item.value.as_float()?.as_str().replace('_', "").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"guarded = false

[[methods]]
class = "java.util.ArrayList"

[[methods]]
class = "java.util.List"
name = "add"
parameters = ["int", "java.lang.Object"]

[types]
int = { pool = 3, values = [0, 1, 0x64] }
"java.lang.String" = { values = ["", "x"] }
char.values = ["a", 98]
double = { values = [1, 2.5, nan, -inf] }
"#;

    #[test]
    fn a_file_is_read() {
        let file = ContextFile::read(GOOD).expect("a good file");
        assert_eq!(file.guarded, Some(false));
        assert_eq!(file.methods.len(), 2);
        assert_eq!(file.methods[1].at.line, 6);
        let (_, parameters) = file.methods[1].parameters.as_ref().expect("they are given");
        assert_eq!(parameters, &["int", "java.lang.Object"]);
        let values = |at: usize| &file.types[at].values.as_ref().expect("they are given").1;
        assert_eq!(values(0), &[Literal::Int(0), Literal::Int(1), Literal::Int(100)]);
        assert_eq!(values(2), &[Literal::Char(97), Literal::Char(98)]);
        assert_eq!(values(3)[2], Literal::Double(f64::NAN));
    }

    #[test]
    fn mistakes_are_told_with_line_and_key() {
        let check = |text: &str, expected: &str| {
            let error = ContextFile::read(text).expect_err("a bad file");
            assert_eq!(error.to_string(), expected);
        };
        check(
            "\n\nmethod = []",
            "3: method: there is no such key; known are guarded, methods, types",
        );
        check("guarded = 1", "1: guarded: must be true or false, and is of type integer");
        check("[[methods]]\nname = \"x\"", "1: methods[0]: `class` is missing");
        check(
            "[[methods]]\nclass = 3",
            "2: methods[0].class: must be a string, and is of type integer",
        );
        check(
            "[[methods]]\nclass = \"A\"\nname = \"m\"\nparameters = [\n\"int\",\n\"List<String>\"]",
            "6: methods[0].parameters[1]: `List<String>` is no type",
        );
        check("[types.int]\npool = 0", "2: types.int.pool: must be 1 to 1000000");
        check("[types.byte]\nvalues = [1, 128]", "2: types.byte.values[1]: is no value of byte");
        check(
            "[types.\"a.B\"]\nvalues = [1]",
            "2: types.\"a.B\".values[0]: objects of a.B have no initial values; calls make them",
        );
        check(
            "[types.int]\nsize = 3",
            "2: types.int.size: there is no such key; known are pool, values",
        );
    }

    #[test]
    fn what_is_no_toml_is_told_with_its_line() {
        let error = ContextFile::read("guarded = true\n\n[[methods\n").expect_err("no TOML");
        assert_eq!((error.line, &*error.key), (3, ""));
    }

    #[test]
    fn a_damaged_file_is_read_or_refused() {
        for at in (0..GOOD.len()).filter(|at| GOOD.is_char_boundary(*at)) {
            let _ = ContextFile::read(&GOOD[..at]);
            for other in
                ["\"", "[", "]", "{", "=", ".", "\n", "-1", "99999999999999999999", "\0", "é"]
            {
                let _ = ContextFile::read(&format!("{}{other}{}", &GOOD[..at], &GOOD[at + 1..]));
            }
        }
        let deep = format!("guarded = {}", "[".repeat(100_000));
        assert!(ContextFile::read(&deep).is_err());
        let many = format!("[types.\"a{}\"]", "[]".repeat(300));
        assert!(ContextFile::read(&many).is_err());
    }
}
