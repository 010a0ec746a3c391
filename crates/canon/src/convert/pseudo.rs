//! The pseudo-calls of the proof: what a test does to arrays itself, and constants of enums.

use model::{Args, Call, ClassName, Hierarchy, Literal, Operation, OperationKind, Slot, Type};

use super::{Converter, Told};
use crate::Refusal;
use crate::record::{ObjectOrigin, Value};

impl<C: Hierarchy + ?Sized> Converter<'_, C> {
    /// A pseudo-call for an object.
    pub(super) fn make(&mut self, id: u32) -> Result<(), Refusal> {
        let record = self.record;
        let object = &record.objects[id as usize];
        let (op, args) = match &object.origin {
            ObjectOrigin::Array(elements) => {
                let element = object.class.element().cloned().unwrap_or_else(Type::object);
                if !self.reach.can_name(&element) {
                    return Err(Refusal::PrivateType(element.to_string()));
                }
                (Operation::array(&element), self.elements(id, elements, &element)?)
            }
            ObjectOrigin::Element(array, index) => {
                let array = self.slot(array, &Type::object())?;
                let index = self.literal(&Type::INT, &Literal::Int((*index).cast_signed()))?;
                (array_op("get", 2, true), vec![array, index])
            }
            ObjectOrigin::Constant(class, name) => {
                let of = Type::Class(class.clone());
                (field_op(class, name, of), Vec::new())
            }
            _ => return Ok(()),
        };
        self.reach.usable(&op)?;
        let result = op.result.clone().expect("these have a result");
        let slot = self.object_slot(id, Some(&result))?;
        let call =
            Call { op: op.into(), args: Args::from_vec(args), result: Some(slot), guarded: false };
        self.push(call, None, Told { threw: None, value: None });
        let waiting = std::mem::take(&mut self.cyclic);
        for (array, index, element) in waiting {
            if self.slots.contains_key(&array) && self.slots.contains_key(&element) {
                self.set(array, index, &Value::Object(element))?;
            } else {
                self.cyclic.push((array, index, element));
            }
        }
        Ok(())
    }

    /// The slots of an array's elements; an array that has itself in it gets that later.
    pub(super) fn elements(
        &mut self,
        id: u32,
        elements: &[Value],
        ty: &Type,
    ) -> Result<Vec<Slot>, Refusal> {
        self.making.insert(id);
        let mut slots = Vec::with_capacity(elements.len());
        for (index, value) in (0..).zip(elements) {
            slots.push(match value {
                Value::Object(element) if self.making.contains(element) => {
                    self.cyclic.push((id, index, *element));
                    self.literal(ty, &Literal::Null)?
                }
                value => self.slot(value, ty)?,
            });
        }
        self.making.remove(&id);
        Ok(slots)
    }

    pub(super) fn set(&mut self, array: u32, index: u32, value: &Value) -> Result<(), Refusal> {
        if let Value::Object(id) = value
            && !self.slots.contains_key(id)
            && !matches!(self.record.objects[*id as usize].origin, ObjectOrigin::Array(_))
        {
            // What no call has given the test, a call has put there.
            return Ok(());
        }
        let array = self.slots[&array];
        let index = self.literal(&Type::INT, &Literal::Int(index.cast_signed()))?;
        let value = self.slot(value, &Type::object())?;
        let op = array_op("set", 3, false);
        let args = Args::from_slice(&[array, index, value]);
        let call = Call { op: op.into(), args, result: None, guarded: false };
        self.push(call, None, Told { threw: None, value: None });
        Ok(())
    }
}

/// A method of `java.lang.reflect.Array`.
fn array_op(name: &str, params: usize, has_result: bool) -> Operation {
    let all = [Type::object(), Type::INT, Type::object()];
    Operation {
        kind: OperationKind::StaticMethod,
        owner: ClassName::internal("java/lang/reflect/Array"),
        name: name.into(),
        params: all[..params].to_vec(),
        result: has_result.then(Type::object),
        implementation: None,
    }
}

fn field_op(class: &ClassName, name: &str, ty: Type) -> Operation {
    Operation {
        kind: OperationKind::StaticField,
        owner: class.clone(),
        name: name.into(),
        params: Vec::new(),
        result: Some(ty),
        implementation: None,
    }
}
