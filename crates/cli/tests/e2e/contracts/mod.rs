//! What is done with the contracts of sources.

mod check;
