//! From the names in a file to a context: which classes, which methods.

use std::sync::Arc;

use model::{Class, ClassName, ClassSource, Operation};

use super::{ContextFile, FileError, MethodEntry, Place};
use crate::usual::{add_makers, methods_of, package_of_tests, usual_pool, usual_pools};
use crate::{Context, Pool};

impl ContextFile {
    /// The context. Where the file lists no methods, they are those of `class`; types that it does
    /// not mention have their usual pools. Methods that it does list are all there are.
    pub fn resolve(
        &self,
        class: Option<&Class>,
        classes: &dyn ClassSource,
    ) -> Result<Context, FileError> {
        let mut methods: Vec<Arc<Operation>> = Vec::new();
        for entry in &self.methods {
            for op in entry.find(class, classes)? {
                if !methods.contains(&op) {
                    methods.push(op);
                }
            }
        }
        let start = Place { line: 1, key: String::new() };
        if self.methods.is_empty() {
            let class = class.ok_or_else(|| start.error("`methods` is missing"))?;
            let package = package_of_tests(class);
            methods = methods_of(class, classes, &package);
            add_makers(&mut methods, classes, &package);
        }
        let given = self.types.iter().map(|entry| entry.pool()).collect::<Result<Vec<_>, _>>()?;
        let pools = usual_pools(&methods, &given);
        let context = Context::new(methods, pools, classes);
        let place = self.methods.first().map_or(&start, |entry| &entry.at);
        let context = context.map_err(|error| place.error(error.to_string()))?;
        Ok(context.guarded(self.guarded.unwrap_or(true)))
    }
}

impl MethodEntry {
    /// What it names, of which there is at least one.
    fn find(
        &self,
        tested: Option<&Class>,
        classes: &dyn ClassSource,
    ) -> Result<Vec<Arc<Operation>>, FileError> {
        let (place, name) = &self.class;
        let found = classes.class(&ClassName::binary(name));
        let class = found.ok_or_else(|| place.error(format!("there is no class {name}")))?;
        let package = package_of_tests(tested.unwrap_or(&class));
        let mut methods = methods_of(&class, classes, &package);
        let Some((place, wanted)) = &self.name else {
            if methods.is_empty() {
                return Err(place.error(format!("{name} has nothing that can be called")));
            }
            return Ok(methods);
        };
        let internal = if wanted == "new" { "<init>" } else { wanted };
        methods.retain(|op| &*op.name == internal);
        if methods.is_empty() {
            return Err(place.error(format!("{name} has no `{wanted}` that can be called")));
        }
        if let Some((place, parameters)) = &self.parameters {
            methods.retain(|op| {
                let given = op.arguments().iter().map(ToString::to_string);
                given.eq(parameters.iter().cloned())
            });
            if methods.is_empty() {
                let list = parameters.join(", ");
                return Err(place.error(format!("{name} has no `{wanted}({list})`")));
            }
        }
        Ok(methods)
    }
}

impl super::TypeEntry {
    fn pool(&self) -> Result<Pool, FileError> {
        let mut pool = usual_pool(self.ty.clone());
        if let Some((_, values)) = &self.values {
            pool.values = values.clone();
            pool.size = values.len().max(1) as u32;
        }
        if let Some((place, size)) = &self.pool {
            if self.values.is_some() && pool.values.len() > *size as usize {
                let values = pool.values.len();
                return Err(place.error(format!("{size} members for {values} values")));
            }
            pool.size = *size;
            pool.values.truncate(*size as usize);
        }
        Ok(pool)
    }
}
