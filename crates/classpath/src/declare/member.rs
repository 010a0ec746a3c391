//! Fields and methods.

use std::sync::Arc;

use classfile::CodeView;
use model::{Class, Field, GenericType, Method, MethodDescriptor, MethodSignature, Param, Type};

use super::{Declaring, Owner, names};
use crate::Reason;

impl Declaring<'_> {
    pub(super) fn fields(&mut self) -> Result<Vec<Field>, Reason> {
        let (file, pool) = (self.file, &self.file.pool);
        let mut fields = Vec::with_capacity(file.fields.len());
        for member in &file.fields {
            let name = member.name(pool)?;
            let owner = Owner::Field(&name);
            let checked = |text: &str| GenericType::parse(text).map(|_| Arc::from(text));
            let (annotations, _) = self.annotations(owner, &member.attributes);
            fields.push(Field {
                ty: Type::parse(&member.descriptor(pool)?)?,
                access: self.access(member.access, &member.attributes),
                signature: self.signature(owner, &member.attributes, checked),
                annotations,
                name: Arc::from(&*name),
            });
        }
        Ok(fields)
    }

    /// Adds methods and constructors to a class that is complete otherwise.
    pub(super) fn methods(&mut self, class: &mut Class) -> Result<(), Reason> {
        let (file, pool) = (self.file, &self.file.pool);
        class.methods.reserve_exact(file.methods.len());
        for member in &file.methods {
            let (name, text) = (member.name(pool)?, member.descriptor(pool)?);
            let descriptor = MethodDescriptor::parse(&text)?;
            if name == "<clinit>" {
                class.has_initializer = true;
                continue;
            }
            let owner = Owner::Method(&name, &text);
            let access = self.access(member.access, &member.attributes);
            let code = CodeView::read(file, member)?;
            let (annotations, deprecated) = self.annotations(owner, &member.attributes);
            let mut named = self.parameter_names(owner, member, &descriptor, code.as_ref());
            if name == "<init>" {
                name_after_components(class, &descriptor, &mut named);
            }
            let exceptions = member.attributes.exceptions(pool);
            let exceptions = self.optional(owner, "Exceptions", exceptions);
            class.methods.push(Method {
                signature: self.method_signature(owner, member, &descriptor),
                params: descriptor
                    .params
                    .into_iter()
                    .zip(named)
                    .map(|(ty, name)| Param { ty, name })
                    .collect(),
                result: descriptor.result,
                access,
                exceptions: names(&exceptions),
                annotations,
                deprecated,
                code_size: code.map_or(0, |code| code.bytes.len() as u32),
                name: Arc::from(&*name),
            });
        }
        Ok(())
    }

    fn method_signature(
        &mut self,
        owner: Owner<'_>,
        member: &classfile::Member,
        descriptor: &MethodDescriptor,
    ) -> Option<Arc<MethodSignature>> {
        let signature = self.signature(owner, &member.attributes, MethodSignature::parse)?;
        let fits = signature.params.len() <= descriptor.params.len()
            && signature.result.is_some() == descriptor.result.is_some();
        if !fits {
            self.tell(Reason::StaleSignature { owner: owner.to_string() });
            return None;
        }
        Some(Arc::new(signature))
    }
}

/// The parameters of a record's canonical constructor have the names of its components (JLS
/// §8.10.4), whether or not the class file repeats them.
fn name_after_components(
    class: &Class,
    descriptor: &MethodDescriptor,
    named: &mut [Option<Arc<str>>],
) {
    let types = class.record.iter().map(|component| &component.ty);
    if class.record.is_empty() || !types.eq(&descriptor.params) {
        return;
    }
    for (name, component) in named.iter_mut().zip(&class.record) {
        name.get_or_insert_with(|| Arc::clone(&component.name));
    }
}
