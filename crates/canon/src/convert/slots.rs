//! The slots of a form: one for each object, one for each constant of a type.

use model::{Hierarchy, Literal, Slot, SlotDecl, Type};

use super::{Converter, MAX_TEXT};
use crate::Refusal;
use crate::record::{ObjectOrigin, Value};
use crate::typing::{Wanted, choose};

impl<C: Hierarchy + ?Sized> Converter<'_, C> {
    /// The slot of a value where this type is wanted.
    pub(super) fn slot(&mut self, value: &Value, wanted: &Type) -> Result<Slot, Refusal> {
        match value {
            Value::LongText => Err(Refusal::LongText),
            Value::Literal(literal) => self.literal(wanted, literal),
            Value::Object(id) => {
                if let Some(slot) = self.slots.get(id) {
                    return Ok(*slot);
                }
                let object = &self.record.objects[*id as usize];
                match object.origin {
                    ObjectOrigin::Array(_)
                    | ObjectOrigin::Element(..)
                    | ObjectOrigin::Constant(..) => {
                        self.make(*id)?;
                        Ok(self.slots[id])
                    }
                    _ => Err(Refusal::UnknownOrigin(object.class.to_string())),
                }
            }
        }
    }

    /// The slot of a constant where this type is wanted.
    pub(super) fn literal(&mut self, wanted: &Type, literal: &Literal) -> Result<Slot, Refusal> {
        let ty = match (literal, wanted) {
            (_, Type::Primitive(_)) | (Literal::Null, _) => wanted.clone(),
            (Literal::String(text), _) => {
                if text.units().len() > MAX_TEXT {
                    return Err(Refusal::LongText);
                }
                Type::string()
            }
            (Literal::Class(of), _) => {
                if let Some(of) = of
                    && !self.reach.can_name(of)
                {
                    return Err(Refusal::PrivateType(of.to_string()));
                }
                Type::class("java/lang/Class")
            }
            (other, _) => {
                let primitive = other.primitive().expect("the others are primitive");
                Type::class(primitive.boxed())
            }
        };
        if !self.reach.can_name(&ty) {
            return Err(Refusal::PrivateType(ty.to_string()));
        }
        let case = &mut self.form.case;
        let key = (ty.clone(), literal.clone());
        Ok(*self.literals.entry(key).or_insert_with(|| {
            case.slots.push(SlotDecl { ty, init: Some(literal.clone()) });
            Slot(case.slots.len() as u32 - 1)
        }))
    }

    /// A slot for an object.
    pub(super) fn object_slot(
        &mut self,
        id: u32,
        declared: Option<&Type>,
    ) -> Result<Slot, Refusal> {
        if let Some(slot) = self.slots.get(&id) {
            return Ok(*slot);
        }
        let object = &self.record.objects[id as usize];
        let is_thrown = object.origin == ObjectOrigin::Thrown;
        let uses = self.uses.get(&id).cloned().unwrap_or_default();
        let own = if is_thrown {
            let name = object.class.as_class().and_then(|class| self.reach.nearest(class));
            name.map_or_else(|| object.class.clone(), Type::Class)
        } else {
            object.class.clone()
        };
        let wanted = Wanted { declared: declared.filter(|_| !is_thrown), class: &own, uses: &uses };
        let ty = choose(&self.reach, &wanted)
            .ok_or_else(|| Refusal::Untypable(object.class.to_string()))?;
        let slot = self.form.case.slot(ty);
        self.slots.insert(id, slot);
        Ok(slot)
    }
}
