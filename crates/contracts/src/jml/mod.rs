//! JML: the syntax of specifications, from the text of comments to trees.

pub mod ast;
