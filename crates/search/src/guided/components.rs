//! The components that can be switched off, by their names.

use serde::{Deserialize, Serialize};

/// A component of the guided strategy.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Component {
    /// Constants of the class feed its methods (G4).
    Constants,
    /// Inputs are changed before they are used (G5).
    Impurity,
    /// Objects are used by their run-time type (G6).
    Elephant,
    /// What no method under test produces is made on demand: found in other classes, or written on
    /// the spot (G7).
    Detective,
    /// Cheap sequences are preferred (G8).
    Orienteering,
    /// Methods with much left to cover are preferred (G9).
    Bloodhound,
    /// Tests that came close to an uncovered branch are changed until they take it (G15, G19).
    Frontier,
    /// Tests that reached something new are gone on with.
    Trail,
    /// Files in a temporary folder of the test stand for paths (G7).
    Files,
    /// Mocks of what is still missing, and of what a container injects (G21).
    Mocks,
}

impl Component {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Constants,
        Self::Impurity,
        Self::Elephant,
        Self::Detective,
        Self::Orienteering,
        Self::Bloodhound,
        Self::Frontier,
        Self::Trail,
        Self::Files,
        Self::Mocks,
    ];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Constants => "constants",
            Self::Impurity => "impurity",
            Self::Elephant => "elephant",
            Self::Detective => "detective",
            Self::Orienteering => "orienteering",
            Self::Bloodhound => "bloodhound",
            Self::Frontier => "frontier",
            Self::Trail => "trail",
            Self::Files => "files",
            Self::Mocks => "mocks",
        }
    }

    /// The component of this name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|component| component.name() == name)
    }
}

/// A set of components.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Components(u16);

impl Components {
    /// None: plain feedback-directed random testing.
    pub const NONE: Self = Self(0);

    /// All of them.
    pub fn all() -> Self {
        Component::ALL.into_iter().fold(Self::NONE, Self::with)
    }

    /// With this one as well.
    #[must_use]
    pub fn with(self, component: Component) -> Self {
        Self(self.0 | 1 << component as u8)
    }

    /// Without this one.
    #[must_use]
    pub fn without(self, component: Component) -> Self {
        Self(self.0 & !(1 << component as u8))
    }

    /// Whether this one is among them.
    pub fn has(self, component: Component) -> bool {
        self.0 & 1 << component as u8 != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_go_by_their_names_and_are_switched_one_by_one() {
        for component in Component::ALL {
            assert_eq!(Component::of_name(component.name()), Some(component));
            let others = Components::all().without(component);
            assert!(!others.has(component));
            assert_eq!(others.with(component), Components::all());
        }
        assert_eq!(Component::of_name("nose"), None);
    }
}
