//! Trees as text, for comparing: expressions with all their parentheses, specifications by clause.

use crate::java::{Field, Method, Modifiers, TypeDecl};
use crate::jml::ast::{
    BinaryOp, Clause, ClauseKind, Expr, ExprKind, LambdaBody, Literal, LoopClauseKind, MethodSpec,
    Pattern, Represents, SpecCase, StatementKind, StoreRef, StoreRefKind, StoreStep, TypeClause,
    TypeClauseKind, TypeText, UnaryOp, VarDecl,
};

pub fn list<T>(all: &[T], show: impl Fn(&T) -> String) -> String {
    all.iter().map(show).collect::<Vec<_>>().join(", ")
}

fn types(all: &[TypeText]) -> String {
    list(all, |ty| ty.text.clone())
}

fn operator(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Subtract => "-",
        BinaryOp::Multiply => "*",
        BinaryOp::Divide => "/",
        BinaryOp::Remainder => "%",
        BinaryOp::ShiftLeft => "<<",
        BinaryOp::ShiftRight => ">>",
        BinaryOp::ShiftRightUnsigned => ">>>",
        BinaryOp::Less => "<",
        BinaryOp::LessEqual => "<=",
        BinaryOp::Greater => ">",
        BinaryOp::GreaterEqual => ">=",
        BinaryOp::Equal => "==",
        BinaryOp::NotEqual => "!=",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitOr => "|",
        BinaryOp::BitXor => "^",
        BinaryOp::And => "&&",
        BinaryOp::Or => "||",
        BinaryOp::Implies => "==>",
        BinaryOp::ImpliedBy => "<==",
        BinaryOp::Iff => "<==>",
        BinaryOp::NotIff => "<=!=>",
        BinaryOp::Subtype => "<:",
        BinaryOp::LockLess => "<#",
        BinaryOp::LockLessEqual => "<#=",
    }
}

/// An expression; operators in brackets of their own.
pub fn expr(of: &Expr) -> String {
    let args = |all: &[Expr]| list(all, expr);
    match &of.kind {
        ExprKind::Name(name) => name.clone(),
        ExprKind::Literal(literal) => match literal {
            Literal::Boolean(value) => value.to_string(),
            Literal::Null => "null".to_owned(),
            Literal::Integer(text)
            | Literal::Floating(text)
            | Literal::Character(text)
            | Literal::String(text)
            | Literal::TextBlock(text) => text.clone(),
        },
        ExprKind::This => "this".to_owned(),
        ExprKind::Super => "super".to_owned(),
        ExprKind::Parens(inner) => format!("({})", expr(inner)),
        ExprKind::Field { target, name } => format!("{}.{}", expr(target), name.text),
        ExprKind::Call { target, name, arguments, .. } => {
            let target = target.as_ref().map(|target| expr(target) + ".").unwrap_or_default();
            format!("{target}{}({})", name.text, args(arguments))
        }
        ExprKind::Index { array, index } => format!("{}[{}]", expr(array), expr(index)),
        ExprKind::Unary { op, operand } => {
            let operand = expr(operand);
            match op {
                UnaryOp::Plus => format!("[+{operand}]"),
                UnaryOp::Minus => format!("[-{operand}]"),
                UnaryOp::Not => format!("[!{operand}]"),
                UnaryOp::Complement => format!("[~{operand}]"),
                UnaryOp::PreIncrement => format!("[++{operand}]"),
                UnaryOp::PreDecrement => format!("[--{operand}]"),
                UnaryOp::PostIncrement => format!("[{operand}++]"),
                UnaryOp::PostDecrement => format!("[{operand}--]"),
            }
        }
        ExprKind::Binary { op, left, right, .. } => {
            format!("[{} {} {}]", expr(left), operator(*op), expr(right))
        }
        ExprKind::Assign { op, target, value } => {
            let op = op.0.map(operator).unwrap_or_default();
            format!("[{} {op}= {}]", expr(target), expr(value))
        }
        ExprKind::Conditional { condition, then, otherwise } => {
            format!("[{} ? {} : {}]", expr(condition), expr(then), expr(otherwise))
        }
        ExprKind::Cast { ty, operand } => format!("cast<{}>({})", ty.text, expr(operand)),
        ExprKind::InstanceOf { operand, pattern } => {
            let pattern = match pattern {
                Pattern::Type { ty, binding: None } => ty.text.clone(),
                Pattern::Type { ty, binding: Some(name) } => format!("{} {}", ty.text, name.text),
                Pattern::Record(code) => code.text.clone(),
            };
            format!("[{} instanceof {pattern}]", expr(operand))
        }
        ExprKind::New { outer, class, arguments, body } => {
            let outer = outer.as_ref().map(|outer| expr(outer) + ".").unwrap_or_default();
            let body = body.as_ref().map(|body| body.text.as_str()).unwrap_or_default();
            format!("{outer}new {}({}){body}", class.text, args(arguments))
        }
        ExprKind::NewArray(array) => {
            let lengths: String =
                array.lengths.iter().map(|one| format!("[{}]", expr(one))).collect();
            let empty = "[]".repeat(array.empty as usize);
            let elements = array.elements.as_ref().map(|all| format!("{{{}}}", args(all)));
            let element = &array.element.text;
            format!("new {element}{lengths}{empty}{}", elements.unwrap_or_default())
        }
        ExprKind::ArrayInit(all) => format!("{{{}}}", args(all)),
        ExprKind::Lambda { parameters, body } => match body {
            LambdaBody::Expr(body) => format!("[{} -> {}]", parameters.text, expr(body)),
            LambdaBody::Block(code) => format!("[{} -> {}]", parameters.text, code.text),
        },
        ExprKind::MethodRef { target, name } => format!("[{}::{}]", target.text, name.text),
        ExprKind::ClassLiteral(ty) => format!("{}.class", ty.text),
        ExprKind::Switch(code) | ExprKind::SetComprehension(code) | ExprKind::Informal(code) => {
            code.text.clone()
        }
        ExprKind::Result => "\\result".to_owned(),
        ExprKind::Old { kind, expr: inner, label } => {
            let label = label.as_ref().map(|label| format!(", {}", label.text));
            format!("{kind:?}({}{})", expr(inner), label.unwrap_or_default())
        }
        ExprKind::Quantified { quantifier, vars, range, body } => {
            let vars = list(vars, |var| {
                let nullable = var.nullable.map(|is| if is { "?" } else { "!" });
                format!("{}{} {}", var.ty.text, nullable.unwrap_or_default(), var.name.text)
            });
            let range = range.as_ref().map(|range| expr(range)).unwrap_or_default();
            format!("{quantifier:?}<{vars}; {range}; {}>", expr(body))
        }
        ExprKind::Fresh(all) => format!("Fresh({})", args(all)),
        ExprKind::NonNullElements(all) => format!("NonNullElements({})", args(all)),
        ExprKind::TypeOf(one) => format!("TypeOf({})", expr(one)),
        ExprKind::Type(ty) => format!("Type({})", ty.text),
        ExprKind::ElemType(one) => format!("ElemType({})", expr(one)),
        ExprKind::NotModified(all) => format!("NotModified({})", list(all, store)),
        ExprKind::NotAssigned(all) => format!("NotAssigned({})", list(all, store)),
        ExprKind::OnlyAssigned(all) => format!("OnlyAssigned({})", list(all, store)),
        ExprKind::Only { keyword, arguments } => format!("Only {}{}", keyword.text, arguments.text),
        ExprKind::Reach { expr: one, narrowed } => {
            let narrowed = narrowed.as_ref().map(|code| format!(", {}", code.text));
            format!("Reach({}{})", expr(one), narrowed.unwrap_or_default())
        }
        ExprKind::InvariantFor(all) => format!("InvariantFor({})", args(all)),
        ExprKind::StaticInvariantFor(ty) => format!("StaticInvariantFor({})", ty.text),
        ExprKind::IsInitialized(all) => format!("IsInitialized({})", types(all)),
        ExprKind::Label { kind, label, expr: one } => {
            format!("{kind:?}({}, {})", label.text, expr(one))
        }
        ExprKind::LockSet { maximum } => format!("LockSet({maximum})"),
        ExprKind::Same => "\\same".to_owned(),
        ExprKind::NotSpecified => "\\not_specified".to_owned(),
        ExprKind::Nothing => "\\nothing".to_owned(),
        ExprKind::Everything => "\\everything".to_owned(),
        ExprKind::LoopState(name) => name.text.clone(),
        ExprKind::Other { name, arguments } => {
            let arguments = arguments.as_ref().map(|all| format!("({})", args(all)));
            format!("Other {}{}", name.text, arguments.unwrap_or_default())
        }
        ExprKind::OtherQuantified { code, .. } => format!("Other<{}>", code.text),
    }
}

pub fn store(of: &StoreRef) -> String {
    match &of.kind {
        StoreRefKind::Nothing => "nothing".to_owned(),
        StoreRefKind::Everything => "everything".to_owned(),
        StoreRefKind::NotSpecified => "not_specified".to_owned(),
        StoreRefKind::Informal(code) => code.text.clone(),
        StoreRefKind::Path { root, steps } => {
            let steps = steps.iter().map(|step| match step {
                StoreStep::Field(name) => format!(".{}", name.text),
                StoreStep::AllFields => ".*".to_owned(),
                StoreStep::Index(index) => format!("[{}]", expr(index)),
                StoreStep::AllElements => "[*]".to_owned(),
                StoreStep::Range { from, to } => {
                    let end = |end: &Option<Expr>| end.as_ref().map(expr).unwrap_or_default();
                    format!("[{}..{}]", end(from), end(to))
                }
            });
            expr(root) + &steps.collect::<String>()
        }
    }
}

fn decl(of: &VarDecl) -> String {
    let nullable = of.nullable.map(|is| if is { "?" } else { "!" }).unwrap_or_default();
    let value = of.value.as_ref().map(|value| format!(" = {}", expr(value))).unwrap_or_default();
    format!("{}{nullable} {}{value}", of.ty.text, of.name.text)
}

fn clause(of: &Clause) -> String {
    let redundantly = if of.redundantly { "~" } else { "" };
    redundantly.to_owned()
        + &match &of.kind {
            ClauseKind::Requires(one) => format!("requires {}", expr(one)),
            ClauseKind::Ensures(one) => format!("ensures {}", expr(one)),
            ClauseKind::Signals { exception, name, condition } => {
                let name = name.as_ref().map(|name| format!(" {}", name.text));
                let condition = condition.as_ref().map(|one| format!(" {}", expr(one)));
                let (name, condition) = (name.unwrap_or_default(), condition.unwrap_or_default());
                format!("signals ({}{name}){condition}", exception.text)
            }
            ClauseKind::SignalsOnly(all) => format!("signals_only {}", types(all)),
            ClauseKind::Assignable(all) => format!("assignable {}", list(all, store)),
            ClauseKind::Old(all) => format!("old {}", list(all, decl)),
            ClauseKind::Forall(all) => format!("forall {}", list(all, decl)),
            ClauseKind::Unchecked(_) => format!("unchecked {}", of.keyword.text),
        }
}

fn case(of: &SpecCase) -> String {
    let visibility = of.visibility.map(|found| format!("{found:?} ")).unwrap_or_default();
    let code = if of.code { "code " } else { "" };
    let mut text = format!("{visibility}{code}{:?}", of.behavior);
    for found in &of.clauses {
        text += &format!(" {};", clause(found));
    }
    if !of.nested.is_empty() {
        text += &format!(" {{{}}}", of.nested.iter().map(case).collect::<Vec<_>>().join(" also "));
    }
    text
}

/// A specification; what is not checked in brackets at the end.
pub fn spec(of: &MethodSpec) -> String {
    let mut text = if of.also { "also ".to_owned() } else { String::new() };
    text += &of.cases.iter().map(case).collect::<Vec<_>>().join(" also ");
    for (word, cases) in [("implies", &of.implies_that), ("example", &of.for_example)] {
        for found in cases {
            text += &format!(" [{word} {}]", case(found));
        }
    }
    text
}

/// The modifiers of JML's.
pub fn modifiers(of: &Modifiers) -> String {
    list(&of.jml, |(modifier, _)| format!("{modifier:?}"))
}

fn type_clause(of: &TypeClause) -> String {
    let java = list(&of.modifiers.java, |(modifier, _)| format!("{modifier:?} "));
    let jml = list(&of.modifiers.jml, |(modifier, _)| format!("{modifier:?} "));
    let redundantly = if of.redundantly { "~" } else { "" };
    let kind = match &of.kind {
        TypeClauseKind::Invariant(one) => format!("invariant {}", expr(one)),
        TypeClauseKind::Initially(one) => format!("initially {}", expr(one)),
        TypeClauseKind::Axiom(one) => format!("axiom {}", expr(one)),
        TypeClauseKind::Constraint { expr: one, methods } => {
            let methods = methods.as_ref().map(|methods| {
                list(methods, |method| {
                    let parameters = method.parameters.as_ref();
                    let parameters = parameters.map(|all| format!("({})", types(all)));
                    let qualifier = method.qualifier.as_ref().map(|text| format!("{text}."));
                    let (before, behind) = (qualifier.unwrap_or_default(), parameters);
                    format!("{before}{}{}", method.name.text, behind.unwrap_or_default())
                })
            });
            let methods = methods.map(|methods| format!(" for {methods}")).unwrap_or_default();
            format!("constraint {}{methods}", expr(one))
        }
        TypeClauseKind::Represents(Represents::Value { target, value }) => {
            format!("represents {} = {}", store(target), expr(value))
        }
        TypeClauseKind::Represents(Represents::SuchThat { target, condition }) => {
            format!("represents {} such that {}", store(target), expr(condition))
        }
        TypeClauseKind::Unchecked { .. } => format!("unchecked {}", of.keyword.text),
    };
    format!("{java}{jml}{redundantly}{kind}")
}

pub fn field(of: &Field) -> String {
    let value = of.value.as_ref().map(|value| format!(" = {}", expr(value))).unwrap_or_default();
    let groups = list(&of.spec.groups, store);
    let groups = if groups.is_empty() { groups } else { format!(" in {groups}") };
    let maps = list(&of.spec.maps, |maps| {
        format!(" maps {} into {}", store(&maps.member), list(&maps.groups, store))
    });
    let jml = modifiers(&of.modifiers);
    format!("{:?} {} {} <{jml}>{value}{groups}{maps}", of.origin, of.ty.text, of.name.text)
}

pub fn method(of: &Method) -> String {
    let params = list(&of.params, |param| {
        let jml = modifiers(&param.modifiers);
        let jml = if jml.is_empty() { jml } else { format!("<{jml}> ") };
        let dots = if param.varargs { "..." } else { "" };
        format!("{jml}{}{dots} {}", param.ty.text, param.name.text)
    });
    let returns = of.return_type.as_ref().map(|ty| ty.text.as_str()).unwrap_or("new");
    let parameters = of.type_parameters.as_ref().map(|ty| format!("{} ", ty.text));
    let throws = types(&of.throws);
    let throws = if throws.is_empty() { throws } else { format!(" throws {throws}") };
    let before = parameters.unwrap_or_default();
    let jml = modifiers(&of.modifiers);
    format!("{:?} {before}{returns} {}({params}){throws} <{jml}>", of.origin, of.name.text)
}

/// The statements and loops of a method, a line each.
pub fn statements(of: &Method) -> String {
    let mut lines = Vec::new();
    for statement in &of.statements {
        let place = if statement.in_block { "" } else { "(misplaced) " };
        let labelled = |message: &Option<Expr>| {
            message.as_ref().map(|message| format!(" : {}", expr(message))).unwrap_or_default()
        };
        let text = match &statement.kind {
            StatementKind::Assert(one, message) => {
                format!("assert {}{}", expr(one), labelled(message))
            }
            StatementKind::Assume(one, message) => {
                format!("assume {}{}", expr(one), labelled(message))
            }
            StatementKind::Set(one) => format!("set {}", expr(one)),
            StatementKind::Debug(one) => format!("debug {}", expr(one)),
            StatementKind::HenceBy(one) => format!("hence_by {}", expr(one)),
            StatementKind::Unreachable => "unreachable".to_owned(),
            StatementKind::Ghost(all) => format!("ghost {}", list(all, decl)),
            StatementKind::Block(found) => format!("block {}", spec(found)),
            StatementKind::Unchecked { .. } => format!("unchecked {}", statement.keyword.text),
        };
        lines.push(format!("{place}{text}"));
    }
    for found in &of.loops {
        let clauses = list(&found.clauses, |clause| match &clause.kind {
            LoopClauseKind::Invariant(one) => format!("invariant {}", expr(one)),
            LoopClauseKind::Decreases(one) => format!("decreases {}", expr(one)),
            LoopClauseKind::Assignable(all) => format!("assignable {}", list(all, store)),
            LoopClauseKind::Unchecked { .. } => format!("unchecked {}", clause.keyword.text),
        });
        let labels: String = found.labels.iter().map(|name| format!("{}: ", name.text)).collect();
        lines.push(format!("{labels}{:?} {clauses}", found.kind));
    }
    lines.join("\n")
}

/// The clauses of a type and the members JML gives it, a line each.
pub fn type_spec(of: &TypeDecl) -> String {
    let clauses = of.spec.clauses.iter().map(type_clause);
    let fields = of.spec.fields.iter().map(field);
    let methods = of.spec.methods.iter().map(|found| {
        let code = found.code.as_ref().map(|code| code.text.as_str()).unwrap_or(";");
        let said = spec(&found.spec);
        let said = if said.is_empty() { said } else { format!(" // {said}") };
        format!("{} {code}{said}", method(found))
    });
    let types = of.spec.types.iter().map(|found| format!("type {}", found.name.text));
    clauses.chain(fields).chain(methods).chain(types).collect::<Vec<_>>().join("\n")
}
