//! The comments of a file, and where in the code each stands.

use tree_sitter::Node;

use crate::jml::ast::{LoopKind, LoopSpec, Name};
use crate::span::Span;

use super::tree::JavaTree;

/// A comment.
#[derive(Debug)]
pub(crate) struct Comment {
    pub span: Span,
    /// Whether a statement may stand here.
    pub in_block: bool,
    /// The loop that is the next statement.
    pub next_loop: Option<LoopSpec>,
}

/// A node whose children are being visited.
struct Frame<'t> {
    node: Node<'t>,
    /// Comments in it that nothing has followed yet.
    waiting: Vec<usize>,
    /// The last child that was no comment.
    last: Option<&'static str>,
}

/// All comments of `tree`, in order.
pub(crate) fn comments(tree: &JavaTree<'_>) -> Vec<Comment> {
    let mut comments: Vec<Comment> = Vec::new();
    let mut frames: Vec<Frame<'_>> = Vec::new();
    let mut cursor = tree.root().walk();
    loop {
        let node = cursor.node();
        if let Some(frame) = frames.last_mut() {
            if matches!(node.kind(), "line_comment" | "block_comment") {
                frame.waiting.push(comments.len());
                comments.push(Comment {
                    span: tree.span(node),
                    in_block: frame.takes_statements(),
                    next_loop: None,
                });
            } else {
                if !frame.waiting.is_empty()
                    && node.is_named()
                    && let Some(found) = loop_at(tree, node, &frame.node)
                {
                    for waiting in &frame.waiting {
                        comments[*waiting].next_loop = Some(found.clone());
                    }
                }
                frame.waiting.clear();
                frame.last = Some(node.kind());
            }
        }
        if cursor.goto_first_child() {
            frames.push(Frame { node, waiting: Vec::new(), last: None });
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return comments;
            }
            frames.pop();
        }
    }
}

impl Frame<'_> {
    fn takes_statements(&self) -> bool {
        match self.node.kind() {
            "block" | "constructor_body" => self.last.is_some(),
            "switch_block_statement_group" => self.last.is_some_and(|last| last != "switch_label"),
            "switch_block" => self.last == Some("switch_block_statement_group"),
            _ => false,
        }
    }
}

/// The loop that `node` is, with labels or without; `parent` may be its label.
fn loop_at(tree: &JavaTree<'_>, node: Node<'_>, parent: &Node<'_>) -> Option<LoopSpec> {
    let mut labels = Vec::new();
    let mut statement = tree.span(node);
    if parent.kind() == "labeled_statement" {
        statement = tree.span(*parent);
        labels.extend(label(tree, *parent));
    }
    let mut node = node;
    while node.kind() == "labeled_statement" {
        labels.extend(label(tree, node));
        let last = node.named_child_count().checked_sub(1)?;
        node = node.named_child(last as u32)?;
    }
    let kind = match node.kind() {
        "while_statement" => LoopKind::While,
        "do_statement" => LoopKind::Do,
        "for_statement" => LoopKind::For,
        "enhanced_for_statement" => LoopKind::ForEach,
        _ => return None,
    };
    let body = node.child_by_field_name("body")?;
    let condition = node.child_by_field_name("condition").map(|condition| {
        let span = tree.span(condition);
        match condition.kind() {
            "parenthesized_expression" => {
                Span::new(span.file, span.start + 1, span.end.saturating_sub(1))
            }
            _ => span,
        }
    });
    let mut cursor = node.walk();
    let updates = node.children_by_field_name("update", &mut cursor).map(|node| tree.span(node));
    let update = updates.reduce(Span::to);
    Some(LoopSpec {
        kind,
        statement,
        span: tree.span(node),
        body: tree.span(body),
        body_is_block: body.kind() == "block",
        condition,
        update,
        labels,
        clauses: Vec::new(),
    })
}

fn label(tree: &JavaTree<'_>, node: Node<'_>) -> Option<Name> {
    let name = node.named_child(0)?;
    Some(Name { text: tree.of(name).to_owned(), span: tree.span(name) })
}
