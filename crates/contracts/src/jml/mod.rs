//! JML: the syntax of specifications, from the text of comments to trees.

pub mod ast;
pub(crate) mod comment;
pub(crate) mod keyword;
pub(crate) mod lexer;
pub(crate) mod parser;
pub(crate) mod token;

pub use comment::Keys;
pub(crate) use keyword::{java_modifier, jml_annotation};
