//! The statements of a test in each form.
//!
//! Form 3: pools are declared, constants are assigned, calls are made, and what is left of the
//! assertions is asserted. Forms 2 and 1: a variable is declared for each value, a constant is assigned
//! before the first call that takes it; in form 1 by the arithmetic that came to it, if some did.

use model::{Call, Hierarchy, Literal, Slot, Type};
use rustc_hash::FxHashSet;

use super::Form;
use super::expression::Spelling;
use super::literal::spell;
use super::names::Names;
use crate::{Form3, Sum};

/// A statement and how much code it makes, at most, in bytes.
pub(super) struct Statement {
    pub(super) text: String,
    pub(super) weight: usize,
}

/// A test without its name.
pub(super) struct Body {
    pub(super) declarations: Vec<String>,
    pub(super) statements: Vec<Statement>,
}

impl Body {
    pub(super) fn of<C: Hierarchy + ?Sized>(
        form: &Form3,
        which: Form,
        spelling: &Spelling<'_, C>,
    ) -> Self {
        match which {
            Form::Third => of_pools(form, spelling),
            Form::First | Form::Second => of_variables(form, which, spelling),
        }
    }
}

/// Bytes of an assignment of a constant, and of what comes with each argument of a call.
const CONSTANT: usize = 12;
const ARGUMENT: usize = 14;

fn of_pools<C: Hierarchy + ?Sized>(form: &Form3, spelling: &Spelling<'_, C>) -> Body {
    let (names, pools) = Names::of_pools(form, spelling);
    let declarations = pools.iter().map(|pool| {
        let element = spelling.ty(&pool.ty);
        // The size stands before further brackets: `new int[3][]`.
        let (base, brackets) = element.split_at(element.find('[').unwrap_or(element.len()));
        format!("{element}[] {} = new {base}[{}]{brackets};", pool.name, pool.size)
    });
    let mut statements = Vec::new();
    for (number, decl) in form.case.slots.iter().enumerate() {
        match &decl.init {
            None | Some(Literal::Null) => {}
            Some(value) => {
                let name = names.of(Slot(number as u32));
                let text = format!("{name} = {};", spell(value, spelling));
                statements.push(Statement { text, weight: CONSTANT });
            }
        }
    }
    for number in 0..form.case.calls.len() {
        statements.push(call(form, number, &names, spelling));
    }
    if form.throws.is_none() {
        let text = format!("assert {};", names.of(form.verdict));
        statements.push(Statement { text, weight: CONSTANT });
    }
    Body { declarations: declarations.collect(), statements }
}

/// A call, guarded if it threw what was caught.
fn call<C: Hierarchy + ?Sized>(
    form: &Form3,
    number: usize,
    names: &Names,
    spelling: &Spelling<'_, C>,
) -> Statement {
    let call: &Call = &form.case.calls[number];
    let value = spelling.call(form, names, call);
    let made = match call.result {
        Some(slot) => {
            format!("{} = {};", names.of(slot), spelling.assigned(form, call, slot, &value))
        }
        None => format!("{value};"),
    };
    let text = match &form.caught[number] {
        None => made,
        Some(caught) => {
            let slot = names.of(caught.slot);
            let class = spelling.class(&caught.class);
            if caught.is_declared {
                format!("try {{ {made} }} catch ({class} e) {{ {slot} = e; }}")
            } else {
                // The compiler refuses to catch what it does not know to be thrown.
                format!("try {{ {made} }} catch (Throwable e) {{ {slot} = ({class}) e; }}")
            }
        }
    };
    Statement { text, weight: CONSTANT + ARGUMENT * (2 + call.args.len()) }
}

fn of_variables<C: Hierarchy + ?Sized>(
    form: &Form3,
    which: Form,
    spelling: &Spelling<'_, C>,
) -> Body {
    let mut writer = Variables {
        form,
        spelling,
        names: Names::of_variables(form, spelling),
        assigned: FxHashSet::default(),
        declarations: Vec::new(),
        statements: Vec::new(),
        extra: 0,
    };
    let mut used: FxHashSet<Slot> = FxHashSet::default();
    for (number, call) in form.case.calls.iter().enumerate() {
        used.extend(call.args.iter().copied().chain(call.result));
        used.extend(form.caught[number].iter().map(|caught| caught.slot));
    }
    for (number, decl) in form.case.slots.iter().enumerate() {
        let slot = Slot(number as u32);
        if used.contains(&slot) {
            let text = format!("{} {};", spelling.ty(&decl.ty), writer.names.of(slot));
            writer.declarations.push(text);
        }
    }
    let mut held = form.held.iter().peekable();
    let mut sums = &form.sums[..];
    for number in 0..=form.case.calls.len() {
        while held.next_if(|at| **at == number).is_some() {
            writer.assertion();
        }
        let (before, after) = sums.split_at(sums.partition_point(|(at, _)| *at <= number));
        sums = after;
        if number == form.case.calls.len() {
            break;
        }
        let before: Vec<&Sum> = match which {
            Form::First => before.iter().map(|(_, sum)| sum).collect(),
            _ => Vec::new(),
        };
        writer.constants(number, &before);
        if let Some(caught) = &form.caught[number] {
            let text = format!("{} = null;", writer.names.of(caught.slot));
            writer.push(text);
        }
        let statement = call(form, number, &writer.names, spelling);
        writer.statements.push(statement);
    }
    Body { declarations: writer.declarations, statements: writer.statements }
}

struct Variables<'v, C: ?Sized> {
    form: &'v Form3,
    spelling: &'v Spelling<'v, C>,
    names: Names,
    assigned: FxHashSet<Slot>,
    declarations: Vec<String>,
    statements: Vec<Statement>,
    /// Variables beside those of slots.
    extra: usize,
}

impl<C: Hierarchy + ?Sized> Variables<'_, C> {
    fn push(&mut self, text: String) {
        self.statements.push(Statement { text, weight: CONSTANT });
    }

    fn assertion(&mut self) {
        let name = self.fresh("boolean");
        self.push(format!("{name} = true;"));
        self.push(format!("assert {name};"));
    }

    fn fresh(&mut self, ty: &str) -> String {
        let name = format!("{}{}", if ty == "boolean" { "held" } else { "sum" }, self.extra);
        self.extra += 1;
        self.declarations.push(format!("{ty} {name};"));
        name
    }

    /// Assigns the constants that a call is the first to take.
    fn constants(&mut self, number: usize, sums: &[&Sum]) {
        for slot in &self.form.case.calls[number].args {
            let Some(value) = &self.form.case.slots[slot.index()].init else { continue };
            if !self.assigned.insert(*slot) {
                continue;
            }
            let is_primitive = matches!(self.form.case.ty(*slot), Type::Primitive(_));
            let sum = sums.iter().rposition(|sum| is_primitive && sum.result == *value);
            let text = match sum {
                Some(at) => self.sum(sums, at, number),
                None => spell(value, self.spelling),
            };
            self.push(format!("{} = {text};", self.names.of(*slot)));
        }
    }

    /// Arithmetic over simple expressions; what is itself the result of arithmetic gets a variable.
    fn sum(&mut self, sums: &[&Sum], at: usize, number: usize) -> String {
        let sum = sums[at];
        let mut operands = Vec::new();
        for operand in &sum.operands {
            let earlier = sums[..at].iter().rposition(|before| before.result == *operand);
            operands.push(match earlier {
                Some(before) => {
                    let text = self.sum(sums, before, number);
                    let ty = operand.primitive().map_or("int", |primitive| primitive.keyword());
                    let name = self.fresh(ty);
                    self.push(format!("{name} = {text};"));
                    name
                }
                None => self.simple(operand, number),
            });
        }
        operands.join(&format!(" {} ", sum.operator))
    }

    /// The variable of the last call that returned a value, if it did so lately, or the constant.
    fn simple(&self, value: &Literal, number: usize) -> String {
        /// Equal values of calls further back are more likely a coincidence.
        const LATELY: usize = 8;
        let calls = number.saturating_sub(LATELY)..number;
        let same = calls.rev().find_map(|at| {
            let slot = self.form.case.calls[at].result?;
            let is_primitive = matches!(self.form.case.ty(slot), Type::Primitive(_));
            (is_primitive && self.form.told[at].value.as_ref() == Some(value)).then_some(slot)
        });
        match same {
            Some(slot) => self.names.of(slot).to_owned(),
            None => spell(value, self.spelling),
        }
    }
}
