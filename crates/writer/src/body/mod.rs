//! The statements of one test.
//!
//! Values are written into the call that uses them where that keeps the order of evaluation:
//! Java evaluates a receiver and then the arguments from left to right (JLS §15.7), so a run of
//! values made just before a call may stand in its arguments if they appear there in the order in
//! which they were made. Everything else becomes a variable.

mod ending;
mod inline;
mod mock;
mod restated;
mod variables;
mod verify;

pub(crate) use mock::{Import, Injected};

use std::collections::{BTreeSet, HashMap, HashSet};

use model::{
    Call, CheckKind, ClassName, Expectation, FailureKind, GenericType, Observation, OperationKind,
    Type, TypeArgument, UnitTest,
};

use self::restated::Told;
use crate::Options;
use crate::assertion::{Actual, Assertions};
use crate::call::{Throws, Written};
use crate::doc::Doc;
use crate::flow::{Flow, ValueId, throws_at_end};
use crate::generics::{Scope, Static};
use crate::literal::{Expr, type_doc};
use crate::rejection::Rejection;
use crate::temporary;
use crate::variable::Names;

/// A line, or a block of them.
#[derive(Clone, Debug)]
pub(crate) enum Statement {
    /// A statement; the semicolon is added.
    Plain(Doc),
    /// A comment, to be broken into lines.
    Comment(String),
    /// `try { … } catch (class name) { … }`.
    Try { body: Vec<Statement>, class: ClassName, name: String, handler: Vec<Statement> },
}

/// A test method without its name.
#[derive(Debug)]
pub(crate) struct Body {
    /// Its statements.
    pub(crate) statements: Vec<Statement>,
    /// What it declares to throw.
    pub(crate) throws: Throws,
    /// The assertion methods it uses.
    pub(crate) assertions: Vec<&'static str>,
    /// The methods of Mockito it uses.
    pub(crate) mockito: BTreeSet<Import>,
    /// The object under test, if Mockito makes it.
    pub(crate) injected: Option<Injected>,
    /// Variables of generic classes, as they were declared.
    pub(crate) generic: Vec<GenericVariable>,
}

/// A variable of a generic class.
#[derive(Clone, Debug)]
pub(crate) struct GenericVariable {
    /// Its value.
    pub(crate) value: ValueId,
    /// The class.
    pub(crate) class: ClassName,
    /// The type of what it is set to, where that is known.
    pub(crate) set_to: Option<GenericType>,
    /// The call that made the value.
    pub(crate) call: usize,
}

/// The type arguments chosen for variables; those without are raw.
pub(crate) type TypeChoices = HashMap<ValueId, Vec<TypeArgument>>;

/// More values spelled out than this may exceed the 65535 bytes of a method (JVMS §4.7.3): an
/// element of an array takes up to 16.
const MAX_VALUES: usize = 3_500;
/// What a declaration may take up to the first place in its value where a line can be broken.
const HEAD_WIDTH: usize = 80;
/// Wider expressions than this are not written into a call.
const INLINE_WIDTH: usize = 44;

/// A value that is not written yet.
#[derive(Clone)]
struct Pending {
    value: ValueId,
    written: Written,
    /// Whether making it runs no code that could end in the exception a test expects.
    calm: bool,
}

struct Writer<'a> {
    scope: Scope<'a>,
    options: &'a Options,
    test: &'a UnitTest,
    flow: Flow,
    names: Names,
    statements: Vec<Statement>,
    assertions: Assertions<'a>,
    throws: Throws,
    pending: Vec<Pending>,
    /// Lambdas that wait for the one call that takes them: writing one runs nothing, so it may
    /// stand behind whatever comes before.
    lambdas: HashMap<ValueId, Pending>,
    variables: HashMap<ValueId, Expr>,
    /// Variables that are assigned twice and cannot be used in a lambda.
    reassigned: HashSet<ValueId>,
    types: &'a TypeChoices,
    generic: Vec<GenericVariable>,
    mockito: BTreeSet<Import>,
    injected: Option<Injected>,
    /// The names of what a broken clause speaks of.
    told: Told,
}

/// Writes the statements of a well-formed test.
pub(crate) fn write<'a>(
    scope: Scope<'a>,
    options: &'a Options,
    test: &'a UnitTest,
    types: &'a TypeChoices,
) -> Result<Body, Rejection> {
    let passed: usize = test.case.calls.iter().map(|c| c.args.len()).sum();
    let values = test.case.slots.len() + passed + observed_values(test);
    if values > MAX_VALUES {
        return Err(Rejection::TooLarge { elements: values });
    }
    let mut writer = Writer {
        scope,
        options,
        test,
        flow: Flow::of(test)?,
        names: Names::new(scope, test),
        statements: Vec::new(),
        assertions: Assertions::new(scope, options.junit),
        throws: Throws::default(),
        pending: Vec::new(),
        lambdas: HashMap::new(),
        variables: HashMap::new(),
        reassigned: HashSet::new(),
        types,
        generic: Vec::new(),
        mockito: BTreeSet::new(),
        injected: None,
        told: Told::default(),
    };
    for index in 0..test.case.calls.len() {
        writer.call(index)?;
        writer.checks_after(index)?;
    }
    writer.flush_all()?;
    writer.failure()?;
    writer.claims()?;
    Ok(Body {
        statements: writer.statements,
        throws: writer.throws.max(writer.assertions.throws),
        assertions: writer.assertions.used.into_iter().collect(),
        mockito: writer.mockito,
        injected: writer.injected,
        generic: writer.generic,
    })
}

impl<'a> Writer<'a> {
    fn call(&mut self, index: usize) -> Result<(), Rejection> {
        let test = self.test;
        let call = &test.case.calls[index];
        if call.op.as_mock().is_some() {
            return self.mock(index, call);
        }
        if call.op.kind == OperationKind::Inject {
            return self.inject(index, call);
        }
        let last = index + 1 == test.case.calls.len();
        let expected = match &test.expectation {
            Expectation::Throws(class) if last && throws_at_end(test) => Some(class),
            _ => None,
        };
        if last {
            self.keep_values()?;
        }
        let is_all = last && self.asserts_nothing_else();
        let inlined = self.inlined(index, expected.is_some() || is_all || call.guarded);
        self.flush(inlined)?;
        let lambda = is_all || expected.is_some() && self.has_assert_throws();
        let (written, calm) = self.operation(index, call, lambda)?;
        if let Some(class) = expected {
            return self.expect_throw(class, written, call);
        }
        if call.guarded {
            return self.guarded(index, written, call);
        }
        if is_all {
            self.expect_return(written, call);
            return Ok(());
        }
        self.throws = self.throws.max(written.throws);
        if last && self.claimed().is_some() {
            self.comment_failure();
        } else if last && self.unexpected().is_some_and(is_shown_by_call) {
            self.comment_failure();
            self.statement_of(written, call);
            return Ok(());
        }
        match self.flow.writes[index].filter(|v| !self.flow.values[v.0].uses.is_empty()) {
            None => {
                // An array or lambda nobody uses does nothing.
                let is_lambda = matches!(written.expr.ty, Static::Lambda(_));
                if call.op.kind != OperationKind::Array && !is_lambda {
                    self.statement_of(written, call);
                }
                Ok(())
            }
            Some(value) if temporary::is_field(self.scope, &call.op) => {
                self.variables.insert(value, written.expr);
                Ok(())
            }
            Some(value) if self.may_wait(value, index, &call.op, &written) => {
                let pending = Pending { value, written, calm };
                if matches!(pending.written.expr.ty, Static::Lambda(_)) {
                    self.lambdas.insert(value, pending);
                } else {
                    self.pending.push(pending);
                }
                Ok(())
            }
            Some(value) => self.declare(value, written),
        }
    }

    fn push(&mut self, doc: Doc) {
        self.statements.push(Statement::Plain(doc));
    }

    /// The call for its effect only.
    fn statement_of(&mut self, written: Written, call: &Call) {
        let statement = self.effect(written, call);
        self.push(statement);
    }

    /// A statement with the effect of the call: reading a field is none by itself.
    fn effect(&mut self, written: Written, call: &Call) -> Doc {
        if !is_value(call) {
            return written.expr.doc;
        }
        let ty = written.expr.ty.erased().filter(|ty| self.scope.can_name(ty));
        let ty = ty.unwrap_or_else(Type::object);
        let name = self.names.fresh("unused");
        assignment(vec![type_doc(&ty), Doc::text(format!(" {name}"))], written.expr.doc)
    }

    fn checks_after(&mut self, index: usize) -> Result<(), Rejection> {
        let test = self.test;
        for (number, check) in test.checks.iter().enumerate() {
            if check.after != index {
                continue;
            }
            let values = self.flow.checks[number].clone();
            let docs = match &check.kind {
                CheckKind::Holds(_, seen) => {
                    let actual = self.checked(values[0])?;
                    self.assertions.holds(actual, seen)?
                }
                CheckKind::NotNull(_) => {
                    let object = self.checked(values[0])?.expr.doc;
                    vec![self.assertions.assert("assertNotNull", vec![object])]
                }
                CheckKind::Same(..) => {
                    let objects = [self.checked(values[0])?, self.checked(values[1])?];
                    let args = objects.map(|object| object.expr.doc).into();
                    vec![self.assertions.assert("assertSame", args)]
                }
                CheckKind::View(_, view, seen) => {
                    let object = self.checked(values[0])?.expr;
                    self.assertions.view(&object, view, seen)?
                }
                CheckKind::Verified(verified) => vec![self.verify(verified, &values)?],
            };
            docs.into_iter().for_each(|doc| self.push(doc));
        }
        Ok(())
    }

    /// A value in an assertion: the call itself if it was kept for that.
    fn checked(&mut self, value: ValueId) -> Result<Actual, Rejection> {
        if self.pending.last().is_some_and(|p| p.value == value) {
            let pending = self.pending.pop().expect("there is a last one");
            self.flush_all()?;
            return Ok(Actual { expr: pending.written.expr, certain: pending.written.certain });
        }
        self.flush_all()?;
        Ok(Actual { expr: self.read(value, false)?, certain: true })
    }
}

/// Whether the last call alone shows what is wrong.
fn is_shown_by_call(kind: &FailureKind) -> bool {
    matches!(kind, FailureKind::UnexpectedException { .. } | FailureKind::Breach { .. })
}

/// Whether the call is no statement by itself, only a value.
fn is_value(call: &Call) -> bool {
    match call.op.kind {
        OperationKind::StaticField
        | OperationKind::InstanceField
        | OperationKind::Array
        | OperationKind::Implement => true,
        OperationKind::Temporary => temporary::is_name(&call.op),
        OperationKind::Constructor
        | OperationKind::StaticMethod
        | OperationKind::InstanceMethod
        | OperationKind::SetField
        | OperationKind::Inject => false,
    }
}

/// `target = value`, broken after the sign if the value's own first line would be too long.
fn assignment(target: Vec<Doc>, value: Doc) -> Doc {
    let mut doc = target;
    let before: usize = doc.iter().map(Doc::width).sum();
    if before + value.head_width() > HEAD_WIDTH {
        doc.push(Doc::text(" ="));
        doc.push(Doc::Nest(vec![Doc::Line, value]));
        return Doc::Group(doc);
    }
    doc.push(Doc::text(" = "));
    doc.push(value);
    Doc::Seq(doc)
}

/// What follows the package and outer classes.
pub(crate) fn simple_name(class: &ClassName) -> &str {
    class.local().rsplit('$').find(|part| !part.is_empty()).unwrap_or(class.local())
}

/// How many values the checks spell out.
fn observed_values(test: &UnitTest) -> usize {
    fn count(seen: &Observation) -> usize {
        match seen {
            Observation::Array { elements: Some(elements), .. } => elements.iter().map(count).sum(),
            Observation::Object { views, .. } => views.iter().map(|(_, seen)| count(seen)).sum(),
            _ => 1,
        }
    }
    let each = test.checks.iter().map(|check| match &check.kind {
        CheckKind::Holds(_, seen) | CheckKind::View(_, _, seen) => count(seen),
        CheckKind::NotNull(_) | CheckKind::Same(..) => 1,
        CheckKind::Verified(verified) => verified.args.len(),
    });
    each.sum()
}
