//! Finds the code of a method again in the same method with checks woven into it.
//!
//! Checks are text put between the user's, so javac makes of the rest what it made of it without them:
//! the same instructions in the same order and on the same lines, but for slots of variables and indices
//! of constants. What is in both is the user's; filters, lines and counts are taken from the method
//! without checks, so that no way of weaving has to be known here.

use classfile::opcode::*;
use classfile::{ClassFile, Code, Constant, Instruction};
use rustc_hash::FxHashMap;

use crate::flow::Flow;
use crate::lines::lines_of;

/// Cells of a table that is made to compare; larger methods are compared from the front.
const MAX_CELLS: usize = 1 << 22;

/// A method's instructions as they can be compared with those of another class.
pub(crate) struct Said {
    words: Vec<String>,
    pub(crate) lines: Vec<Option<u16>>,
}

impl Said {
    pub(crate) fn of(class: &ClassFile, code: &Code, flow: &Flow<'_>) -> Self {
        let words = flow.instructions.iter().map(|instruction| word(class, instruction)).collect();
        Self { words, lines: lines_of(code, flow) }
    }

    /// For each of these instructions the one of `woven` that it has become, ascending; none for one that
    /// is not found.
    pub(crate) fn found_in(&self, woven: &Self) -> Vec<Option<usize>> {
        let by_line = matched(&self.numbered(woven, true));
        let missing = by_line.iter().filter(|at| at.is_none()).count();
        if missing == 0 {
            return by_line;
        }
        // What stands in no source has another line: the constructor of a class without any.
        let by_word = matched(&self.numbered(woven, false));
        if by_word.iter().filter(|at| at.is_none()).count() < missing { by_word } else { by_line }
    }

    /// Both with numbers for words, the same for the same.
    fn numbered(&self, woven: &Self, with_lines: bool) -> [Vec<u32>; 2] {
        let mut numbers = FxHashMap::default();
        [self, woven].map(|said| {
            let words = said.words.iter().zip(&said.lines);
            let mut number = |word, line: Option<u16>| {
                let next = numbers.len() as u32;
                *numbers.entry((word, line.filter(|_| with_lines))).or_insert(next)
            };
            words.map(|(word, line)| number(word.as_str(), *line)).collect()
        })
    }
}

/// The longest common part of both.
fn matched([plain, woven]: &[Vec<u32>; 2]) -> Vec<Option<usize>> {
    let front = plain.iter().zip(woven).take_while(|(a, b)| a == b).count();
    let rest = plain.len().min(woven.len()) - front;
    let back = plain.iter().rev().zip(woven.iter().rev());
    let back = back.take(rest).take_while(|(a, b)| a == b).count();
    let mut found: Vec<Option<usize>> = (0..front).map(Some).collect();
    let inner = between(&plain[front..plain.len() - back], &woven[front..woven.len() - back]);
    found.extend(inner.into_iter().map(|at| at.map(|at| at + front)));
    found.extend((woven.len() - back..woven.len()).map(Some));
    found
}

fn between(plain: &[u32], woven: &[u32]) -> Vec<Option<usize>> {
    let width = woven.len() + 1;
    if plain.is_empty() || (plain.len() + 1).saturating_mul(width) > MAX_CELLS {
        return from_the_front(plain, woven);
    }
    // How long the common part is from here to the end.
    let mut left = vec![0u32; (plain.len() + 1) * width];
    for (i, of_plain) in plain.iter().enumerate().rev() {
        for (j, of_woven) in woven.iter().enumerate().rev() {
            left[i * width + j] = match of_plain == of_woven {
                true => left[(i + 1) * width + j + 1] + 1,
                false => left[(i + 1) * width + j].max(left[i * width + j + 1]),
            };
        }
    }
    let mut found = vec![None; plain.len()];
    let (mut i, mut j) = (0, 0);
    while i < plain.len() && j < woven.len() {
        if plain[i] == woven[j] {
            found[i] = Some(j);
            (i, j) = (i + 1, j + 1);
        } else if left[(i + 1) * width + j] >= left[i * width + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    found
}

fn from_the_front(plain: &[u32], woven: &[u32]) -> Vec<Option<usize>> {
    let mut next = 0;
    let find = |word: &u32| {
        let at = woven[next..].iter().position(|other| other == word)? + next;
        next = at + 1;
        Some(at)
    };
    plain.iter().map(find).collect()
}

/// What an instruction does, whatever slots and constants of its class it does it with.
fn word(class: &ClassFile, instruction: &Instruction) -> String {
    let pool = &class.pool;
    let named = match instruction {
        Instruction::Constant { index, .. } | Instruction::InvokeInterface { index, .. } => {
            let member = pool
                .member_ref(*index)
                .ok()
                .map(|member| format!("{}.{}{}", member.class, member.name, member.descriptor));
            member.or_else(|| pool.class_name(*index).ok().map(|name| name.into_owned()))
        }
        Instruction::MultiNewArray { index, .. } => {
            pool.class_name(*index).ok().map(|name| name.into_owned())
        }
        // Which method a lambda became is numbered by class.
        Instruction::InvokeDynamic { index } => {
            pool.dynamic(*index).ok().map(|(_, name, descriptor)| format!("{name}{descriptor}"))
        }
        Instruction::Ldc { index, .. } => {
            let text = pool.string_text(*index).and_then(|text| pool.utf8(text));
            let text = text.or_else(|_| pool.class_name(*index)).map(|text| text.into_owned());
            text.ok().or_else(|| number(pool.get(*index).ok()?))
        }
        Instruction::PushByte(value) => Some(value.to_string()),
        Instruction::PushShort(value) => Some(value.to_string()),
        Instruction::NewArray(of) => Some(of.to_string()),
        Instruction::Increment { amount, .. } => Some(amount.to_string()),
        _ => None,
    };
    format!("{} {}", operation(instruction.opcode()), named.unwrap_or_default())
}

fn number(constant: &Constant) -> Option<String> {
    match constant {
        Constant::Integer(_) | Constant::Float(_) | Constant::Long(_) | Constant::Double(_) => {
            Some(format!("{constant:?}"))
        }
        _ => None,
    }
}

/// The operation, the same for its short and long forms.
fn operation(op: u8) -> u8 {
    match op {
        ILOAD_0..=ALOAD_3 => ILOAD + (op - ILOAD_0) / 4,
        ISTORE_0..=ASTORE_3 => ISTORE + (op - ISTORE_0) / 4,
        LDC_W => LDC,
        GOTO_W => GOTO,
        _ => op,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_put_in_is_passed_over() {
        let check = |plain: &[u32], woven: &[u32], expect: &[Option<usize>]| {
            assert_eq!(matched(&[plain.to_vec(), woven.to_vec()]), expect);
        };
        check(&[1, 2, 3], &[1, 2, 3], &[Some(0), Some(1), Some(2)]);
        check(&[1, 2, 3], &[1, 9, 8, 2, 9, 3], &[Some(0), Some(3), Some(5)]);
        check(&[1, 2, 3], &[9, 1, 2, 3, 9], &[Some(1), Some(2), Some(3)]);
        check(&[1, 2, 3], &[9, 1, 3], &[Some(1), None, Some(2)]);
        check(&[], &[1], &[]);
        check(&[1], &[], &[None]);
    }

    #[test]
    fn methods_too_large_for_a_table_are_compared_from_the_front() {
        assert_eq!(from_the_front(&[1, 2, 3], &[9, 1, 9, 3]), [Some(1), None, Some(3)]);
    }
}
