//! The classes that several tests search.

use model::{Cut, EffectKind};

use super::machine::{Halt, Value, null_pointer, throw};
use super::world::{Declaration, class};

/// Counts up. Probes: 0 constructor, 1 added, 2 refused, 3 read, 4 read more than ten.
pub(crate) fn counter() -> Declaration {
    super::world::bare_class("a/Counter")
        .constructor("()V", |heap, _| {
            heap.hit(0);
            Ok(Value::Null)
        })
        .method("add(I)V", |heap, args| {
            if args[1].as_int() <= 0 {
                heap.hit(2);
                return throw("IllegalArgumentException", 12);
            }
            heap.hit(1);
            let sum = heap.get(&args[0]).saturating_add(args[1].as_int());
            heap.set(&args[0], sum);
            Ok(Value::Null)
        })
        .method("get()I", |heap, args| {
            let value = heap.get(&args[0]);
            heap.hit(if value > 10 { 4 } else { 3 });
            Ok(Value::int(value))
        })
}

/// Holds up to two things. Probes: 5 pushed, 6 full, 7 popped, 8 empty.
pub(crate) fn stack() -> Declaration {
    class("a/Stack")
        .method("push(Ljava/lang/Object;)V", |heap, args| {
            let size = heap.get(&args[0]);
            if size == 2 {
                heap.hit(6);
                return throw("IllegalStateException", 31);
            }
            heap.hit(5);
            heap.set(&args[0], size + 1);
            Ok(Value::Null)
        })
        .method("pop()V", |heap, args| {
            let size = heap.get(&args[0]);
            if size == 0 {
                heap.hit(8);
                return throw("IllegalStateException", 41);
            }
            heap.hit(7);
            heap.set(&args[0], size - 1);
            Ok(Value::Null)
        })
}

/// Fails. Probes: 1 on every call.
pub(crate) fn thrower() -> Declaration {
    class("a/Thrower")
        .method("always()V", |heap, _| {
            heap.hit(1);
            throw("IllegalStateException", 51)
        })
        .method("forgets()V", |_, _| null_pointer(52))
        .method("hash(Ljava/lang/Object;)V", |_, args| match args[1] {
            Value::Null => null_pointer(53),
            _ => Ok(Value::Null),
        })
        .method("asserts()V", |_, _| throw("AssertionError", 54))
        .method("overflows()V", |_, _| throw("StackOverflowError", 55))
}

/// Does not end. Probes: 1 on every call.
pub(crate) fn looper() -> Declaration {
    class("a/Looper")
        .method("loops()V", |_, _| Err(Halt::Cut(Cut::Steps)))
        .method("waits()V", |_, _| Err(Halt::Cut(Cut::Stopped)))
        .method("swallows()V", |heap, _| {
            heap.hit(1);
            heap.overrun();
            Ok(Value::Null)
        })
        .method("wraps()V", |heap, _| {
            heap.hit(2);
            heap.overrun();
            throw("IllegalStateException", 61)
        })
        .method("needs()V", |_, _| Err(Halt::Unlinkable))
}

/// Works outside the heap. Probes: 1 written, 2 left, 3 printed, 4 quiet.
pub(crate) fn scribe() -> Declaration {
    class("a/Scribe")
        .method("writes()V", |heap, _| {
            heap.hit(1);
            heap.affect(EffectKind::FileWrite);
            Ok(Value::Null)
        })
        .method("leaves()V", |heap, _| {
            heap.hit(2);
            heap.leave(EffectKind::Thread);
            Ok(Value::Null)
        })
        .method("prints()V", |heap, _| {
            heap.hit(3);
            heap.affect(EffectKind::Output);
            Ok(Value::Null)
        })
        .method("rests()V", |heap, _| {
            heap.hit(4);
            Ok(Value::Null)
        })
}

/// Never does the same twice. Probes: 1 thrown or not, 2 steady.
pub(crate) fn dice() -> Declaration {
    class("a/Dice")
        .method("rolls()V", |heap, _| {
            heap.hit(1);
            if heap.tick() % 2 == 0 { throw("IllegalStateException", 71) } else { Ok(Value::Null) }
        })
        .method("rests()V", |heap, _| {
            heap.hit(2);
            Ok(Value::Null)
        })
}
