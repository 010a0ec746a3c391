//! Texts of the form that code under test asks for: those that the methods it calls read, and those
//! that its regular expressions match. So does the code that makes what it is given.

use analysis::{Constants, MethodKey, Passed};
use classpath::World;
use model::{ClassName, ClassSource, Hierarchy, JavaString, Literal, Type};
use search::{dates_in, matching, texts_of_factories, texts_of_method};

use crate::inside::readings::Readings;

/// Names of enum constants that are used.
const MAX_NAMES: usize = 40;
/// Texts of one method or regular expression that any argument may get; the argument that the method
/// reads gets them all.
const MAX_ANYWHERE: usize = 2;

/// The texts that the code of a class reads.
#[derive(Default)]
pub(crate) struct ReadTexts {
    /// By the methods that read them.
    pub(crate) by_method: Vec<(MethodKey, Vec<JavaString>)>,
    /// A few for any argument, each once.
    pub(crate) anywhere: Vec<JavaString>,
}

impl ReadTexts {
    /// Those of these classes, whose constants are given; `own` is the class under test.
    pub(crate) fn of(
        readings: &Readings<'_>,
        own: &ClassName,
        classes: &[ClassName],
        constants: &[Constants],
    ) -> Self {
        let world = readings.world;
        let passed: Vec<&Passed> =
            constants.iter().flat_map(|constants| &constants.passed).collect();
        let asked = Asked { world, own, passed: &passed };
        let mut all = Self::default();
        for class in classes {
            let sites = readings.of(class, analysis::call_sites).unwrap_or_default();
            for (method, _) in sites {
                let is_known = all.by_method.iter().any(|(known, _)| *known == method);
                let texts = if is_known { Vec::new() } else { asked.texts(&method) };
                if !texts.is_empty() {
                    all.add_anywhere(&texts);
                    all.by_method.push((method, texts));
                }
            }
        }
        for passed in passed.iter().filter(|passed| is_expression(passed)) {
            if let Literal::String(expression) = &passed.constant {
                let texts = matching(&expression.to_string());
                all.add_anywhere(
                    &texts.iter().map(|text| text.as_str().into()).collect::<Vec<_>>(),
                );
            }
        }
        all
    }

    fn add_anywhere(&mut self, texts: &[JavaString]) {
        for text in texts.iter().take(MAX_ANYWHERE) {
            if !self.anywhere.contains(text) {
                self.anywhere.push(text.clone());
            }
        }
    }
}

/// What there is to tell which texts a method reads.
struct Asked<'w> {
    world: &'w World,
    own: &'w ClassName,
    passed: &'w [&'w Passed],
}

impl Asked<'_> {
    /// Texts that a method reads; none if it reads none, or nobody knows which.
    fn texts(&self, (class, name, descriptor): &MethodKey) -> Vec<JavaString> {
        let takes_text = ["Ljava/lang/String;", "Ljava/lang/CharSequence;"]
            .iter()
            .any(|text| descriptor.split(')').next().is_some_and(|params| params.contains(text)));
        if !takes_text {
            return Vec::new();
        }
        let plain = |texts: &[&str]| texts.iter().map(|text| (*text).into()).collect();
        match (&**class, &**name) {
            ("java/lang/Enum", "valueOf") => {
                let classes = self.passed.iter().filter(|p| p.is_to("java/lang/Enum", "valueOf"));
                let enums = classes.filter_map(|passed| match &passed.constant {
                    Literal::Class(Some(Type::Class(name))) => Some(name),
                    _ => None,
                });
                enums.flat_map(|name| self.names_of_constants(name)).take(MAX_NAMES).collect()
            }
            (_, "valueOf") if self.is_enum(class) => {
                self.names_of_constants(&ClassName::internal(class)).take(MAX_NAMES).collect()
            }
            ("java/lang/Class", "forName") | (_, "loadClass") => {
                let mut texts: Vec<JavaString> = match &**name {
                    "forName" => plain(texts_of_factories(class)),
                    _ => plain(texts_of_method("java/lang/ClassLoader", name)),
                };
                texts.push(self.own.to_binary().as_str().into());
                texts
            }
            ("java/lang/Class", "getResource" | "getResourceAsStream") => {
                let name = self.own.as_internal();
                let local = name.rsplit('/').next().unwrap_or(name);
                plain(&[&format!("{local}.class"), &format!("/{name}.class")])
            }
            (_, "getResource" | "getResourceAsStream" | "getResources") => {
                plain(&[&format!("{}.class", self.own.as_internal())])
            }
            (_, "parse") if descriptor.contains("Ljava/time/format/DateTimeFormatter;") => {
                self.dates("java/time/format/DateTimeFormatter", "ofPattern")
            }
            ("java/text/SimpleDateFormat" | "java/text/DateFormat", "parse") => {
                self.dates("java/text/SimpleDateFormat", "<init>")
            }
            _ if self.is_factory(class, name, descriptor) => plain(texts_of_factories(class)),
            _ => plain(texts_of_method(class, name)),
        }
    }

    /// Dates in the formats that the code passes to a method.
    fn dates(&self, class: &str, method: &str) -> Vec<JavaString> {
        let formats = self.passed.iter().filter(|passed| passed.is_to(class, method));
        let texts = formats.flat_map(|passed| match &passed.constant {
            Literal::String(format) => dates_in(&format.to_string()),
            _ => Vec::new(),
        });
        texts.map(|text| text.as_str().into()).collect()
    }

    fn is_enum(&self, class: &str) -> bool {
        let name = ClassName::internal(class);
        self.world.is_subclass(&name, &ClassName::internal("java/lang/Enum"))
    }

    fn names_of_constants(&self, name: &ClassName) -> impl Iterator<Item = JavaString> {
        let class = self.world.class(name);
        let names: Vec<JavaString> = class
            .iter()
            .flat_map(|class| class.enum_constants())
            .map(|field| (&*field.name).into())
            .collect();
        names.into_iter()
    }

    /// Whether the method is a constructor or static.
    fn is_factory(&self, class: &str, name: &str, descriptor: &str) -> bool {
        let class = self.world.class(&ClassName::internal(class));
        let method = class.as_ref().and_then(|class| class.method(name, descriptor));
        name == "<init>" || method.is_some_and(|method| method.access.is_static())
    }
}

/// Whether a constant is passed as a regular expression that whole texts are matched with.
fn is_expression(passed: &Passed) -> bool {
    ["compile", "matches"].iter().any(|method| passed.is_to("java/util/regex/Pattern", method))
        || passed.is_to("java/lang/String", "matches")
}
