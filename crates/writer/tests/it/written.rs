//! Operations that write a class on the spot, with answers to order.

use model::{
    Answer, Class, ClassName, ClassSource, Hierarchy, Operation, Sketch, Type, Unimplemented,
    implementable,
};

/// An object of a class or interface, in a test of the package; what its methods answer is up to
/// `answer`, which may capture values. `None` if tests cannot write such a class.
pub fn written(
    classes: &dyn ClassSource,
    of: &ClassName,
    package: &str,
    constructor: usize,
    mut answer: impl FnMut(&mut Sketch, &Class, &Unimplemented) -> Answer,
) -> Option<Operation> {
    let class = classes.class(of)?;
    let methods = implementable(classes, &class, package)?;
    let near = of.package() == package;
    let usable = class.constructors().filter(|c| {
        let access = c.access;
        !access.is_synthetic()
            && (access.is_public() || access.is_protected() || near)
            && !access.is_private()
    });
    let given = if class.is_interface() {
        Vec::new()
    } else {
        let usable: Vec<_> = usable.collect();
        let chosen = usable.get(constructor.checked_rem(usable.len())?)?;
        chosen.params.iter().map(|p| p.ty.clone()).collect()
    };
    let mut sketch = Sketch { given, ..Sketch::new(of.clone(), class.is_interface()) };
    for method in &methods {
        let answer = answer(&mut sketch, &class, method);
        sketch.add(method, &answer);
    }
    Some(sketch.operation(package))
}

/// The answer of a value of the method's narrowest erased result, or nothing.
pub fn value(classes: &dyn ClassSource, sketch: &mut Sketch, method: &Unimplemented) -> Answer {
    let results: Vec<&Type> = method.erasures.iter().filter_map(|e| e.result.as_ref()).collect();
    let narrowest = results.iter().find(|ty| results.iter().all(|r| classes.is_subtype(ty, r)));
    match narrowest {
        Some(ty) => sketch.capture((*ty).clone()),
        None => Answer::Nothing,
    }
}

/// The first argument that can be the result in all erasures of the method.
pub fn argument(classes: &dyn ClassSource, method: &Unimplemented) -> Option<Answer> {
    let fits = |place: &usize| {
        method.erasures.iter().all(|e| {
            e.result.as_ref().is_some_and(|result| classes.is_subtype(&e.params[*place], result))
        })
    };
    (0..method.params.len()).find(fits).map(|place| Answer::Argument(place as u16))
}

/// A checked exception the method declares and everybody can make.
pub fn thrown(classes: &dyn ClassSource, method: &Unimplemented) -> Option<Answer> {
    let declared = method.method().exceptions.iter();
    declared
        .filter(|name| classes.is_checked_exception(name))
        .find(|name| {
            classes.class(name).is_some_and(|class| {
                class.is_instantiable()
                    && class.access.is_public()
                    && class.constructors().any(|c| c.params.is_empty() && c.access.is_public())
            })
        })
        .map(|name| Answer::Throws(name.clone()))
}
