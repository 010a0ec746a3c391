//! Changed code is laid out anew, and what does not fit is refused.

use classfile::opcode::{GOTO, ICONST_0, IFEQ, IRETURN, NEW, NOP, RETURN};
use classfile::{
    ClassFile, ClassFileError, Code, CodeTable, Frame, FrameKind, Instruction, Label, Member, Node,
    OffsetTarget, VerificationType,
};

/// A class with one static method `m` of this descriptor and these contents of its code.
fn class_with(descriptor: &str, code: &[u8]) -> ClassFile {
    let mut pool = Vec::new();
    for text in [
        "C",
        "m",
        descriptor,
        "Code",
        "StackMapTable",
        "LineNumberTable",
        "RuntimeVisibleTypeAnnotations",
        "LA;",
        "java/lang/Object",
    ] {
        pool.push(1);
        pool.extend((text.len() as u16).to_be_bytes());
        pool.extend(text.as_bytes());
    }
    pool.extend([7, 0, 1, 7, 0, 9]); // 10: class C, 11: class Object
    let mut bytes = vec![0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 61, 0, 12];
    bytes.extend(pool);
    bytes.extend([0, 0x21, 0, 10, 0, 11, 0, 0, 0, 0, 0, 1]);
    bytes.extend([0, 9, 0, 2, 0, 3, 0, 1, 0, 4]);
    bytes.extend((code.len() as u32).to_be_bytes());
    bytes.extend(code);
    bytes.extend([0, 0]);
    ClassFile::parse(&bytes).expect("a well-formed class")
}

/// The contents of a code attribute: instructions, then a table of attributes.
fn contents(instructions: &[u8], attributes: &[(u8, &[u8])]) -> Vec<u8> {
    let mut bytes = vec![0, 4, 0, 4];
    bytes.extend((instructions.len() as u32).to_be_bytes());
    bytes.extend(instructions);
    bytes.extend([0, 0, 0, attributes.len() as u8]);
    for (name, attribute) in attributes {
        bytes.extend([0, *name]);
        bytes.extend((attribute.len() as u32).to_be_bytes());
        bytes.extend(*attribute);
    }
    bytes
}

fn decode(class: &ClassFile) -> Code {
    let method: &Member = &class.methods[0];
    Code::decode(class, method).expect("it can be decoded").expect("it has code")
}

/// Inserts `count` times `nop` before every instruction of this operation, whoever comes there.
fn insert_nops(code: &mut Code, op: u8, count: usize) {
    let old = std::mem::take(&mut code.nodes);
    for (index, node) in old.iter().enumerate() {
        let next = old[index..].iter().find_map(|node| match node {
            Node::Instruction(instruction) => Some(instruction.opcode()),
            Node::Label(_) => None,
        });
        let here = match node {
            Node::Label(label) => code.is_anchor(*label),
            Node::Instruction(_) => {
                !matches!(old.get(index.wrapping_sub(1)), Some(Node::Label(l)) if code.is_anchor(*l))
            }
        };
        if here && next == Some(op) {
            code.nodes.extend((0..count).map(|_| Node::Instruction(Instruction::Plain(NOP))));
        }
        code.nodes.push(node.clone());
    }
}

#[test]
fn frames_follow_the_new_they_mean_when_code_is_inserted_before_it() {
    // 0: new Object, 3: iconst_0, 4: ifeq 7, 7: return; frame at 7 with the object on the stack.
    let instructions = [NEW, 0, 11, ICONST_0, IFEQ, 0, 3, RETURN];
    let frames = [0, 1, 64 + 7, 8, 0, 0];
    let class = class_with("()V", &contents(&instructions, &[(5, &frames)]));
    let mut code = decode(&class);
    let VerificationType::Uninitialized(made) = (match &code.frames()[0].kind {
        FrameKind::SameLocals1(made) => *made,
        other => panic!("{other:?}"),
    }) else {
        panic!("an object under construction")
    };
    assert!(code.is_anchor(made));
    insert_nops(&mut code, NEW, 5);
    let encoded = code.encode().expect("it fits");
    let changed = [&[NOP; 5][..], &instructions].concat();
    assert_eq!(encoded, contents(&changed, &[(5, &[0, 1, 64 + 12, 8, 0, 5])]));
}

#[test]
fn a_short_frame_becomes_long_when_it_moves_away() {
    // 0: iconst_0, 1: ifeq 4, 4: return.
    let instructions = [ICONST_0, IFEQ, 0, 3, RETURN];
    let class = class_with("()V", &contents(&instructions, &[(5, &[0, 1, 4])]));
    let mut code = decode(&class);
    insert_nops(&mut code, ICONST_0, 100);
    let encoded = code.encode().expect("it fits");
    let changed = [&[NOP; 100][..], &instructions].concat();
    assert_eq!(encoded, contents(&changed, &[(5, &[0, 1, 251, 0, 104])]));
}

#[test]
fn switches_are_padded_anew() {
    // 0: iconst_0, 1: tableswitch 0..0 -> 20, default 20; 20: return.
    let switch = |padding: usize, distance: u8| {
        let mut bytes = vec![0xAA];
        bytes.resize(1 + padding, 0);
        bytes.extend([0, 0, 0, distance, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, distance]);
        bytes
    };
    let whole = |nops: usize, padding: usize| {
        let mut bytes = vec![NOP; nops];
        bytes.push(ICONST_0);
        bytes.extend(switch(padding, 17 + padding as u8));
        bytes.push(RETURN);
        bytes
    };
    let class = class_with("()V", &contents(&whole(0, 2), &[]));
    for nops in 0..8 {
        let mut code = decode(&class);
        insert_nops(&mut code, ICONST_0, nops);
        let expected = contents(&whole(nops, 3 - (nops + 1) % 4), &[]);
        assert_eq!(code.encode().expect("it fits"), expected, "{nops} bytes inserted");
    }
}

#[test]
fn positions_in_type_annotations_and_line_tables_move_with_their_instructions() {
    // A type annotation (0x44: of a `new`) at offset 1, and line 9 at offset 1.
    let instructions = [NOP, NEW, 0, 11, RETURN];
    let annotation = |at| [0, 1, 0x44, 0, at, 0, 0, 8, 0, 0];
    let tables = |line_at, new_at| {
        contents(
            &[&[NOP][..], &vec![NOP; usize::from(new_at) - 1], &instructions[1..]].concat(),
            &[(6, &[0, 1, 0, line_at, 0, 9]), (7, &annotation(new_at))],
        )
    };
    let class = class_with("()V", &tables(1, 1));
    let mut code = decode(&class);
    assert_eq!(code.encode().expect("it fits"), tables(1, 1));
    let CodeTable::Patched { patches, .. } = &code.tables[1] else { panic!("type annotations") };
    assert!(matches!(patches[0].target, OffsetTarget::Instruction(_)));
    insert_nops(&mut code, NEW, 3);
    assert_eq!(code.encode().expect("it fits"), tables(1, 4));
}

/// `op` over `count` bytes of `nop` to the end.
fn jump_over(op: u8, count: usize) -> Result<Vec<u8>, ClassFileError> {
    let class = class_with("()V", &contents(&[ICONST_0, IFEQ, 0, 3, RETURN], &[]));
    let mut code = decode(&class);
    let target: Label = code.new_label();
    code.nodes = vec![Node::Instruction(Instruction::Jump { op, target })];
    code.nodes.extend((0..count).map(|_| Node::Instruction(Instruction::Plain(NOP))));
    code.nodes.push(Node::Label(target));
    code.nodes.push(Node::Instruction(Instruction::Plain(RETURN)));
    code.encode()
}

#[test]
fn jumps_and_code_beyond_the_limits_are_refused() {
    assert!(jump_over(GOTO, 32_764).is_ok());
    let too_far = jump_over(GOTO, 32_765);
    assert!(matches!(too_far, Err(ClassFileError::CodeTooLarge { .. })), "{too_far:?}");
    assert!(jump_over(classfile::opcode::GOTO_W, 60_000).is_ok());
    assert!(jump_over(classfile::opcode::GOTO_W, 65_529).is_ok());
    let too_long = jump_over(classfile::opcode::GOTO_W, 65_530);
    assert!(matches!(too_long, Err(ClassFileError::CodeTooLarge { .. })), "{too_long:?}");
}

#[test]
fn labels_must_be_placed_and_frames_in_order() {
    let class = class_with("()I", &contents(&[ICONST_0, IRETURN], &[(5, &[0, 1, 1])]));
    let mut code = decode(&class);
    let at = code.frames()[0].at;
    code.frames_mut().expect("a stack map").push(Frame { at, kind: FrameKind::Same });
    assert_eq!(code.encode(), Err(ClassFileError::FrameOrder { offset: 1 }));
    let mut code = decode(&class);
    let target = code.new_label();
    code.nodes.push(Node::Instruction(Instruction::Jump { op: GOTO, target }));
    assert!(matches!(code.encode(), Err(ClassFileError::UnplacedLabel { .. })));
}

#[test]
fn constants_are_added_once_and_at_the_end() {
    let mut class = class_with("()V", &contents(&[RETURN], &[]));
    let before = class.to_bytes();
    assert_eq!(class.pool.add_utf8("Code").unwrap(), 4);
    assert_eq!(class.pool.add_class("C").unwrap(), 10);
    assert_eq!(class.to_bytes(), before, "what is there is not added");
    let first = class.pool.add_method_ref("java/lang/Testhound", "step", "()V").unwrap();
    let long = class.pool.add_long(7).unwrap();
    let integer = class.pool.add_integer(70_000).unwrap();
    assert_eq!(integer, long + 2, "a long takes two slots");
    assert_eq!(class.pool.add_method_ref("java/lang/Testhound", "step", "()V").unwrap(), first);
    let again = ClassFile::parse(&class.to_bytes()).expect("it is well-formed");
    let method = again.pool.member_ref(first).unwrap();
    assert_eq!(
        (&*method.class, &*method.name, &*method.descriptor),
        ("java/lang/Testhound", "step", "()V")
    );
    let full = (0..70_000).map(|value| class.pool.add_integer(value)).find_map(Result::err);
    assert_eq!(full, Some(ClassFileError::PoolFull));
    assert_eq!(class.pool.slots(), 65_535);
}
