//! Classes with contracts, as woven ones behave: what a precondition forbids changes nothing.

use model::BreachKind::{EntryPrecondition, Postcondition};

use super::machine::{Value, breach};
use super::world::{Declaration, bare_class, class};

/// The clause that `transfer` breaks if an account transfers to itself.
pub(crate) const SUM: u32 = 6;

/// The account of the paper's figure 1, with its bug. Probes: 0 made, 1 paid in, 2 paid out, 3 moved.
pub(crate) fn account() -> Declaration {
    bare_class("a/Account")
        .constructor("(I)V", |heap, args| {
            let amount = match &args[1] {
                Value::Null => return breach(EntryPrecondition, 2),
                Value::Object(_) => heap.get(&args[1]),
                number => number.as_int(),
            };
            if amount < 0 {
                return breach(EntryPrecondition, 1);
            }
            heap.hit(0);
            heap.set(&args[0], amount);
            Ok(Value::Null)
        })
        // It has the same body, to go by the number of arguments.
        .constructor("(La/Account;)V", |heap, args| {
            let amount = match &args[1] {
                Value::Null => return breach(EntryPrecondition, 2),
                Value::Object(_) => heap.get(&args[1]),
                number => number.as_int(),
            };
            if amount < 0 {
                return breach(EntryPrecondition, 1);
            }
            heap.hit(0);
            heap.set(&args[0], amount);
            Ok(Value::Null)
        })
        .method("deposit(I)V", |heap, args| {
            let (amount, balance) = (args[1].as_int(), heap.get(&args[0]));
            if amount <= 0 || balance.checked_add(amount).is_none() {
                return breach(EntryPrecondition, 3);
            }
            heap.hit(1);
            heap.set(&args[0], balance + amount);
            Ok(Value::Null)
        })
        .method("withdraw(I)V", |heap, args| {
            let (amount, balance) = (args[1].as_int(), heap.get(&args[0]));
            if amount <= 0 || amount > balance {
                return breach(EntryPrecondition, 4);
            }
            heap.hit(2);
            heap.set(&args[0], balance - amount);
            Ok(Value::Null)
        })
        .method("transfer(ILa/Account;)V", |heap, args| {
            let (to, amount, from) = (&args[0], args[1].as_int(), &args[2]);
            if *from == Value::Null || amount <= 0 || amount > heap.get(from) {
                return breach(EntryPrecondition, 5);
            }
            let before = heap.get(to);
            if before.checked_add(amount).is_none() {
                return breach(EntryPrecondition, 5);
            }
            heap.hit(3);
            let left = heap.get(from) - amount;
            heap.set(from, left);
            let sum = heap.get(to) + amount;
            heap.set(to, sum);
            if sum == before + amount { Ok(Value::Null) } else { breach(Postcondition, SUM) }
        })
        .method("balance()I", |heap, args| Ok(Value::int(heap.get(&args[0]))))
}

/// Holds up to five numbers. Probes: 4 pushed, 5 popped, 6 looked at.
pub(crate) fn bounded() -> Declaration {
    class("a/Bounded")
        .method("push(I)V", |heap, args| {
            let size = heap.get(&args[0]);
            if size == 5 {
                return breach(EntryPrecondition, 11);
            }
            heap.hit(4);
            heap.set(&args[0], size + 1);
            Ok(Value::Null)
        })
        .method("pop()V", |heap, args| {
            let size = heap.get(&args[0]);
            if size == 0 {
                return breach(EntryPrecondition, 12);
            }
            heap.hit(5);
            heap.set(&args[0], size - 1);
            Ok(Value::Null)
        })
        .method("top()I", |heap, args| match heap.get(&args[0]) {
            0 => breach(EntryPrecondition, 13),
            size => {
                heap.hit(6);
                Ok(Value::int(size))
            }
        })
}

/// An amount of which only the last digit counts.
pub(crate) fn digit(has_hash_code: bool) -> Declaration {
    let declared = bare_class("a/Digit")
        .constructor("(I)V", |heap, args| {
            heap.set(&args[0], args[1].as_int().rem_euclid(10));
            Ok(Value::Null)
        })
        .method("shows()I", |heap, args| Ok(Value::int(heap.get(&args[0]))))
        .method("equals(Ljava/lang/Object;)Z", |heap, args| {
            let is_equal =
                matches!(args[1], Value::Object(_)) && heap.get(&args[0]) == heap.get(&args[1]);
            Ok(Value::boolean(is_equal))
        });
    if !has_hash_code {
        return declared;
    }
    declared.method("hashCode()I", |heap, args| Ok(Value::int(heap.get(&args[0]))))
}
