//! What a test did to its mocks: `verify(shop, times(2)).sell(article)`.
//!
//! Arguments are written as they are, or all as matchers where one of them is not known: Mockito takes
//! no mixture.

use model::{Passed, Verified};

use super::Writer;
use crate::call::{self, Argument, Goal};
use crate::doc::Doc;
use crate::flow::ValueId;
use crate::literal::Expr;
use crate::rejection::Rejection;

impl Writer<'_> {
    /// Writes that a mock got a call; the values are those of the slots it mentions.
    pub(super) fn verify(
        &mut self,
        verified: &Verified,
        values: &[ValueId],
    ) -> Result<Doc, Rejection> {
        self.flush_all()?;
        let dangling = || Rejection::Dangling { what: "a check" };
        let mut values = values.iter();
        let mock = self.read(*values.next().ok_or_else(dangling)?, false)?;
        let mut given: Vec<Option<Expr>> = Vec::new();
        for passed in &verified.args {
            given.push(match passed {
                Passed::Any => None,
                Passed::Value(seen) => Some(self.assertions.plain(seen)?),
                Passed::Slot(_) => Some(self.read(*values.next().ok_or_else(dangling)?, false)?),
            });
        }
        let mut verifying = vec![mock.doc.clone()];
        if verified.times != 1 {
            let times = vec![Doc::text(verified.times.to_string())];
            verifying.push(Doc::call(self.mockito("times"), times));
        }
        let receiver = Doc::call(self.mockito("verify"), verifying);
        let receiver = Expr::primary(receiver, mock.ty.clone());
        let written = match given.iter().cloned().collect::<Option<Vec<Expr>>>() {
            Some(exact) => {
                let args = std::iter::once(receiver).chain(exact);
                let args: Vec<_> = args.map(|expr| Argument { expr, elements: None }).collect();
                call::write(self.scope, &verified.method, &args, Goal::Nothing)?
            }
            None => self.called(&verified.method, receiver, &given)?,
        };
        self.throws = self.throws.max(written.throws);
        Ok(written.expr.doc)
    }
}
