//! What contracts say of members, told of the classes that sources were compiled to.

use classpath::World;
use contracts::weave::CheckedMethod;
use model::{ClassName, Type};
use search::ContractFacts;
use worker::CheckedMember;

use super::world::{Compiled, is_named};

/// The members, by their erased parameters. One that cannot be told from another is left out: what is
/// said of members only guides a search.
pub(super) fn members(methods: &[CheckedMethod], world: &World) -> Vec<CheckedMember> {
    let told = methods.iter().filter_map(|method| {
        let (class, params) = erased(method, world)?;
        let CheckedMethod { pure, fresh_result, assigns, .. } = *method;
        let facts = ContractFacts { pure, fresh_result, assigns };
        Some(CheckedMember { class, name: method.name.clone(), params, facts })
    });
    told.collect()
}

fn erased(method: &CheckedMethod, world: &World) -> Option<(ClassName, Vec<Type>)> {
    let class = Compiled(world).class(&method.owner)?;
    let fits = |given: &[Type]| {
        given.len() == method.parameters.len()
            && given.iter().zip(&method.parameters).all(|(ty, name)| is_named(ty, name))
    };
    let mut found = class.methods.iter().filter(|other| *other.name == *method.name);
    let mut params = found
        .by_ref()
        .map(|other| -> Vec<Type> { other.params.iter().map(|param| param.ty.clone()).collect() });
    params.find(|params| fits(params)).map(|params| (class.name.clone(), params))
}
