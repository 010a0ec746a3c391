//! Damaged input of every sort leads to diagnostics: no panic, no abort, no endless work.

use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::Arc;

use classpath::{JdkImage, World};
use model::{ClassName, ClassSource};

use crate::fixture::{guava, jdk, jdks, shapes, world};

/// A small generator of reproducible numbers (xorshift).
struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % below as u64) as usize
    }

    /// Bytes changed in one of the ways bytes go wrong.
    fn damage(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut bytes = bytes.to_vec();
        let at = self.roll(bytes.len());
        match self.roll(6) {
            0 => bytes.truncate(at),
            1 => bytes[at] ^= 1 << self.roll(8),
            2 => bytes[at] = self.roll(256) as u8,
            3 => bytes.insert(at, self.roll(256) as u8),
            4 => drop(bytes.drain(at..(at + 1 + self.roll(8)).min(bytes.len()))),
            _ => {
                let end = (at + 1 + self.roll(4)).min(bytes.len());
                bytes[at..end].fill([0, 0xff][self.roll(2)]);
            }
        }
        bytes
    }
}

/// Asks the world everything about its project classes; returns how many can be read.
fn read_all(world: &World) -> usize {
    let names = world.project_classes();
    world.subtypes(&"java/lang/Object".into());
    names.iter().filter(|name| world.class(name).is_some()).count()
}

#[test]
fn damaged_classes_are_told_or_read() {
    let jdk = jdk();
    let (tree, mut dice) = (tempfile::tempdir().unwrap(), Dice(7));
    fs::create_dir(tree.path().join("shapes")).unwrap();
    let shapes = shapes(&jdk, &["-g"]);
    let classes: Vec<(String, Vec<u8>)> = fs::read_dir(shapes.join("shapes"))
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap()))
        .collect();
    let (mut readable, mut unreadable, mut partly) = (0, 0, 0);
    for _ in 0..150 {
        for (name, bytes) in &classes {
            fs::write(tree.path().join("shapes").join(name), dice.damage(bytes)).unwrap();
        }
        let world = world(tree.path(), &jdk);
        let count = read_all(&world);
        readable += count;
        unreadable += classes.len() - count;
        let told = world.diagnostics().len();
        assert!(told >= classes.len() - count, "what is unreadable must be told");
        partly += told - (classes.len() - count);
    }
    assert!(readable > 200 && unreadable > 200 && partly > 20, "{readable} {unreadable} {partly}");
}

#[test]
fn damaged_jars_are_told_or_read() {
    let jdk = jdk();
    let (_, small) = guava();
    let bytes = fs::read(small).unwrap();
    let (tree, mut dice) = (tempfile::tempdir().unwrap(), Dice(11));
    let jar = tree.path().join("damaged.jar");
    let whole = {
        fs::write(&jar, &bytes).unwrap();
        read_all(&world(&jar, &jdk))
    };
    assert!(whole >= 2);
    let (mut fine, mut told) = (0, 0);
    for round in 0..600 {
        let mut damaged = dice.damage(&bytes);
        // Most damage hits compressed data; the directory at the end deserves as much.
        if round % 2 == 0 {
            let end = bytes.len() - 300;
            damaged = [&bytes[..end], &dice.damage(&bytes[end..])].concat();
        }
        fs::write(&jar, damaged).unwrap();
        let world = world(&jar, &jdk);
        fine += usize::from(read_all(&world) == whole);
        told += usize::from(!world.diagnostics().is_empty());
    }
    assert!(fine > 50 && told > 50, "{fine} {told}");
}

#[test]
fn a_jar_that_claims_a_trillion_entries_is_refused() {
    let tree = tempfile::tempdir().unwrap();
    let jar = tree.path().join("claims.jar");
    let mut bytes = b"PK\x01\x02".to_vec();
    bytes.resize(100, 0);
    let record = bytes.len() as u64;
    bytes.extend(b"PK\x06\x06");
    bytes.extend(44_u64.to_le_bytes());
    bytes.extend([45, 0, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    for claim in [1_u64 << 40, 1 << 40, 1 << 50, 0] {
        bytes.extend(claim.to_le_bytes());
    }
    bytes.extend(b"PK\x06\x07\0\0\0\0");
    bytes.extend(record.to_le_bytes());
    bytes.extend(1_u32.to_le_bytes());
    bytes.extend(b"PK\x05\x06\0\0\0\0");
    bytes.extend([0xff; 12]);
    bytes.extend([0, 0]);
    fs::write(&jar, bytes).unwrap();
    let world = world(&jar, &jdk());
    let told = world.diagnostics();
    assert_eq!(told.len(), 1);
    assert!(told[0].to_string().contains("more entries than fit"), "{}", told[0]);
}

#[test]
fn a_class_that_inflates_without_end_is_refused() {
    use std::io::Write;
    let tree = tempfile::tempdir().unwrap();
    let jar = tree.path().join("bomb.jar");
    let mut zip = zip::ZipWriter::new(File::create(&jar).unwrap());
    zip.start_file("Bomb.class", zip::write::SimpleFileOptions::default()).unwrap();
    for _ in 0..65 {
        zip.write_all(&vec![0; 1 << 20]).unwrap();
    }
    zip.finish().unwrap();
    let world = world(&jar, &jdk());
    assert!(world.class(&"Bomb".into()).is_none());
    assert!(world.diagnostics()[0].to_string().ends_with("larger than 67108864 bytes"));
}

#[test]
fn a_damaged_jdk_is_told_or_read() {
    let healthy = jdks().into_iter().min_by_key(|jdk| jdk.feature()).unwrap();
    let home = tempfile::tempdir().unwrap();
    fs::create_dir(home.path().join("lib")).unwrap();
    let path = home.path().join("lib/modules");
    fs::copy(healthy.home().join("lib/modules"), &path).unwrap();
    let file = File::options().read(true).write(true).open(&path).unwrap();
    let mut header = [0; 28];
    file.read_exact_at(&mut header, 0).unwrap();
    let size = |at: usize| u32::from_ne_bytes(header[at..at + 4].try_into().unwrap()) as usize;
    let tables = 28 + size(16) * 8 + size(20) + size(24);
    let mut dice = Dice(13);
    let (mut refused, mut read) = (0, 0);
    for round in 0..120 {
        // Damage to single entries is rarely noticed, so a good many are hit at once.
        let places: Vec<u64> = match round % 3 {
            0 => vec![dice.roll(28) as u64],
            _ => (0..1 << dice.roll(12)).map(|_| 28 + dice.roll(tables - 28) as u64).collect(),
        };
        let saved: Vec<u8> =
            places.iter().map(|at| replace(&file, *at, dice.roll(256) as u8)).collect();
        match JdkImage::open(home.path()) {
            Ok(jdk) => read += usize::from(look_around(jdk)),
            Err(_) => refused += 1,
        }
        for (at, byte) in places.iter().zip(saved).rev() {
            file.write_all_at(&[byte], *at).unwrap();
        }
    }
    assert!(refused > 20 && read > 20, "{refused} refused, {read} read");
    assert!(look_around(JdkImage::open(home.path()).unwrap()), "all damage was undone");
    for length in [tables as u64 + 1000, tables as u64, tables as u64 / 2, 28, 27, 0] {
        file.set_len(length).unwrap();
        assert!(JdkImage::open(home.path()).is_err(), "{length} bytes");
    }
    assert!(JdkImage::open(Path::new("/no/such/home")).is_err());
}

fn replace(file: &File, at: u64, byte: u8) -> u8 {
    let mut old = [0];
    file.read_exact_at(&mut old, at).unwrap();
    file.write_all_at(&[byte], at).unwrap();
    old[0]
}

/// Whether everything that is asked of a JDK has an answer.
fn look_around(jdk: JdkImage) -> bool {
    let world = World::new(&[], &[], Arc::new(jdk));
    world.jdk_subtypes(&"java/util/List".into(), &["java/util"]);
    let classes = ["java/lang/Object", "java/util/Map$Entry", "sun/misc/Unsafe"];
    let found = classes.iter().filter(|name| world.class(&ClassName::internal(name)).is_some());
    found.count() == classes.len()
}
